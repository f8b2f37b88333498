"""HIP's and CUDA's C interfaces to an export's templates, and all in which they differ there."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DriverApi:
    """A driver's interface: its names and types in C, and where its files are.

    Most functions are called alike but for `prefix`. `opening` are the calls that make `device`
    current in a thread, after a line of declarations, `error_text` is the statement that gives the
    text of `status`. Of `versioned` functions C's header renames what it links. `shared_memory` is
    the attribute by which a kernel is told of dynamic shared memory, None where it need not be.
    """

    title: str
    prefix: str
    header: tuple[str, ...]
    error: str
    success: str
    address: str
    stream: str
    module: str
    kernel: str
    allocate: str
    free: str
    new_stream: str
    launch: str
    opening: tuple[str, ...]
    error_text: tuple[str, ...]
    include_folder: str
    library_folder: str
    library: str
    code: str
    lanes: str
    declarations: str | None = None
    versioned: frozenset[str] = frozenset()
    shared_memory: str | None = None

    def symbol(self, function: str) -> str:
        """The symbol that the library has for a function of C's header."""
        return f"{function}_v2" if function in self.versioned else function


# By driver.
APIS = {
    "hip": DriverApi(
        title="HIP",
        prefix="hip",
        header=(
            "#ifndef __HIP_PLATFORM_AMD__",
            "#define __HIP_PLATFORM_AMD__",
            "#endif",
            "#include <hip/hip_runtime_api.h>",
        ),
        error="hipError_t",
        success="hipSuccess",
        address="hipDeviceptr_t",
        stream="hipStream_t",
        module="hipModule_t",
        kernel="hipFunction_t",
        allocate="hipMalloc",
        free="hipFree",
        new_stream="hipStreamCreateWithFlags",
        launch="hipModuleLaunchKernel",
        opening=("hipSetDevice(device)",),
        error_text=("return hipGetErrorString(status);",),
        include_folder="/opt/rocm/include",
        library_folder="/opt/rocm/lib",
        library="amdhip64",
        code="an AMDGPU ELF",
        lanes="waves",
    ),
    "cuda": DriverApi(
        title="CUDA",
        prefix="cu",
        header=("#include <cuda.h>",),
        error="CUresult",
        success="CUDA_SUCCESS",
        address="CUdeviceptr",
        stream="CUstream",
        module="CUmodule",
        kernel="CUfunction",
        allocate="cuMemAlloc",
        free="cuMemFree",
        new_stream="cuStreamCreate",
        launch="cuLaunchKernel",
        declarations="CUcontext context;",
        opening=(
            "cuInit(0)",
            "cuDevicePrimaryCtxRetain(&context, device)",
            "cuCtxSetCurrent(context)",
        ),
        error_text=(
            "const char *text = NULL;",
            "cuGetErrorString(status, &text);",
            'return text ? text : "an error that CUDA does not know";',
        ),
        include_folder="/usr/local/cuda/include",
        library_folder="/usr/local/cuda/lib64/stubs",
        library="cuda",
        code="PTX",
        lanes="warps",
        versioned=frozenset(
            {"cuMemAlloc", "cuMemFree", "cuMemcpyHtoD", "cuMemcpyDtoH", "cuStreamDestroy"}
        ),
        shared_memory="CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES",
    ),
}
