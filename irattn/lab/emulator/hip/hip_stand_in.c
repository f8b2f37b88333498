// A stand-in for libamdhip64.so: what IREE's hip driver needs of it, on host memory, with kernels
// handed to a function of the process that loads it.
//
// Everything is done when it is called, so that a stream has nothing to keep in order and an event
// has always happened. Only what is captured on a stream waits until its graph is launched; what a
// capture does not allow is refused, and ends it, as AMD's library has it. Memory that a program may use is a table of ranges: what a copy, a fill or a
// kernel touches must lie in one of them. Fresh device memory is all ones, a NaN in every float
// format, so that what is read before it is written shows.
//
// The driver looks all these functions up when it is created and calls few of them; one that is
// not there for it says so once, on stderr.

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

// From hip_runtime_api.h: hipError_t, hipDeviceAttribute_t, hipFuncAttribute, hipMemcpyKind.
enum {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  INVALID_DEVICE = 101,
  INVALID_IMAGE = 200,
  INVALID_CONTEXT = 201,
  NO_BINARY_FOR_GPU = 209,
  NOT_FOUND = 500,
  ILLEGAL_ADDRESS = 700,
  NOT_REGISTERED = 713,
  LAUNCH_FAILURE = 719,
  NOT_SUPPORTED = 801,
  CAPTURE_UNSUPPORTED = 900,
  CAPTURE_INVALIDATED = 901,
};
enum {
  CONCURRENT_MANAGED_ACCESS = 9,
  MAX_BLOCK_DIM_X = 26,
  MAX_BLOCK_DIM_Y = 27,
  MAX_BLOCK_DIM_Z = 28,
  MULTIPROCESSOR_COUNT = 63,
  MAX_SHARED_MEMORY_PER_BLOCK = 74,
  WARP_SIZE = 87,
  MEMORY_POOLS_SUPPORTED = 88,
};
enum { FUNC_SHARED_SIZE_BYTES = 1 };
enum { HOST_TO_HOST, HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE };

// hipDeviceProp_tR0000 of hip_deprecated.h, which the driver asks for.
typedef struct {
  char name[256];
  size_t total_global_mem, shared_mem_per_block;
  int regs_per_block, warp_size, max_threads_per_block, max_threads_dim[3], max_grid_size[3];
  int clock_rate, memory_clock_rate, memory_bus_width;
  size_t total_const_mem;
  int major, minor, multi_processor_count, l2_cache_size, max_threads_per_multi_processor;
  int compute_mode, clock_instruction_rate;
  unsigned int arch;
  int concurrent_kernels, pci_domain_id, pci_bus_id, pci_device_id;
  size_t max_shared_memory_per_multi_processor;
  int is_multi_gpu_board, can_map_host_memory, gcn_arch;
  char gcn_arch_name[256];
  char rest[140];
} Properties;
_Static_assert(sizeof(Properties) == 792, "the layout is the driver's");

// ---- Messages: an error's text travels with it to the driver, which asks on the same thread.

static _Thread_local char message[4096];

static int fail(int error, const char* text) {
  snprintf(message, sizeof(message), "%s", text);
  return error;
}

static int unsupported(const char* name, int* said) {
  if (!*said) fprintf(stderr, "irattn emulator: the driver calls %s, which is not there\n", name);
  *said = 1;
  snprintf(message, sizeof(message), "%s is not there on the emulator", name);
  return NOT_SUPPORTED;
}

// ---- What the loading process gives: devices, and functions that load and launch.

typedef struct {
  char arch[64];
  int wave_size, lds_bytes;
} Device;

enum { MAX_PARAMS = 256 };
typedef struct {
  uint64_t number;
  int lds_bytes, num_params;
  int param_bytes[MAX_PARAMS];
} Function;

// Each answers with one of the errors above, and then writes a text into `problem`.
typedef int (*LoadFunction)(int device, const void* image, void** module, char* problem,
                            size_t capacity);
typedef int (*FindFunction)(void* module, const char* kernel, Function** function, char* problem,
                            size_t capacity);
typedef int (*LaunchFunction)(const Function* function, const uint32_t* grid, const uint32_t* block,
                              uint32_t lds_bytes, void** params, const void* packed,
                              size_t packed_bytes, char* problem, size_t capacity);
