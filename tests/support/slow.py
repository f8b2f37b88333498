"""What the inner loop leaves out: `tools/dev.py test --quick`, or `pytest -m "not slow"`.

A place is a file, or the beginning of a test's name in it.
"""

SLOW = {
    "random draws": ("test_combinations.py",),
    "base entries, whole models and every target": (
        "test_amd_code.py",
        "test_cli.py::test_models",
        "test_codeobject.py",
        "test_dispatches.py",
        "test_inspect.py",
        "test_model_configs.py::test_published",
        "test_model_options.py",
        "test_targets.py::test_the_pinned_compiler",
    ),
    "sweeps of opcodes, and mutants": (
        "test_emulator_atomics.py::test_atomics_of",
        "test_emulator_memory_opcodes.py",
        "test_emulator_mutants.py",
        "test_emulator_opcodes.py",
        "test_emulator_pseudocode.py",
        "test_emulator_rooms.py",
        "test_emulator_wait_mutants.py",
        "test_fuzz_loading.py",
        "test_opcodes.py",
    ),
    "sweeps of shapes, element types and features through the compiler": (
        "test_cache_append.py",
        "test_cache_write.py",
        "test_decoder_layer.py",
        "test_device_arrays.py::test_a_kernel_gives",
        "test_dynamic.py",
        "test_embedding.py::test_compiled",
        "test_in_place.py",
        "test_merge_states.py",
        "test_mlp.py::test_compiled",
        "test_paged_update_attention.py",
        "test_poison.py",
        "test_position_embedding.py",
        "test_projections.py",
        "test_properties.py",
        "test_rope.py::test_it_meets",
        "test_rope.py::test_given_tables",
        "test_semantics.py::test_it_meets",
        "test_stages.py",
    ),
    "changed artifacts, each compiled": (
        "test_bundles.py::test_without_its_gpu",
        "test_comparison.py",
        "test_comparison_execution.py",
        "test_verification.py::test_a_wrong_graph",
    ),
    "whole programs, and attention in the emulator": (
        "test_bench.py",
        "test_emulator.py",
        "test_emulator_device.py::test_every_order",
        "test_emulator_device.py::test_the_machine_code",
        "test_executors.py",
        "test_export.py",
        "test_foreign_kernels.py",
        "test_lanes.py::test_a_nan",
        "test_lanes.py::test_a_window",
        "test_lanes.py::test_growing",
        "test_lanes.py::test_little",
        "test_lanes.py::test_rows",
        "test_lanes.py::test_what_lies",
        "test_generation.py",
        "test_matrix.py",
        "test_new_op.py",
        "test_progress.py",
        "test_readme.py::test_commands",
        "test_readme.py::test_python_blocks",
        "test_repro.py",
        "test_storage.py",
        "test_store.py",
        "test_whole_model.py",
        "test_workgroups.py",
    ),
}


def is_slow(test: str) -> bool:
    """Whether a test, as `file::name[parameters]`, is at one of the places."""
    return any(test.startswith(place) for places in SLOW.values() for place in places)
