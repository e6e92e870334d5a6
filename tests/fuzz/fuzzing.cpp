#include "tests/fuzz/fuzzing.h"

#include <unistd.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "compute/core/errors.h"

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
  try {
    target(Input(bytes));
  } catch (const Error&) {
    // This is the message of one line that a user gets.
  } catch (const io::DecodeFailure&) {
    // load_picture() turns it into an Error with the path.
  }
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

bool is_utf8(const std::string& text) {
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
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
