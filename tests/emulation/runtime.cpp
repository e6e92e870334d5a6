// The scheduler of the fibers, and the functions of the CUDA runtime. Operations on streams are executed immediately.
#include "tests/emulation/device.h"
#undef warpSize  // It is a member of cudaDeviceProp as well.

#include <sys/mman.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace emu {
uint3 thread_idx{}, block_idx{};
dim3 block_dim, grid_dim;

namespace {
enum class State { ready, barrier, warp, done };
struct Fiber {
  void* sp = nullptr;
  char* stack = nullptr;
  State state = State::done;
  unsigned mask = 0;
  unsigned parity = 0;
  uint3 index{};
};
constexpr std::size_t stack_bytes = 256 * 1024;
std::vector<Fiber> fibers;
std::uint64_t slots[2][32][32];
Fiber* current = nullptr;
unsigned current_number = 0;
void* scheduler_sp = nullptr;
const std::function<void()>* body = nullptr;
std::vector<char> shared_memory;
int count_sum[2];
unsigned count_phase = 0;

extern "C" void emu_switch(void** save, void* load);
asm(R"(
.globl emu_switch
emu_switch:
  push %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  mov %rsp, (%rdi)
  mov %rsi, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  ret
)");

void yield(State state) {
  current->state = state;
  emu_switch(&current->sp, scheduler_sp);
}
void entry() {
  (*body)();
  yield(State::done);
  std::abort();
}
void prepare(Fiber& f) {
  if (!f.stack) {
    f.stack = static_cast<char*>(
        mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (f.stack == MAP_FAILED) std::abort();
  }
  auto* top = reinterpret_cast<void**>(f.stack + stack_bytes - 64);
  top = reinterpret_cast<void**>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15});
  *--top = nullptr;  // entry() expects the stack alignment that a call leaves.
  *--top = reinterpret_cast<void*>(&entry);
  for (int i = 0; i < 6; ++i)
    *--top = nullptr;
  f.sp = top;
  f.state = State::ready;
  f.parity = 0;
}
void resume(unsigned i) {
  current = &fibers[i];
  current_number = i;
  thread_idx = current->index;
  current->state = State::ready;
  emu_switch(&scheduler_sp, current->sp);
}
int order() {
  static const int o = [] {
    const char* e = std::getenv("EMU_ORDER");
    return !e ? 0 : e[0] == 'r' && e[1] == 'e' ? 1 : 2;
  }();
  return o;
}
}  // namespace

unsigned lane() {
  return current_number % 32;
}
void* dynamic_shared() {
  return shared_memory.data();
}
void unsupported(const char* what) {
  std::fprintf(stderr, "emu: %s is not supported\n", what);
  std::abort();
}
void sync_block() {
  yield(State::barrier);
}
int sync_block_count(int p) {
  const unsigned phase = count_phase & 1;
  count_sum[phase] += p;
  yield(State::barrier);
  return count_sum[phase];
}
void sync_warp(unsigned mask) {
  current->mask = mask;
  yield(State::warp);
}
const std::uint64_t* exchange(unsigned mask, std::uint64_t v) {
  const unsigned warp = current_number / 32, parity = current->parity++ & 1;
  if (!(mask >> lane() & 1)) {
    std::fprintf(stderr, "emu: a lane calls a warp function whose mask leaves it out\n");
    std::abort();
  }
  slots[parity][warp][lane()] = v;
  sync_warp(mask);
  return slots[parity][warp];
}

