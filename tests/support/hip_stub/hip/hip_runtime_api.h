/* The declarations of <hip/hip_runtime_api.h> that an export uses. */
#include <stddef.h>
#include <stdint.h>

typedef enum { hipSuccess = 0, hipErrorInvalidValue = 1 } hipError_t;
typedef struct ihipStream_t *hipStream_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef void *hipDeviceptr_t;

const char *hipGetErrorString(hipError_t error);
hipError_t hipSetDevice(int device);
hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags);
hipError_t hipStreamSynchronize(hipStream_t stream);
hipError_t hipStreamDestroy(hipStream_t stream);
hipError_t hipModuleLoadData(hipModule_t *module, const void *image);
hipError_t hipModuleUnload(hipModule_t module);
hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name);
hipError_t hipMalloc(void **memory, size_t bytes);
hipError_t hipFree(void *memory);
hipError_t hipMemcpyHtoD(hipDeviceptr_t target, const void *source, size_t bytes);
hipError_t hipMemcpyDtoH(void *target, hipDeviceptr_t source, size_t bytes);
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t target, hipDeviceptr_t source, size_t bytes,
                              hipStream_t stream);
hipError_t hipMemsetD8Async(hipDeviceptr_t target, unsigned char value, size_t count,
                            hipStream_t stream);
hipError_t hipMemsetD16Async(hipDeviceptr_t target, unsigned short value, size_t count,
                             hipStream_t stream);
hipError_t hipMemsetD32Async(hipDeviceptr_t target, int value, size_t count, hipStream_t stream);
hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_x, unsigned int grid_y,
                                 unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                 unsigned int block_z, unsigned int shared_bytes,
                                 hipStream_t stream, void **arguments, void **extra);
