/* A CUDA library without a GPU: memory is the host's, launches are counted, and copies and fills are
   done at once. It knows of one device of compute capability 9.0, and refuses what breaks the rules
   that the launcher relies on: launches and memory without the device's context, and a kernel with
   more shared memory than it was told of. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default"))) int

enum { INVALID_VALUE = 1, INVALID_CONTEXT = 201, NOT_FOUND = 500, MOST = 256 };

typedef struct {
    char name[512];
    int shared;
} Function;
typedef struct {
    char *ptx;
} Module;

/* The last launch: its sizes, and its first arguments as 64-bit words. */
typedef struct {
    char name[512];
    uint32_t sizes[7];
    uint64_t words[32];
    void *stream;
} Launch;
__attribute__((visibility("default"))) Launch cuda_stub_launch;
__attribute__((visibility("default"))) int cuda_stub_launches;

static int primary;
static _Thread_local void *current;

API cuInit(unsigned flags) { return (int)flags; }
API cuDeviceGetCount(int *count) { return *count = 1, 0; }
API cuDeviceGetAttribute(int *value, int attribute, int device) {
    if (device || (attribute != 75 && attribute != 76)) return INVALID_VALUE;
    return *value = attribute == 75 ? 9 : 0, 0;
}
API cuDevicePrimaryCtxRetain(void **context, int device) {
    return device ? INVALID_VALUE : (*context = &primary, 0);
}
API cuCtxGetCurrent(void **context) { return *context = current, 0; }
API cuCtxPushCurrent_v2(void *context) { return current = context, 0; }
API cuCtxPopCurrent_v2(void **context) { return *context = current, current = NULL, 0; }
API cuGetErrorName(int error, const char **text) {
    *text = error == INVALID_CONTEXT ? "CUDA_ERROR_INVALID_CONTEXT" : "CUDA_ERROR_INVALID_VALUE";
    return 0;
}
API cuGetErrorString(int error, const char **text) {
    return *text = error == INVALID_CONTEXT ? "invalid device context" : "invalid argument", 0;
}

API cuModuleLoadData(void **module, const void *image) {
    if (current != &primary) return INVALID_CONTEXT;
    if (strncmp(image, "//", 2)) return INVALID_VALUE;
    Module *made = malloc(sizeof(Module));
    made->ptx = strdup(image);
    return *module = made, 0;
}
API cuModuleGetFunction(void **function, void *module, const char *name) {
    char entry[600];
    snprintf(entry, sizeof(entry), ".entry %s(", name);
    if (!strstr(((Module *)module)->ptx, entry)) return NOT_FOUND;
    Function *made = calloc(1, sizeof(Function));
    snprintf(made->name, sizeof(made->name), "%s", name);
    return *function = made, 0;
}
API cuFuncSetAttribute(void *function, int attribute, int value) {
    if (attribute != 8) return INVALID_VALUE;
    return ((Function *)function)->shared = value, 0;
}
API cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **params, void **extra) {
    Function *kernel = function;
    if (current != &primary) return INVALID_CONTEXT;
    if (extra || (int)shared > kernel->shared) return INVALID_VALUE;
    Launch launch = {.sizes = {gx, gy, gz, bx, by, bz, shared}, .stream = stream};
    snprintf(launch.name, sizeof(launch.name), "%s", kernel->name);
    /* What the kernel's PTX declares, the launch gives: a pointer each, or 32 bits. */
    for (int i = 0; i < 3; i++) memcpy(&launch.words[i], params[i], 8);
    cuda_stub_launch = launch;
    cuda_stub_launches++;
    return 0;
}

API cuMemAlloc_v2(void **target, size_t bytes) {
    if (current != &primary) return INVALID_CONTEXT;
    return *target = aligned_alloc(256, bytes + (256 - bytes % 256) % 256), 0;
}
API cuMemFree_v2(void *target) { return free(target), 0; }
API cuMemcpyDtoDAsync_v2(void *target, void *source, size_t bytes, void *stream) {
    return (void)stream, memmove(target, source, bytes), 0;
}
API cuMemcpyHtoDAsync_v2(void *target, void *source, size_t bytes, void *stream) {
    return cuMemcpyDtoDAsync_v2(target, source, bytes, stream);
}
API cuMemcpyDtoHAsync_v2(void *target, void *source, size_t bytes, void *stream) {
    return cuMemcpyDtoDAsync_v2(target, source, bytes, stream);
}
/* CUDA_MEMCPY2D_v2. */
typedef struct {
    size_t source_x, source_y;
    int source_type;
    const void *source_host;
    uintptr_t source_device;
    void *source_array;
    size_t source_pitch, target_x, target_y;
    int target_type;
    void *target_host;
    uintptr_t target_device;
    void *target_array;
    size_t target_pitch, width, height;
} Rows;
API cuMemcpy2DAsync_v2(const Rows *rows, void *stream) {
    (void)stream;
    if (rows->source_type != 2 || rows->target_type != 2) return INVALID_VALUE;
    if (rows->width > rows->source_pitch || rows->width > rows->target_pitch) return INVALID_VALUE;
    for (size_t i = 0; i < rows->height; i++)
        memcpy((char *)rows->target_device + i * rows->target_pitch,
               (char *)rows->source_device + i * rows->source_pitch, rows->width);
    return 0;
}
API cuMemsetD8Async(void *target, unsigned char value, size_t count, void *stream) {
    return (void)stream, memset(target, value, count), 0;
}
API cuMemsetD16Async(uint16_t *target, unsigned short value, size_t count, void *stream) {
    (void)stream;
    for (size_t i = 0; i < count; i++) target[i] = value;
    return 0;
}
API cuMemsetD32Async(uint32_t *target, unsigned value, size_t count, void *stream) {
    (void)stream;
    for (size_t i = 0; i < count; i++) target[i] = value;
    return 0;
}
API cuStreamSynchronize(void *stream) { return (void)stream, 0; }
API cuStreamIsCapturing(void *stream, int *status) {
    return (void)stream, *status = 0, current == &primary ? 0 : INVALID_CONTEXT;
}
