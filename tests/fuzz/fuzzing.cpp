#include "tests/fuzz/fuzzing.h"

#include <malloc.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "compute/core/errors.h"

#if defined(__SANITIZE_ADDRESS__)
#define FUZZ_FILLS_BY_HOOK 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FUZZ_FILLS_BY_HOOK 1
#endif
#endif
#ifdef FUZZ_FILLS_BY_HOOK
/// Calls two functions at each allocation and release; 0 = no more pairs can be installed. The runtimes of GCC and of
/// Clang both have this function, but only Clang comes with <sanitizer/allocator_interface.h>, which declares it.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void* block,
                                                                           std::size_t bytes),
                                                         void (*released)(const volatile void* block));
#endif

namespace threadscape::fuzz {

namespace {

namespace fs = std::filesystem;

/// A folder that is removed when the process ends.
class ScratchFolder {
 public:
  ScratchFolder() : path_(fs::temp_directory_path() / ("threadscape-fuzz-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Compares `count` numbers of type T at two addresses, which need not be aligned.
template <class T>
bool equal_numbers(const std::byte* a, const std::byte* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T x, y;
    std::memcpy(&x, a + i * sizeof(T), sizeof(T));
    std::memcpy(&y, b + i * sizeof(T), sizeof(T));
    if (!(x == y || (std::isnan(x) && std::isnan(y)))) return false;
  }
  return true;
}

unsigned char fill = 0;  ///< The contents of fresh memory; 0 = whatever it holds.

#ifdef FUZZ_FILLS_BY_HOOK
/// Fills a block that was allocated. Larger blocks may be ones of calloc(), which are zero already.
void fill_block(const volatile void* block, std::size_t bytes) {
  constexpr std::size_t most = 1 << 16;
  if (fill != 0 && bytes <= most) std::memset(const_cast<void*>(block), fill, bytes);
}
void fill_memory() {
  static const int installed = __sanitizer_install_malloc_and_free_hooks(fill_block, [](const volatile void*) {});
  expect(installed != 0, "the sanitizer takes no more hooks");
}
#else
void fill_memory() {
  mallopt(M_PERTURB, fill);
}
#endif

/// Fills the part of the stack that the next function will use.
__attribute__((noinline)) void fill_stack() {
  volatile unsigned char bytes[1 << 15];
  for (volatile unsigned char& byte : bytes)
    byte = fill;
}

struct Outcome {
  bool accepted = false;
  std::uint64_t results = 14695981039346656037u;  ///< The noted bytes as FNV-1a.
};
Outcome outcome;

void note_bytes(const void* data, std::size_t bytes) {
  outcome.accepted = true;
  const auto* byte = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i)
    outcome.results = (outcome.results ^ byte[i]) * 1099511628211u;
}

Outcome run_once(Target target, std::span<const std::uint8_t> bytes, unsigned char with) {
  outcome = {};
  fill = with;
  fill_memory();
  fill_stack();
  try {
    target(Input(bytes));
  } catch (const Error&) {
    // This is the message of one line that a user gets.
  } catch (const io::DecodeFailure&) {
    // load_picture() turns it into an Error with the path.
  }
  fill = 0;
  fill_memory();
  return outcome;
}

}  // namespace

std::size_t Input::choice(std::size_t count) {
  if (rest_.empty()) return 0;
  const std::size_t taken = rest_.front() % count;
  rest_ = rest_.subspan(1);
  return taken;
}

std::vector<NamedTarget>& targets() {
  static std::vector<NamedTarget> all;
  return all;
}

void run(Target target, std::span<const std::uint8_t> bytes) {
  const Outcome first = run_once(target, bytes, 0x55);
  if (first.accepted && run_once(target, bytes, 0xAA).results != first.results)
    throw Violation("what is read depends on memory that was never set");
}

void note_result(HostIn data) {
  const Shape& shape = data.shape;
  note_bytes(&shape.element, sizeof shape.element);
  const std::size_t row = static_cast<std::size_t>(shape.width) * shape.pixel_bytes();
  for (std::size_t y = 0; y < static_cast<std::size_t>(shape.height * shape.depth); ++y)
    note_bytes(data.data + y * data.pitch, row);
}

void note_result(std::string_view text) {
  note_bytes(text.data(), text.size());
}

void expect(bool condition, const std::string& what) {
  if (!condition) throw Violation(what);
}

fs::path scratch_path(const std::string& name) {
  static const ScratchFolder folder;
  return folder.path() / name;
}

fs::path scratch_file(const std::string& name, io::Bytes bytes) {
  fs::path path = scratch_path(name);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
  return path;
}

bool equal_data(HostIn a, HostIn b) {
  if (a.shape != b.shape) return false;
  const auto rows = static_cast<std::size_t>(a.shape.height * a.shape.depth);
  const std::size_t numbers = static_cast<std::size_t>(a.shape.width) * static_cast<std::size_t>(a.shape.channels);
  for (std::size_t y = 0; y < rows; ++y) {
    const std::byte *row_a = a.data + y * a.pitch, *row_b = b.data + y * b.pitch;
    if (a.shape.element == Element::f32) {
      if (!equal_numbers<float>(row_a, row_b, numbers)) return false;
    } else if (a.shape.element == Element::f64) {
      if (!equal_numbers<double>(row_a, row_b, numbers)) return false;
    } else if (std::memcmp(row_a, row_b, numbers * size_of(a.shape.element)) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace threadscape::fuzz
