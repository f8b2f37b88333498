/* The rest of what IREE's HIP driver looks up (its dynamic_symbol_tables.h): one device, on which
   everything is done at once. */
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNUSED(name) \
    int name(void);  \
    int name(void) { \
        fprintf(stderr, "stub: %s is not expected\n", #name); \
        exit(3);     \
    }
#define NOTHING(name) \
    int name(void);   \
    int name(void) { return 0; }

NOTHING(hipCtxSetCurrent)
NOTHING(hipCtxPushCurrent)
NOTHING(hipCtxPopCurrent)
NOTHING(hipDevicePrimaryCtxRelease)
NOTHING(hipEventDestroy)
NOTHING(hipEventQuery)
NOTHING(hipEventRecord)
NOTHING(hipEventSynchronize)
NOTHING(hipGetLastError)
NOTHING(hipHostFree)
NOTHING(hipInit)
NOTHING(hipStreamWaitEvent)
NOTHING(hipHostRegister)
NOTHING(hipHostUnregister)
NOTHING(hipFuncSetAttribute)
UNUSED(hipCtxGetCurrent)
UNUSED(hipDeviceCanAccessPeer)
UNUSED(hipDeviceEnablePeerAccess)
UNUSED(hipEventElapsedTime)
UNUSED(hipFreeAsync)
UNUSED(hipGraphAddEmptyNode)
UNUSED(hipGraphAddEventRecordNode)
UNUSED(hipGraphAddKernelNode)
UNUSED(hipGraphAddMemsetNode)
UNUSED(hipGraphCreate)
UNUSED(hipGraphDestroy)
UNUSED(hipGraphExecDestroy)
UNUSED(hipGraphInstantiate)
UNUSED(hipGraphLaunch)
UNUSED(hipLaunchKernel)
UNUSED(hipMallocFromPoolAsync)
UNUSED(hipMallocManaged)
UNUSED(hipMallocAsync)
UNUSED(hipMemcpy)
UNUSED(hipMemPoolCreate)
UNUSED(hipMemPoolDestroy)
UNUSED(hipMemPoolGetAttribute)
UNUSED(hipMemPoolSetAttribute)
UNUSED(hipMemPoolTrimTo)
UNUSED(hipMemPrefetchAsync)
UNUSED(hipMemset)
UNUSED(hipMemsetAsync)
UNUSED(hipModuleGetGlobal)

static int give(void **target) {
    *target = calloc(1, 64);
    return 0;
}

int hipDevicePrimaryCtxRetain(void **context, int device);
int hipDevicePrimaryCtxRetain(void **context, int device) { return device ? 1 : give(context); }
int hipEventCreate(void **event);
int hipEventCreate(void **event) { return give(event); }
int hipEventCreateWithFlags(void **event, unsigned int flags);
int hipEventCreateWithFlags(void **event, unsigned int flags) { return (void)flags, give(event); }

int hipDeviceGet(int *device, int ordinal);
int hipDeviceGet(int *device, int ordinal) { return *device = ordinal; }
int hipGetDeviceCount(int *count);
int hipGetDeviceCount(int *count) { return *count = 1, 0; }
int hipDeviceGetName(char *name, int length, int device);
int hipDeviceGetName(char *name, int length, int device) {
    return (void)device, snprintf(name, (size_t)length, "stub"), 0;
}
int hipDeviceGetUuid(char *uuid, int device);
int hipDeviceGetUuid(char *uuid, int device) { return (void)device, memset(uuid, 1, 16), 0; }
/* Limits are large; what asks for managed memory or for memory pools is told that there are none. */
int hipDeviceGetAttribute(int *value, int attribute, int device);
int hipDeviceGetAttribute(int *value, int attribute, int device) {
    const int concurrent_managed_access = 9, memory_pools_supported = 88;
    int none = attribute == concurrent_managed_access || attribute == memory_pools_supported;
    return (void)device, *value = none ? 0 : 65536, 0;
}
int hipFuncGetAttribute(int *value, int attribute, const void *function);
int hipFuncGetAttribute(int *value, int attribute, const void *function) {
    return (void)attribute, (void)function, *value = 0;
}
const char *hipGetErrorName(int error);
const char *hipGetErrorName(int error) { return hipGetErrorString((hipError_t)error); }

int hipHostMalloc(void **memory, size_t bytes, unsigned int flags);
int hipHostMalloc(void **memory, size_t bytes, unsigned int flags) {
    return (void)flags, (int)hipMalloc(memory, bytes);
}
int hipHostGetDevicePointer(void **device, void *host, unsigned int flags);
int hipHostGetDevicePointer(void **device, void *host, unsigned int flags) {
    return (void)flags, *device = host, 0;
}
enum { DEVICE_TO_DEVICE = 3 };
int hipMemcpyAsync(void *target, void *source, size_t bytes, int kind, hipStream_t stream);
int hipMemcpyAsync(void *target, void *source, size_t bytes, int kind, hipStream_t stream) {
    return kind == DEVICE_TO_DEVICE ? (int)hipMemcpyDtoDAsync(target, source, bytes, stream) : 1;
}
int hipMemcpyHtoDAsync(void *target, void *source, size_t bytes, hipStream_t stream);
int hipMemcpyHtoDAsync(void *target, void *source, size_t bytes, hipStream_t stream) {
    return (void)stream, memcpy(target, source, bytes), 0;
}
int hipLaunchHostFunc(hipStream_t stream, void (*function)(void *), void *data);
int hipLaunchHostFunc(hipStream_t stream, void (*function)(void *), void *data) {
    return (void)stream, function(data), 0;
}
int hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned int count, int *options,
                        void **values);
int hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned int count, int *options,
                        void **values) {
    (void)count, (void)options, (void)values;
    return (int)hipModuleLoadData(module, image);
}
