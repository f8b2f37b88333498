"""RDNA3's names of instructions that other families call otherwise."""

from itertools import product


def without_length(mnemonic: str) -> str:
    """A mnemonic without the suffix that says how long the encoding is."""
    return mnemonic.removesuffix("_e32").removesuffix("_e64")


# The minimum and maximum that prefer numbers to NaN have `num` in their names on RDNA4.
_EXTREMES = {
    f"{prefix}_{word}_num_{kind}": f"{prefix}_{word}_{kind}"
    for prefix, word, kind in product(
        ("v", "s", "v_pk", "v_dual"),
        ("min", "max", "min3", "max3", "med3", "minmax", "maxmin"),
        ("f16", "f32", "f64"),
    )
}

# So it is in memory.
_MEMORY_EXTREMES = {
    **{
        f"{where}_atomic_{word}_num_f32": f"{where}_atomic_{word}_f32"
        for where, word in product(("global", "flat", "buffer"), ("min", "max"))
    },
    **{
        f"ds_{word}_num{middle}_{kind}": f"ds_{word}{middle}_{kind}"
        for word, middle, kind in product(("min", "max"), ("", "_rtn"), ("f32", "f64"))
    },
}

RDNA4_NAMES = {
    **_EXTREMES,
    **_MEMORY_EXTREMES,
    "s_add_co_u32": "s_add_u32",
    "s_add_co_i32": "s_add_i32",
    "s_add_co_ci_u32": "s_addc_u32",
    "s_addk_co_i32": "s_addk_i32",
    "s_sub_co_u32": "s_sub_u32",
    "s_sub_co_i32": "s_sub_i32",
    "s_sub_co_ci_u32": "s_subb_u32",
    "v_mad_co_u64_u32": "v_mad_u64_u32",
    "v_mad_co_i64_i32": "v_mad_i64_i32",
}

# What loads and stores of memory move.
_WORDS = {"dword": "b32", "dwordx2": "b64", "dwordx3": "b96", "dwordx4": "b128"}
_MOVED = {
    **{f"load_{own}": f"load_{usual}" for own, usual in _WORDS.items()},
    **{f"store_{own}": f"store_{usual}" for own, usual in _WORDS.items()},
    "load_ubyte": "load_u8",
    "load_sbyte": "load_i8",
    "load_ushort": "load_u16",
    "load_sshort": "load_i16",
    "store_byte": "store_b8",
    "store_short": "store_b16",
    **{
        f"load_{own}_d16{'_hi' * high}": f"load_d16_{'hi_' * high}{usual}"
        for (own, usual), high in product(
            (("ubyte", "u8"), ("sbyte", "i8"), ("short", "b16")), (False, True)
        )
    },
    "store_byte_d16_hi": "store_d16_hi_b8",
    "store_short_d16_hi": "store_d16_hi_b16",
}
_MEMORY = {
    f"{where}_{own}": f"{where}_{usual}"
    for where in ("global", "flat", "buffer", "scratch")
    for own, usual in _MOVED.items()
}
# GFX9 says how wide an atomic is by `_x2`, and its sign by a letter.
_COUNTED = {
    **{name: f"{name}_b" for name in ("and", "or", "xor", "swap", "cmpswap")},
    **{name: f"{name}_u" for name in ("add", "sub", "inc", "dec")},
    **{f"{sign[0]}{name}": f"{name}_{sign[1]}" for name in ("min", "max") for sign in ("si", "uu")},
}
_ATOMICS = {
    f"{where}_atomic_{own}{wide}": f"{where}_atomic_{usual}{bits}"
    for where in ("global", "flat", "buffer")
    for own, usual in _COUNTED.items()
    for wide, bits in (("", 32), ("_x2", 64))
}
_SCALAR_MEMORY = {
    f"s_load_{own}": f"s_load_{usual}"
    for own, usual in (*_WORDS.items(), ("dwordx8", "b256"), ("dwordx16", "b512"))
}
_WIDE = ("b32", "b64", "b96", "b128")
_READ = ("u8", "i8", "u16", "i16", "u8_d16", "i8_d16", "u16_d16")
_LDS = {
    **{
        f"ds_wrxchg{own}_rtn_b{bits}": f"ds_storexchg{usual}_rtn_b{bits}"
        for (own, usual), bits in product(
            (("", ""), ("2", "_2addr"), ("2st64", "_2addr_stride64")), (32, 64)
        )
    },
    **{f"ds_read_{what}": f"ds_load_{what}" for what in (*_READ, *_WIDE)},
    **{f"ds_read_b64_tr_{what}": f"ds_load_b64_tr_{what}" for what in ("b8", "b16")},
    **{f"ds_read_{what}_d16_hi": f"ds_load_{what}_d16_hi" for what in ("u8", "i8", "u16")},
    **{f"ds_write_{what}": f"ds_store_{what}" for what in ("b8", "b16", *_WIDE)},
    **{f"ds_write_{what}_d16_hi": f"ds_store_{what}_d16_hi" for what in ("b8", "b16")},
    **{
        f"ds_{own}2{near}_{what}": f"ds_{usual}_2addr_{far}{what}"
        for (own, usual), (near, far), what in product(
            (("read", "load"), ("write", "store")),
            (("", ""), ("st64", "stride64_")),
            ("b32", "b64"),
        )
    },
}