void launch(dim3 grid, dim3 block, std::size_t shared, const std::function<void()>& thread) {
  const unsigned n = block.x * block.y * block.z;
  if (n == 0 || n > 1024 || grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.y > 65535 || grid.z > 65535 ||
      shared > 227 * 1024) {
    std::fprintf(stderr, "emu: launch of grid %u %u %u, block %u %u %u, shared %zu\n", grid.x, grid.y, grid.z, block.x,
                 block.y, block.z, shared);
    std::abort();
  }
  if (fibers.size() < n) fibers.resize(1024);
  if (shared_memory.size() < shared + 64) shared_memory.resize(shared + 64);
  body = &thread;
  block_dim = block;
  grid_dim = grid;
  std::vector<unsigned> sequence(n);
  for (unsigned i = 0; i < n; ++i)
    sequence[i] = i;
  static std::mt19937 random(1);
  if (order() == 1) std::reverse(sequence.begin(), sequence.end());
  for (unsigned bz = 0; bz < grid.z; ++bz)
    for (unsigned by = 0; by < grid.y; ++by)
      for (unsigned bx = 0; bx < grid.x; ++bx) {
        block_idx = {bx, by, bz};
        std::memset(shared_memory.data(), 0xcd, shared);
        count_phase = 0;
        count_sum[0] = count_sum[1] = 0;
        if (order() == 2) std::shuffle(sequence.begin(), sequence.end(), random);
        for (unsigned i = 0; i < n; ++i) {
          prepare(fibers[i]);
          fibers[i].index = {i % block.x, i / block.x % block.y, i / (block.x * block.y)};
        }
        while (true) {
          bool moved = false;
          for (unsigned i : sequence)
            if (fibers[i].state == State::ready) {
              resume(i);
              moved = true;
            }
          // Releases the warps of which all lanes in the mask have arrived or ended.
          for (unsigned w = 0; w < (n + 31) / 32; ++w)
            for (unsigned l = 0; l < 32 && w * 32 + l < n; ++l) {
              Fiber& f = fibers[w * 32 + l];
              if (f.state != State::warp) continue;
              bool all = true;
              for (unsigned k = 0; k < 32 && w * 32 + k < n; ++k)
                if (f.mask >> k & 1) {
                  const Fiber& g = fibers[w * 32 + k];
                  all = all && (g.state == State::done || (g.state == State::warp && g.mask == f.mask));
                }
              if (!all) continue;
              const unsigned mask = f.mask;
              for (unsigned k = 0; k < 32 && w * 32 + k < n; ++k)
                if ((mask >> k & 1) && fibers[w * 32 + k].state == State::warp) fibers[w * 32 + k].state = State::ready;
              moved = true;
            }
          if (moved) continue;
          bool any = false, only_barrier = true;
          for (unsigned i = 0; i < n; ++i) {
            any = any || fibers[i].state != State::done;
            only_barrier = only_barrier && (fibers[i].state == State::done || fibers[i].state == State::barrier);
          }
          if (!any) break;
          if (!only_barrier) {
            std::fprintf(stderr, "emu: deadlock in block %u %u %u\n", bx, by, bz);
            std::abort();
          }
          ++count_phase;
          count_sum[count_phase & 1] = 0;
          for (unsigned i = 0; i < n; ++i)
            if (fibers[i].state == State::barrier) fibers[i].state = State::ready;
        }
      }
}
}  // namespace emu

// ---- Errors that are put in: with EMU_FAIL_CALL=N and EMU_FAIL_CODE=CODE in the environment, the N-th of the calls
// that can fail from now on returns this error of cudaError_t. EMU_FAIL_CALL is the number of calls that are left, and
// is removed with the error. If EMU_FAIL_STICKY is set, too, all calls after it return the error until EMU_FAIL_CODE is
// removed. A launch counts as the call that asks for its error.
namespace {

cudaError_t injected() {
  const char* const code = std::getenv("EMU_FAIL_CODE");
  if (code == nullptr) return cudaSuccess;
  const auto error = static_cast<cudaError_t>(std::atoi(code));
  const char* const left = std::getenv("EMU_FAIL_CALL");
  if (left == nullptr) return std::getenv("EMU_FAIL_STICKY") != nullptr ? error : cudaSuccess;
  if (const int calls = std::atoi(left); calls > 1) {
    setenv("EMU_FAIL_CALL", std::to_string(calls - 1).c_str(), 1);
    return cudaSuccess;
  }
  unsetenv("EMU_FAIL_CALL");
  return error;
}

}  // namespace

#define MAY_FAIL \
  if (const cudaError_t error = injected(); error != cudaSuccess) return error

using EventTime = std::chrono::steady_clock::time_point;