typedef void (*UnloadFunction)(void* module);
#define GONE fail(NOT_SUPPORTED, "the process of the emulator is ending")

enum { MAX_DEVICES = 64 };
static Device devices[MAX_DEVICES];
static int num_devices;
static LoadFunction load_module;
static FindFunction find_function;
static LaunchFunction launch_kernel;
static UnloadFunction unload_module;

EXPORT int irattn_hip_add_device(const char* arch, int wave_size, int lds_bytes) {
  if (num_devices == MAX_DEVICES) return -1;
  Device* device = &devices[num_devices];
  snprintf(device->arch, sizeof(device->arch), "%s", arch);
  device->wave_size = wave_size;
  device->lds_bytes = lds_bytes;
  return num_devices++;
}

EXPORT void irattn_hip_set_functions(LoadFunction load, FindFunction find, LaunchFunction launch,
                                     UnloadFunction unload) {
  load_module = load;
  find_function = find;
  launch_kernel = launch;
  unload_module = unload;
}

// ---- Captures: what is launched on a stream while it is captured is kept for the graph's launches.

typedef struct Node {
  struct Node* next;
  int (*run)(const struct Node* node);
  void *target, *params[MAX_PARAMS];
  const void* source;
  size_t sizes[4];
  const Function* function;
  uint32_t grid[3], block[3], lds_bytes;
  uint64_t values[MAX_PARAMS];
} Node;
typedef struct {
  Node *first, *last;
} Graph;

enum { NO_CAPTURE, CAPTURING, INVALIDATED };
static pthread_mutex_t capture_lock = PTHREAD_MUTEX_INITIALIZER;
static void* captured_stream;
static Graph* captured_graph;
static int capture_status;

// What no thread may do while anything is captured: it would be no part of the graph.
static int forbidden(const char* what) {
  pthread_mutex_lock(&capture_lock);
  int refused = capture_status != NO_CAPTURE;
  if (refused) capture_status = INVALIDATED;
  pthread_mutex_unlock(&capture_lock);
  if (!refused) return SUCCESS;
  snprintf(message, sizeof(message), "%s while a stream is captured", what);
  return CAPTURE_UNSUPPORTED;
}

// Run what a node says, or keep it for the graph that its stream is captured into.
static int now_or_later(const Node* node, void* stream) {
  pthread_mutex_lock(&capture_lock);
  int later = capture_status != NO_CAPTURE && stream == captured_stream;
  int invalid = later && capture_status == INVALIDATED;
  if (later && !invalid) {
    Node* kept = malloc(sizeof(Node));
    *kept = *node;
    kept->next = NULL;
    for (int i = 0; i < MAX_PARAMS; ++i) kept->params[i] = &kept->values[i];
    *(captured_graph->last ? &captured_graph->last->next : &captured_graph->first) = kept;
    captured_graph->last = kept;
  }
  pthread_mutex_unlock(&capture_lock);
  if (invalid) return fail(CAPTURE_INVALIDATED, "the capture is no longer valid");
  return later ? SUCCESS : node->run(node);
}

EXPORT int hipStreamIsCapturing(void* stream, int* status) {
  pthread_mutex_lock(&capture_lock);
  *status = stream == captured_stream ? capture_status : NO_CAPTURE;
  pthread_mutex_unlock(&capture_lock);
  return SUCCESS;
}
EXPORT int hipStreamBeginCapture(void* stream, int mode) {
  if (!stream) return fail(CAPTURE_UNSUPPORTED, "the default stream is not captured");
  pthread_mutex_lock(&capture_lock);
  int busy = capture_status != NO_CAPTURE;
  if (!busy) {
    captured_stream = stream;
    captured_graph = calloc(1, sizeof(Graph));
    capture_status = CAPTURING;
  }
  pthread_mutex_unlock(&capture_lock);
  return busy ? fail(INVALID_VALUE, "a stream is captured already") : SUCCESS;
}
EXPORT int hipGraphDestroy(Graph* graph) {
  while (graph && graph->first) {
    Node* next = graph->first->next;
    free(graph->first);
    graph->first = next;
  }
  free(graph);
  return SUCCESS;
}
EXPORT int hipStreamEndCapture(void* stream, Graph** graph) {
  pthread_mutex_lock(&capture_lock);
  int status = capture_status;
  *graph = captured_graph;
  captured_stream = NULL;
  captured_graph = NULL;
  capture_status = NO_CAPTURE;
  pthread_mutex_unlock(&capture_lock);
  if (status == CAPTURING) return SUCCESS;
  hipGraphDestroy(*graph);
  *graph = NULL;
  return fail(CAPTURE_INVALIDATED, "the capture is no longer valid");
}
EXPORT int hipGraphInstantiate(Graph** made, Graph* graph, void* node, char* log, size_t bytes) {
  *made = graph;
  return SUCCESS;
}
EXPORT int hipGraphExecDestroy(Graph* graph) { return SUCCESS; }
EXPORT int hipGraphLaunch(const Graph* graph, void* stream) {
  int error = SUCCESS;
  for (const Node* node = graph->first; node && error == SUCCESS; node = node->next)
    error = node->run(node);
  return error;
}

