// A library with the functions of NVIDIA's driver that threadscape-kernels uses, for tests without a GPU. Its memory is
// that of the host. It has one kernel, scaled(Image in, Image out, int factor), which multiplies bytes by a factor, and
// a variable in constant memory, bias, which it adds. FAKE_DRIVER_FAILS names a function that returns 700.

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using Pointer = unsigned long long;

struct Image {
  unsigned char* data;
  int width, height;
  long pitch;
};

std::array<float, 4> bias{};

int result_of(const char* name) {
  const char* fails = std::getenv("FAKE_DRIVER_FAILS");
  return fails != nullptr && std::strcmp(fails, name) == 0 ? 700 : 0;
}

}  // namespace

extern "C" {

int cuGetErrorName(int code, const char** name) {
  *name = code == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER";
  return 0;
}
int cuInit(unsigned) {
  return result_of("cuInit");
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}
int cuDeviceGetName(char* name, int length, int) {
  std::snprintf(name, static_cast<std::size_t>(length), "Fake GPU");
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? 8 : 6;  // The compute capability is 8.6.
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = &bias;
  return 0;
}
int cuCtxSetCurrent(void*) {
  return 0;
}
int cuCtxSynchronize() {
  return result_of("cuCtxSynchronize");
}
int cuMemAlloc_v2(Pointer* memory, std::size_t bytes) {
  *memory = reinterpret_cast<Pointer>(std::malloc(bytes));
  return result_of("cuMemAlloc_v2");
}
int cuMemcpyHtoD_v2(Pointer to, const void* from, std::size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void* to, Pointer from, std::size_t bytes) {
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return 0;
}
int cuMemcpyDtoD_v2(Pointer to, Pointer from, std::size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  return 0;
}
int cuModuleLoadData(void** module, const void* code) {
  *module = &bias;
  return std::strstr(static_cast<const char*>(code), ".entry scaled") != nullptr ? 0 : 218;
}
int cuModuleGetFunction(void** kernel, void*, const char* name) {
  *kernel = &bias;
  return std::strcmp(name, "scaled") == 0 ? 0 : 500;
}
int cuModuleGetGlobal_v2(Pointer* at, std::size_t* bytes, void*, const char* name) {
  *at = reinterpret_cast<Pointer>(bias.data());
  *bytes = sizeof bias;
  return std::strcmp(name, "bias") == 0 ? 0 : 500;
}
int cuFuncSetAttribute(void*, int, int) {
  return 0;
}
int cuEventCreate(void** event, unsigned) {
  *event = &bias;
  return 0;
}
int cuEventRecord(void*, void*) {
  return 0;
}
int cuEventSynchronize(void*) {
  return 0;
}
int cuEventElapsedTime(float* ms, void*, void*) {
  *ms = 0.25f;
  return 0;
}
int cuLaunchKernel(void*, unsigned gx, unsigned gy, unsigned, unsigned bx, unsigned by, unsigned, unsigned, void*,
                   void** arguments, void**) {
  if (std::getenv("FAKE_DRIVER_HANGS") != nullptr)
    for (;;)
      pause();
  const Image in = *static_cast<Image*>(arguments[0]), out = *static_cast<Image*>(arguments[1]);
  const int factor = *static_cast<int*>(arguments[2]);
  for (unsigned y = 0; y < gy * by && y < static_cast<unsigned>(out.height); ++y)
    for (unsigned x = 0; x < gx * bx && x < static_cast<unsigned>(out.width); ++x)
      out.data[y * out.pitch + x] = static_cast<unsigned char>(in.data[y * in.pitch + x] * factor + bias[0]);
  return result_of("cuLaunchKernel");
}

}  // extern "C"