GFX9_NAMES = {
    **_MEMORY,
    **_ATOMICS,
    **_SCALAR_MEMORY,
    **_LDS,
    "s_andn2_saveexec_b64": "s_and_not1_saveexec_b64",
    "s_orn2_saveexec_b64": "s_or_not1_saveexec_b64",
    "s_andn1_saveexec_b64": "s_and_not0_saveexec_b64",
    "s_orn1_saveexec_b64": "s_or_not0_saveexec_b64",
    "s_andn2_wrexec_b64": "s_and_not1_wrexec_b64",
    "s_andn1_wrexec_b64": "s_and_not0_wrexec_b64",
    "s_ff1_i32_b32": "s_ctz_i32_b32",
    "s_ff1_i32_b64": "s_ctz_i32_b64",
    "s_flbit_i32": "s_cls_i32",
    "s_flbit_i32_i64": "s_cls_i32_i64",
    "s_flbit_i32_b64": "s_clz_i32_u64",
    "v_ffbh_i32": "v_cls_i32",
    "s_flbit_i32_b32": "s_clz_i32_u32",
    "v_ffbh_u32": "v_clz_i32_u32",
    "v_ffbl_b32": "v_ctz_i32_b32",
    "v_cvt_pkrtz_f16_f32": "v_cvt_pk_rtz_f16_f32",
    "v_cvt_rpi_i32_f32": "v_cvt_nearest_i32_f32",
    "v_cvt_flr_i32_f32": "v_cvt_floor_i32_f32",
    "v_addc_co_u32": "v_add_co_ci_u32",
    "v_subb_co_u32": "v_sub_co_ci_u32",
    "v_subbrev_co_u32": "v_subrev_co_ci_u32",
    "v_mul_legacy_f32": "v_mul_dx9_zero_f32",
    "v_mad_legacy_u16": "v_mad_u16",
    "v_mad_legacy_i16": "v_mad_i16",
    "v_fma_legacy_f16": "v_fma_f16",
    "v_dot2c_f32_f16": "v_dot2acc_f32_f16",
    "v_dot2c_f32_bf16": "v_dot2acc_f32_bf16",
    # Since gfx906 these are rounded once, and LLVM calls them so (`FeatureFmaMixInsts`).
    **{f"v_mad_{what}": f"v_fma_{what}" for what in ("mix_f32", "mixlo_f16", "mixhi_f16")},
    **{
        f"v_cvt_pknorm_{to}_{kind}": f"v_cvt_pk_norm_{to}_{kind}"
        for to, kind in product(("i16", "u16"), ("f16", "f32"))
    },
    **{f"s_{op}n2_b{bits}": f"s_{op}_not1_b{bits}" for op in ("and", "or") for bits in (32, 64)},
    **{
        f"v_{op}_{kind}": f"v_{op}_nc_{kind}"
        for op, kind in product(("add", "sub", "subrev"), ("u32", "i32", "u16", "i16"))
    },
}