// ---- Memory.

enum { ALIGNMENT = 256 };

typedef struct {
  uintptr_t start;
  size_t bytes;
  int owned;
} Range;

static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static Range* ranges;
static size_t num_ranges, ranges_capacity;

static int add_range(void* start, size_t bytes, int owned) {
  pthread_mutex_lock(&memory_lock);
  if (num_ranges == ranges_capacity) {
    size_t capacity = ranges_capacity ? 2 * ranges_capacity : 64;
    Range* grown = realloc(ranges, capacity * sizeof(Range));
    if (!grown) {
      pthread_mutex_unlock(&memory_lock);
      return OUT_OF_MEMORY;
    }
    ranges = grown;
    ranges_capacity = capacity;
  }
  ranges[num_ranges++] = (Range){(uintptr_t)start, bytes, owned};
  pthread_mutex_unlock(&memory_lock);
  return SUCCESS;
}

static int remove_range(void* start, int owned) {
  int result = NOT_REGISTERED;
  pthread_mutex_lock(&memory_lock);
  for (size_t i = 0; i < num_ranges; ++i) {
    if (ranges[i].start == (uintptr_t)start && ranges[i].owned == owned) {
      ranges[i] = ranges[--num_ranges];
      result = SUCCESS;
      break;
    }
  }
  pthread_mutex_unlock(&memory_lock);
  return result;
}

static int check(const void* start, size_t bytes, const char* what) {
  uintptr_t first = (uintptr_t)start;
  int inside = bytes == 0;
  pthread_mutex_lock(&memory_lock);
  for (size_t i = 0; i < num_ranges && !inside; ++i) {
    const Range* range = &ranges[i];
    inside = first >= range->start && first - range->start <= range->bytes &&
             bytes <= range->bytes - (first - range->start);
  }
  pthread_mutex_unlock(&memory_lock);
  if (inside) return SUCCESS;
  snprintf(message, sizeof(message), "%s, %zu bytes at 0x%zx, is outside of all allocations", what,
           bytes, (size_t)first);
  return ILLEGAL_ADDRESS;
}

// How many ranges there are; the first `capacity` of them are written.
EXPORT size_t irattn_hip_ranges(size_t capacity, uint64_t* starts, uint64_t* sizes) {
  pthread_mutex_lock(&memory_lock);
  size_t count = num_ranges;
  for (size_t i = 0; i < count && i < capacity; ++i) {
    starts[i] = ranges[i].start;
    sizes[i] = ranges[i].bytes;
  }
  pthread_mutex_unlock(&memory_lock);
  return count;
}

static int allocate(void** pointer, size_t bytes) {
  *pointer = NULL;
  int refused = forbidden("memory is allocated");
  if (refused != SUCCESS) return refused;
  size_t padded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void* start = padded < bytes ? NULL : aligned_alloc(ALIGNMENT, padded ? padded : ALIGNMENT);
  if (!start || add_range(start, bytes, 1) != SUCCESS) {
    free(start);
    snprintf(message, sizeof(message), "no memory for %zu bytes", bytes);
    return OUT_OF_MEMORY;
  }
  *pointer = start;
  return SUCCESS;
}

static int allocate_device(void** pointer, size_t bytes) {
  int error = allocate(pointer, bytes);
  if (error == SUCCESS) memset(*pointer, 0xFF, bytes);
  return error;
}