// ---- Functions of the CUDA runtime.
#pragma GCC diagnostic ignored "-Wunused-parameter"
extern "C" {
cudaError_t cudaGetDeviceCount(int* n) {
  *n = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* d) {
  *d = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) {
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* v) {
  *v = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* v) {
  *v = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int) {
  std::memset(p, 0, sizeof(*p));
  std::strcpy(p->name, "emulator");
  p->major = 9;
  p->warpSize = 32;
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsPerMultiProcessor = 2048;
  p->multiProcessorCount = 4;
  p->totalGlobalMem = std::size_t{4} << 30;
  p->l2CacheSize = 1 << 20;
  p->sharedMemPerBlockOptin = 227 * 1024;
  p->sharedMemPerBlock = 48 * 1024;
  p->sharedMemPerMultiprocessor = 228 * 1024;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* v, cudaDeviceAttr a, int) {
  *v = a == cudaDevAttrMultiProcessorCount ? 4 : a == cudaDevAttrMaxSharedMemoryPerBlockOptin ? 227 * 1024 : 1;
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, const void*) {
  std::memset(a, 0, sizeof(*a));
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int, int) {
  *id = '\0';
  return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t) {
  return "emulated error";
}
const char* cudaGetErrorName(cudaError_t) {
  return "emulated error";
}
cudaError_t cudaGetLastError() {
  MAY_FAIL;
  return cudaSuccess;
}
cudaError_t cudaPeekAtLastError() {
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  MAY_FAIL;
  return cudaSuccess;
}
cudaError_t cudaDeviceReset() {
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* f, std::size_t* t) {
  *f = *t = std::size_t{4} << 30;
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** p, std::size_t n) {
  MAY_FAIL;
  *p = std::aligned_alloc(256, (n + 255) / 256 * 256);
  std::memset(*p, 0xa5, n);
  return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void* p) {
  std::free(p);
  return cudaSuccess;
}
cudaError_t cudaMallocHost(void** p, std::size_t n) {
  MAY_FAIL;
  *p = std::malloc(n);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* p) {
  std::free(p);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* d, const void* s, std::size_t n, cudaMemcpyKind) {
  MAY_FAIL;
  std::memmove(d, s, n);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* d, const void* s, std::size_t n, cudaMemcpyKind, cudaStream_t) {
  MAY_FAIL;
  std::memmove(d, s, n);
  return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void* d, std::size_t dp, const void* s, std::size_t sp, std::size_t w, std::size_t h,
                              cudaMemcpyKind, cudaStream_t) {
  MAY_FAIL;
  for (std::size_t y = 0; y < h; ++y)
    std::memmove(static_cast<char*>(d) + y * dp, static_cast<const char*>(s) + y * sp, w);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* d, int v, std::size_t n, cudaStream_t) {
  MAY_FAIL;
  std::memset(d, v, n);
  return cudaSuccess;
}
cudaError_t cudaMemset2DAsync(void* d, std::size_t p, int v, std::size_t w, std::size_t h, cudaStream_t) {
  MAY_FAIL;
  for (std::size_t y = 0; y < h; ++y)
    std::memset(static_cast<char*>(d) + y * p, v, w);
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) {
  MAY_FAIL;
  *s = nullptr;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  MAY_FAIL;
  return cudaSuccess;
}
// An event is the time at which it was recorded.
cudaError_t cudaEventCreate(cudaEvent_t* e) {
  MAY_FAIL;
  *e = reinterpret_cast<cudaEvent_t>(new EventTime());
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) {
  return cudaEventCreate(e);
}
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  delete reinterpret_cast<EventTime*>(e);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t) {
  MAY_FAIL;
  *reinterpret_cast<EventTime*>(e) = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
  MAY_FAIL;
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t) {
  MAY_FAIL;
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) {
  MAY_FAIL;
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* t, cudaEvent_t from, cudaEvent_t to) {
  MAY_FAIL;
  const std::chrono::duration<float, std::milli> passed =
      *reinterpret_cast<EventTime*>(to) - *reinterpret_cast<EventTime*>(from);
  *t = passed.count();
  return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                    cudaMemcpyKind, cudaStream_t) {
  MAY_FAIL;
  std::memcpy(static_cast<char*>(const_cast<void*>(symbol)) + offset, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc*, const cudaResourceViewDesc*) {
  MAY_FAIL;
  const auto texel_bytes = [](const cudaChannelFormatDesc& format) {
    return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
  };
  auto* texture = new emu::Texture{};
  if (resource->resType == cudaResourceTypeLinear) {
    const auto& linear = resource->res.linear;
    *texture = {static_cast<const char*>(linear.devPtr), linear.sizeInBytes / texel_bytes(linear.desc), 1,
                linear.sizeInBytes};
  } else {
    const auto& rows = resource->res.pitch2D;
    *texture = {static_cast<const char*>(rows.devPtr), rows.width, rows.height, rows.pitchInBytes};
  }
  *object = reinterpret_cast<cudaTextureObject_t>(texture);
  return cudaSuccess;
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  delete reinterpret_cast<emu::Texture*>(object);
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
  MAY_FAIL;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, const void*, int, std::size_t) {
  *n = 2;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* n, const void*, int, std::size_t, unsigned) {
  *n = 2;
  return cudaSuccess;
}
}
