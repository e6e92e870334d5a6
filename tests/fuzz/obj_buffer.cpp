#include "tests/fuzz/obj_buffer.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

namespace threadscape::fuzz {

namespace {

constexpr std::size_t obj_buffer_bytes = 16 << 20;
std::byte* obj_buffer = nullptr;
bool obj_buffer_taken = false;

}  // namespace

void map_obj_buffer() {
  const int file = memfd_create("obj-buffer", MFD_CLOEXEC);
  if (file < 0) return;
  const std::vector<char> lines(obj_buffer_bytes, '\n');
  if (write(file, lines.data(), lines.size()) == static_cast<ssize_t>(lines.size())) {
    void* const pages = mmap(nullptr, obj_buffer_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    if (pages != MAP_FAILED) obj_buffer = static_cast<std::byte*>(pages);
  }
  close(file);
}

}  // namespace threadscape::fuzz

// Assimp takes the buffer of an OBJ file by `new`, and fills it by memset(). All other uses of these functions do what
// the libraries do.
void* operator new(std::size_t bytes) {
  using namespace threadscape::fuzz;
  if (bytes == obj_buffer_bytes && obj_buffer != nullptr && !std::exchange(obj_buffer_taken, true)) return obj_buffer;
  if (void* const memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  // The buffer stays mapped until the end of the reader, which reads one file.
  if (memory != threadscape::fuzz::obj_buffer) std::free(memory);
}
extern "C" void* memset(void* to, int value, std::size_t bytes) noexcept {
  using namespace threadscape::fuzz;
  static const auto next = reinterpret_cast<decltype(&memset)>(dlsym(RTLD_NEXT, "memset"));
  // A vector writes its first element, and fills the rest with it.
  const bool zeros = value == 0 && bytes + 1 == obj_buffer_bytes && to == obj_buffer + 1;
  const bool lines = value == '\n' && bytes == obj_buffer_bytes && to == obj_buffer;
  if (!obj_buffer_taken || (!zeros && !lines)) return next(to, value, bytes);
  if (lines) *obj_buffer = std::byte{'\n'};
  return to;
}