static int release(void* pointer) {
  if (!pointer) return SUCCESS;
  int refused = forbidden("memory is freed");
  if (refused != SUCCESS) return refused;
  if (remove_range(pointer, 1) != SUCCESS) return fail(INVALID_VALUE, "freed what is not allocated");
  free(pointer);
  return SUCCESS;
}

static int copy(void* target, const void* source, size_t bytes, int kind) {
  int error = SUCCESS;
  if (kind == HOST_TO_DEVICE || kind == DEVICE_TO_DEVICE) error = check(target, bytes, "the target of a copy");
  if (error == SUCCESS && (kind == DEVICE_TO_HOST || kind == DEVICE_TO_DEVICE))
    error = check(source, bytes, "the source of a copy");
  if (error == SUCCESS) memmove(target, source, bytes);
  return error;
}

static int fill(void* target, const void* pattern, size_t width, size_t count) {
  int error = check(target, width * count, "a fill");
  for (size_t i = 0; error == SUCCESS && i < count; ++i)
    memcpy((char*)target + i * width, pattern, width);
  return error;
}

static int run_copy(const Node* node) {
  int error = SUCCESS;
  for (size_t row = 0; row < node->sizes[3] && error == SUCCESS; ++row)
    error = copy((char*)node->target + row * node->sizes[1],
                 (const char*)node->source + row * node->sizes[2], node->sizes[0],
                 DEVICE_TO_DEVICE);
  return error;
}
static int run_fill(const Node* node) {
  return fill(node->target, node->values, node->sizes[0], node->sizes[1]);
}
static int fill_on(void* target, uint64_t pattern, size_t width, size_t count, void* stream) {
  Node node = {.run = run_fill, .target = target, .sizes = {width, count}, .values = {pattern}};
  return now_or_later(&node, stream);
}
static int copy_on(void* target, const void* source, size_t bytes, int kind, void* stream) {
  Node node = {.run = run_copy, .target = target, .source = source, .sizes = {bytes, 0, 0, 1}};
  if (kind == DEVICE_TO_DEVICE) return now_or_later(&node, stream);
  int refused = forbidden("memory of the host is copied");
  return refused == SUCCESS ? copy(target, source, bytes, kind) : refused;
}

EXPORT int hipMalloc(void** p, size_t bytes) { return allocate_device(p, bytes); }
EXPORT int hipMallocManaged(void** p, size_t bytes, unsigned flags) { return allocate(p, bytes); }
EXPORT int hipMallocAsync(void** p, size_t bytes, void* stream) { return allocate_device(p, bytes); }
EXPORT int hipMallocFromPoolAsync(void** p, size_t bytes, void* pool, void* stream) {
  return allocate_device(p, bytes);
}
EXPORT int hipHostMalloc(void** p, size_t bytes, unsigned flags) { return allocate(p, bytes); }
EXPORT int hipFree(void* p) { return release(p); }
EXPORT int hipFreeAsync(void* p, void* stream) { return release(p); }
EXPORT int hipHostFree(void* p) { return release(p); }
EXPORT int hipHostRegister(void* p, size_t bytes, unsigned flags) { return add_range(p, bytes, 0); }
EXPORT int hipHostUnregister(void* p) { return remove_range(p, 0); }
EXPORT int hipHostGetDevicePointer(void** device, void* host, unsigned flags) {
  *device = host;
  return SUCCESS;
}
EXPORT int hipMemPrefetchAsync(const void* p, size_t bytes, int device, void* stream) {
  return check(p, bytes, "a prefetch");
}
EXPORT int hipMemcpy(void* target, const void* source, size_t bytes, int kind) {
  return copy(target, source, bytes, kind);
}
EXPORT int hipMemcpyAsync(void* target, const void* source, size_t bytes, int kind, void* stream) {
  return copy_on(target, source, bytes, kind, stream);
}
EXPORT int hipMemcpyHtoDAsync(void* target, void* source, size_t bytes, void* stream) {
  return copy_on(target, source, bytes, HOST_TO_DEVICE, stream);
}
EXPORT int hipMemcpyDtoHAsync(void* target, void* source, size_t bytes, void* stream) {
  return copy_on(target, source, bytes, DEVICE_TO_HOST, stream);
}
EXPORT int hipMemcpyDtoDAsync(void* target, void* source, size_t bytes, void* stream) {
  return copy_on(target, source, bytes, DEVICE_TO_DEVICE, stream);
}
EXPORT int hipMemcpy2DAsync(void* target, size_t target_pitch, const void* source,
                            size_t source_pitch, size_t width, size_t rows, int kind,
                            void* stream) {
  if (kind != DEVICE_TO_DEVICE) return fail(NOT_SUPPORTED, "rows are copied on the device only");
  if (width > target_pitch || width > source_pitch)
    return fail(INVALID_VALUE, "rows are longer than their pitch");
  Node node = {.run = run_copy, .target = target, .source = source,
               .sizes = {width, target_pitch, source_pitch, rows}};
  return now_or_later(&node, stream);
}
EXPORT int hipMemset(void* target, int value, size_t bytes) {
  return fill(target, &(uint8_t){(uint8_t)value}, 1, bytes);
}
EXPORT int hipMemsetAsync(void* target, int value, size_t bytes, void* stream) {
  return fill_on(target, (uint8_t)value, 1, bytes, stream);
}
EXPORT int hipMemsetD8Async(void* target, unsigned char value, size_t count, void* stream) {
  return fill_on(target, value, 1, count, stream);
}
EXPORT int hipMemsetD16Async(void* target, unsigned short value, size_t count, void* stream) {
  return fill_on(target, value, 2, count, stream);
}
EXPORT int hipMemsetD32Async(void* target, int value, size_t count, void* stream) {
  return fill_on(target, (uint32_t)value, 4, count, stream);
}

