/* A HIP library without a GPU: memory is the host's, and what is done is written to $HIP_STUB_LOG, a
   line for each allocation, copy, fill and launch.

   As the real library does, it knows the size of each kernel's arguments from the code object; here
   the file $HIP_STUB_KERNELS tells them, one kernel a line: its name, and the sizes. */
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64

struct ihipModule_t {
    int loaded;
};
struct ihipModuleSymbol_t {
    char name[512];
    int count;
    int sizes[MOST];
};
struct ihipStream_t {
    int open;
};

static struct {
    char *start;
    size_t bytes;
} memory[MOST];
static int memories;

/* The log, locked for one line: IREE calls from several threads. */
static FILE *lock_log(void) {
    static FILE *log;
    flockfile(stdout);
    if (!log) log = fopen(getenv("HIP_STUB_LOG"), "w");
    if (!log) exit(3);
    return log;
}

static void unlock_log(FILE *log) {
    fprintf(log, "\n");
    fflush(log);
    funlockfile(stdout);
}

static void fail(const char *what) {
    fprintf(stderr, "stub: %s\n", what);
    exit(3);
}

/* Prints a device address as the number of its allocation and the offset. */
static void print_address(FILE *log, const void *address) {
    const char *at = (const char *)address;
    for (int i = 0; i < memories; i++) {
        if (at >= memory[i].start && at < memory[i].start + memory[i].bytes) {
            fprintf(log, " %d+%zu", i, (size_t)(at - memory[i].start));
            return;
        }
    }
    fail("an address in no allocation");
}

static void check_inside(const void *address, size_t bytes) {
    const char *at = (const char *)address;
    for (int i = 0; i < memories; i++)
        if (at >= memory[i].start && at + bytes <= memory[i].start + memory[i].bytes) return;
    fail("a range leaves its allocation");
}

const char *hipGetErrorString(hipError_t error) { return error ? "invalid value" : "no error"; }
hipError_t hipSetDevice(int device) { return device ? hipErrorInvalidValue : hipSuccess; }

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags) {
    (void)flags;
    *stream = (hipStream_t)calloc(1, sizeof(**stream));
    return hipSuccess;
}
hipError_t hipStreamSynchronize(hipStream_t stream) {
    (void)stream;
    return hipSuccess;
}
hipError_t hipStreamDestroy(hipStream_t stream) {
    free(stream);
    return hipSuccess;
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
    if (memcmp(image, "\177ELF", 4)) return hipErrorInvalidValue;
    *module = (hipModule_t)calloc(1, sizeof(**module));
    return hipSuccess;
}
hipError_t hipModuleUnload(hipModule_t module) {
    free(module);
    return hipSuccess;
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *name) {
    char line[4096];
    FILE *file = fopen(getenv("HIP_STUB_KERNELS"), "r");
    if (!file || !module) fail("no kernels");
    while (fgets(line, sizeof(line), file)) {
        char *word = strtok(line, " \n");
        if (!word || strcmp(word, name)) continue;
        *function = (hipFunction_t)calloc(1, sizeof(**function));
        snprintf((*function)->name, sizeof((*function)->name), "%s", name);
        while ((word = strtok(NULL, " \n"))) (*function)->sizes[(*function)->count++] = atoi(word);
        fclose(file);
        return hipSuccess;
    }
    return hipErrorInvalidValue;
}

hipError_t hipMalloc(void **target, size_t bytes) {
    FILE *log = lock_log();
    *target = aligned_alloc(64, bytes + (64 - bytes % 64) % 64);
    if (!*target || memories == MOST) fail("no memory");
    memset(*target, 0xAB, bytes);
    memory[memories].start = (char *)*target;
    memory[memories].bytes = bytes;
    fprintf(log, "malloc %zu", bytes);
    memories++;
    unlock_log(log);
    return hipSuccess;
}
hipError_t hipFree(void *target) {
    free(target);
    return hipSuccess;
}

/* CRC-32 as in zlib. */
static uint32_t checksum(const void *data, size_t bytes) {
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < bytes; i++) {
        crc ^= ((const unsigned char *)data)[i];
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

hipError_t hipMemcpyHtoD(hipDeviceptr_t target, const void *source, size_t bytes) {
    check_inside(target, bytes);
    memcpy(target, source, bytes);
    FILE *log = lock_log();
    fprintf(log, "write");
    print_address(log, target);
    fprintf(log, " %zu %u", bytes, (unsigned int)checksum(source, bytes));
    unlock_log(log);
    return hipSuccess;
}
hipError_t hipMemcpyDtoH(void *target, hipDeviceptr_t source, size_t bytes) {
    check_inside(source, bytes);
    memcpy(target, source, bytes);
    FILE *log = lock_log();
    fprintf(log, "read");
    print_address(log, source);
    fprintf(log, " %zu", bytes);
    unlock_log(log);
    return hipSuccess;
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t target, hipDeviceptr_t source, size_t bytes,
                              hipStream_t stream) {
    if (!stream) return hipErrorInvalidValue;
    check_inside(target, bytes);
    check_inside(source, bytes);
    memcpy(target, source, bytes);
    FILE *log = lock_log();
    fprintf(log, "copy");
    print_address(log, source);
    print_address(log, target);
    fprintf(log, " %zu", bytes);
    unlock_log(log);
    return hipSuccess;
}

static hipError_t fill(void *target, const void *pattern, size_t size, size_t count) {
    check_inside(target, size * count);
    for (size_t i = 0; i < count; i++) memcpy((char *)target + i * size, pattern, size);
    FILE *log = lock_log();
    fprintf(log, "fill");
    print_address(log, target);
    fprintf(log, " %zu ", size * count);
    for (size_t i = 0; i < size; i++) fprintf(log, "%02x", ((const unsigned char *)pattern)[i]);
    unlock_log(log);
    return hipSuccess;
}
hipError_t hipMemsetD8Async(hipDeviceptr_t target, unsigned char value, size_t count,
                            hipStream_t stream) {
    return stream ? fill(target, &value, 1, count) : hipErrorInvalidValue;
}
hipError_t hipMemsetD16Async(hipDeviceptr_t target, unsigned short value, size_t count,
                             hipStream_t stream) {
    return stream ? fill(target, &value, 2, count) : hipErrorInvalidValue;
}
hipError_t hipMemsetD32Async(hipDeviceptr_t target, int value, size_t count, hipStream_t stream) {
    return stream ? fill(target, &value, 4, count) : hipErrorInvalidValue;
}

hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_x, unsigned int grid_y,
                                 unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                 unsigned int block_z, unsigned int shared_bytes,
                                 hipStream_t stream, void **arguments, void **extra) {
    if (!stream || extra) return hipErrorInvalidValue;
    FILE *log = lock_log();
    fprintf(log, "launch %s %u %u %u %u %u %u %u", function->name, grid_x, grid_y, grid_z, block_x,
            block_y, block_z, shared_bytes);
    for (int i = 0; i < function->count; i++) {
        if (function->sizes[i] == 8)
            print_address(log, *(void **)arguments[i]);
        else
            fprintf(log, " %u", *(uint32_t *)arguments[i]);
    }
    unlock_log(log);
    return hipSuccess;
}
