/* A CUDA library without a GPU, which notes what is done as the stub of HIP does, of which it makes
   use. It refuses what breaks CUDA's own rules: work without a current context, and a kernel with
   more shared memory than it was told of. */
#include <cuda.h>
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CUfunc_st {
    hipFunction_t kernel;
    int shared;
};

static int initialized;
static struct CUctx_st {
    int retained;
} primary;
static _Thread_local CUcontext current;

static CUresult in_context(void) {
    return current == &primary && primary.retained ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

#define AS_HIP(call) (in_context() ? in_context() : (CUresult)(call))

CUresult cuInit(unsigned int flags) {
    initialized = 1;
    return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char **text) {
    *text = error == CUDA_ERROR_INVALID_CONTEXT ? "invalid device context" : "invalid argument";
    return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    if (device || !initialized) return CUDA_ERROR_INVALID_VALUE;
    primary.retained = 1;
    *context = &primary;
    return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
    current = context;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
    return AS_HIP(hipStreamCreateWithFlags((hipStream_t *)stream, flags));
}
CUresult cuStreamSynchronize(CUstream stream) {
    return AS_HIP(hipStreamSynchronize((hipStream_t)stream));
}
CUresult cuStreamDestroy(CUstream stream) { return AS_HIP(hipStreamDestroy((hipStream_t)stream)); }

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    if (in_context()) return in_context();
    /* PTX is text: what is read past its end shows in the last line. */
    const char *text = (const char *)image, *end = strrchr(text, '}');
    if (strncmp(text, "//", 2) || !end || end[1 + strspn(end + 1, " \n")])
        return CUDA_ERROR_INVALID_VALUE;
    *module = (CUmodule)strdup(text);
    return CUDA_SUCCESS;
}
CUresult cuModuleUnload(CUmodule module) {
    free(module);
    return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    char entry[600];
    snprintf(entry, sizeof(entry), ".entry %s(", name);
    if (!strstr((const char *)module, entry)) return CUDA_ERROR_NOT_FOUND;
    *function = (CUfunction)calloc(1, sizeof(**function));
    return AS_HIP(hipModuleGetFunction(&(*function)->kernel, (hipModule_t)module, name));
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        return CUDA_ERROR_INVALID_VALUE;
    function->shared = value;
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr *memory, size_t bytes) {
    return AS_HIP(hipMalloc((void **)memory, bytes));
}
CUresult cuMemFree(CUdeviceptr memory) { return AS_HIP(hipFree((void *)memory)); }
CUresult cuMemcpyHtoD(CUdeviceptr target, const void *source, size_t bytes) {
    return AS_HIP(hipMemcpyHtoD((void *)target, source, bytes));
}
CUresult cuMemcpyDtoH(void *target, CUdeviceptr source, size_t bytes) {
    return AS_HIP(hipMemcpyDtoH(target, (void *)source, bytes));
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream) {
    return AS_HIP(hipMemcpyDtoDAsync((void *)target, (void *)source, bytes, (hipStream_t)stream));
}
CUresult cuMemsetD8Async(CUdeviceptr target, unsigned char value, size_t count, CUstream stream) {
    return AS_HIP(hipMemsetD8Async((void *)target, value, count, (hipStream_t)stream));
}
CUresult cuMemsetD16Async(CUdeviceptr target, unsigned short value, size_t count, CUstream stream) {
    return AS_HIP(hipMemsetD16Async((void *)target, value, count, (hipStream_t)stream));
}
CUresult cuMemsetD32Async(CUdeviceptr target, unsigned int value, size_t count, CUstream stream) {
    return AS_HIP(hipMemsetD32Async((void *)target, (int)value, count, (hipStream_t)stream));
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void **arguments, void **extra) {
    if ((int)shared_bytes > function->shared) return CUDA_ERROR_INVALID_VALUE;
    return AS_HIP(hipModuleLaunchKernel(function->kernel, grid_x, grid_y, grid_z, block_x, block_y,
                                        block_z, shared_bytes, (hipStream_t)stream, arguments,
                                        extra));
}