// A handle that stands for nothing but itself.
static int make_handle(void** handle) {
  *handle = malloc(1);
  return *handle ? SUCCESS : OUT_OF_MEMORY;
}
static int free_handle(void* handle) {
  free(handle);
  return SUCCESS;
}

EXPORT int hipMemPoolCreate(void** pool, const void* properties) { return make_handle(pool); }
EXPORT int hipMemPoolDestroy(void* pool) { return free_handle(pool); }
EXPORT int hipMemPoolSetAttribute(void* pool, int attribute, void* value) { return SUCCESS; }
EXPORT int hipMemPoolTrimTo(void* pool, size_t bytes) { return SUCCESS; }

// ---- Devices and contexts. The context of a device is the device.

enum { MAX_CONTEXTS = 64 };
static _Thread_local void* contexts[MAX_CONTEXTS];
static _Thread_local int num_contexts;

static int device_of(int ordinal, const Device** device) {
  if (ordinal < 0 || ordinal >= num_devices) return fail(INVALID_DEVICE, "no such device");
  *device = &devices[ordinal];
  return SUCCESS;
}

EXPORT int hipInit(unsigned flags) { return SUCCESS; }
EXPORT int hipGetDeviceCount(int* count) {
  *count = num_devices;
  return SUCCESS;
}
EXPORT int hipDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  const Device* found;
  return device_of(ordinal, &found);
}
EXPORT int hipDeviceGetName(char* name, int capacity, int ordinal) {
  const Device* device;
  int error = device_of(ordinal, &device);
  if (error == SUCCESS) snprintf(name, capacity, "%s emulated by irattn", device->arch);
  return error;
}
EXPORT int hipDeviceGetUuid(char* uuid, int ordinal) {
  const Device* device;
  int error = device_of(ordinal, &device);
  memset(uuid, 0, 16);
  if (error == SUCCESS) snprintf(uuid, 16, "irattn %s", device->arch);
  return error;
}
EXPORT int hipDeviceGetAttribute(int* value, int attribute, int ordinal) {
  const Device* device;
  int error = device_of(ordinal, &device);
  if (error != SUCCESS) return error;
  switch (attribute) {
    case CONCURRENT_MANAGED_ACCESS:
    case MEMORY_POOLS_SUPPORTED:
    case MULTIPROCESSOR_COUNT:
      *value = 1;
      return SUCCESS;
    case MAX_BLOCK_DIM_X:
    case MAX_BLOCK_DIM_Y:
    case MAX_BLOCK_DIM_Z:
      *value = 1024;
      return SUCCESS;
    case MAX_SHARED_MEMORY_PER_BLOCK:
      *value = device->lds_bytes;
      return SUCCESS;
    case WARP_SIZE:
      *value = device->wave_size;
      return SUCCESS;
  }
  snprintf(message, sizeof(message), "the emulator does not know device attribute %d", attribute);
  return INVALID_VALUE;
}
EXPORT int hipGetDeviceProperties(Properties* properties, int ordinal) {
  const Device* device;
  int error = device_of(ordinal, &device);
  if (error != SUCCESS) return error;
  memset(properties, 0, sizeof(*properties));
  snprintf(properties->name, sizeof(properties->name), "%s emulated by irattn", device->arch);
  snprintf(properties->gcn_arch_name, sizeof(properties->gcn_arch_name), "%s", device->arch);
  properties->total_global_mem = (size_t)16 << 30;
  properties->shared_mem_per_block = device->lds_bytes;
  properties->max_shared_memory_per_multi_processor = device->lds_bytes;
  properties->warp_size = device->wave_size;
  properties->max_threads_per_block = 1024;
  properties->multi_processor_count = 1;
  for (int i = 0; i < 3; ++i) {
    properties->max_threads_dim[i] = 1024;
    properties->max_grid_size[i] = INT32_MAX;
  }
  return SUCCESS;
}
EXPORT int hipDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = 0;
  return SUCCESS;
}
EXPORT int hipDevicePrimaryCtxRetain(void** context, int ordinal) {
  return device_of(ordinal, (const Device**)context);
}
EXPORT int hipDevicePrimaryCtxRelease(int ordinal) { return SUCCESS; }
EXPORT int hipCtxGetCurrent(void** context) {
  *context = num_contexts ? contexts[num_contexts - 1] : NULL;
  return SUCCESS;
}
EXPORT int hipCtxPushCurrent(void* context) {
  if (num_contexts == MAX_CONTEXTS) return fail(INVALID_CONTEXT, "too many contexts are pushed");
  contexts[num_contexts++] = context;
  return SUCCESS;
}
EXPORT int hipCtxPopCurrent(void** context) {
  if (!num_contexts) return fail(INVALID_CONTEXT, "there is no context to pop");
  --num_contexts;
  if (context) *context = contexts[num_contexts];
  return SUCCESS;
}
EXPORT int hipCtxSetCurrent(void* context) {
  if (!num_contexts) return hipCtxPushCurrent(context);
  contexts[num_contexts - 1] = context;
  return SUCCESS;
}

EXPORT int hipGetDevice(int* ordinal) {
  *ordinal = num_contexts ? (int)((Device*)contexts[num_contexts - 1] - devices) : 0;
  return SUCCESS;
}
EXPORT int hipSetDevice(int ordinal) {
  const Device* device;
  int error = device_of(ordinal, &device);
  return error == SUCCESS ? hipCtxSetCurrent((void*)device) : error;
}

// ---- Streams and events.

EXPORT int hipStreamCreateWithFlags(void** stream, unsigned flags) { return make_handle(stream); }
EXPORT int hipStreamDestroy(void* stream) { return free_handle(stream); }
EXPORT int hipStreamSynchronize(void* stream) { return forbidden("a stream is waited for"); }
EXPORT int hipStreamWaitEvent(void* stream, void* event, unsigned flags) { return SUCCESS; }
EXPORT int hipLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  function(data);
  return SUCCESS;
}
EXPORT int hipEventCreate(void** event) { return make_handle(event); }
EXPORT int hipEventCreateWithFlags(void** event, unsigned flags) { return make_handle(event); }
EXPORT int hipEventDestroy(void* event) { return free_handle(event); }
EXPORT int hipEventQuery(void* event) { return SUCCESS; }
EXPORT int hipEventRecord(void* event, void* stream) { return SUCCESS; }
EXPORT int hipEventSynchronize(void* event) { return SUCCESS; }

// ---- Code.

EXPORT int hipModuleLoadDataEx(void** module, const void* image, unsigned num_options,
                               int* options, void** values) {
  if (!load_module) return GONE;
  int ordinal, refused = forbidden("a module is loaded");
  if (refused != SUCCESS) return refused;
  hipGetDevice(&ordinal);
  return load_module(ordinal, image, module, message, sizeof(message));
}
EXPORT int hipModuleLoadData(void** module, const void* image) {
  return hipModuleLoadDataEx(module, image, 0, NULL, NULL);
}
EXPORT int hipModuleUnload(void* module) {
  if (unload_module) unload_module(module);
  return SUCCESS;
}
EXPORT int hipModuleGetFunction(Function** function, void* module, const char* name) {
  if (!find_function) return GONE;
  return find_function(module, name, function, message, sizeof(message));
}
EXPORT int hipFuncGetAttribute(int* value, int attribute, const Function* function) {
  if (attribute != FUNC_SHARED_SIZE_BYTES)
    return fail(INVALID_VALUE, "the emulator does not know this function attribute");
  *value = function->lds_bytes;
  return SUCCESS;
}
EXPORT int hipFuncSetAttribute(const void* function, int attribute, int value) { return SUCCESS; }
static int run_launch(const Node* node) {
  if (!launch_kernel) return GONE;
  return launch_kernel(node->function, node->grid, node->block, node->lds_bytes,
                       (void**)node->params, NULL, 0, message, sizeof(message));
}
EXPORT int hipModuleLaunchKernel(const Function* function, unsigned gx, unsigned gy, unsigned gz,
                                 unsigned bx, unsigned by, unsigned bz, unsigned lds_bytes,
                                 void* stream, void** params, void** extra) {
  const void* packed = NULL;
  size_t packed_bytes = 0;
  // HIP_LAUNCH_PARAM_BUFFER_POINTER, HIP_LAUNCH_PARAM_BUFFER_SIZE, HIP_LAUNCH_PARAM_END.
  for (; extra && *extra != (void*)3; extra += 2) {
    if (*extra == (void*)1) packed = extra[1];
    if (*extra == (void*)2) packed_bytes = *(size_t*)extra[1];
  }
  uint32_t grid[3] = {gx, gy, gz}, block[3] = {bx, by, bz};
  if (!launch_kernel) return GONE;
  if (packed)
    return launch_kernel(function, grid, block, lds_bytes, params, packed, packed_bytes, message,
                         sizeof(message));
  Node node = {.run = run_launch, .function = function, .grid = {gx, gy, gz},
               .block = {bx, by, bz}, .lds_bytes = lds_bytes};
  // The caller's arguments are its own again when this returns.
  for (int i = 0; i < function->num_params; ++i) {
    memcpy(&node.values[i], params[i], function->param_bytes[i]);
    node.params[i] = &node.values[i];
  }
  return now_or_later(&node, stream);
}

// ---- Errors.

EXPORT const char* hipGetErrorName(int error) {
  switch (error) {
    case SUCCESS: return "hipSuccess";
    case INVALID_VALUE: return "hipErrorInvalidValue";
    case OUT_OF_MEMORY: return "hipErrorOutOfMemory";
    case INVALID_DEVICE: return "hipErrorInvalidDevice";
    case INVALID_IMAGE: return "hipErrorInvalidImage";
    case INVALID_CONTEXT: return "hipErrorInvalidContext";
    case NO_BINARY_FOR_GPU: return "hipErrorNoBinaryForGpu";
    case NOT_FOUND: return "hipErrorNotFound";
    case ILLEGAL_ADDRESS: return "hipErrorIllegalAddress";
    case NOT_REGISTERED: return "hipErrorHostMemoryNotRegistered";
    case LAUNCH_FAILURE: return "hipErrorLaunchFailure";
    case NOT_SUPPORTED: return "hipErrorNotSupported";
    case CAPTURE_UNSUPPORTED: return "hipErrorStreamCaptureUnsupported";
    case CAPTURE_INVALIDATED: return "hipErrorStreamCaptureInvalidated";
  }
  return "hipErrorUnknown";
}
EXPORT const char* hipGetErrorString(int error) { return message; }
EXPORT int hipGetLastError(void) { return SUCCESS; }

// ---- What the driver looks up and does not call on this path: nodes, peers, globals, timing.

#define NOT_THERE(name)              \
  EXPORT int name(void) {            \
    static int said;                 \
    return unsupported(#name, &said); \
  }
NOT_THERE(hipDeviceEnablePeerAccess)
NOT_THERE(hipDrvGraphAddMemcpyNode)
NOT_THERE(hipEventElapsedTime)
NOT_THERE(hipGraphAddEmptyNode)
NOT_THERE(hipGraphAddEventRecordNode)
NOT_THERE(hipGraphAddKernelNode)
NOT_THERE(hipGraphAddMemsetNode)
NOT_THERE(hipGraphCreate)
NOT_THERE(hipLaunchKernel)
NOT_THERE(hipMemPoolGetAttribute)
NOT_THERE(hipModuleGetGlobal)
