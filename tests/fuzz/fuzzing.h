#pragma once
// Shared by the fuzz targets. A target is one file in targets/ with one FUZZ_TARGET. The preset `fuzz` links each
// target with libFuzzer into a program of its own (scripts/fuzz runs them); every other build links all targets into
// test_app, whose test FuzzSeeds runs them over the files in seeds/.
//
// A target may throw what the program reports to its user (Error), and nothing else. It throws Violation for a result
// that contradicts what the code promises, for example a file that is read back with other contents.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/data.h"
#include "compute/io/pictures/image_format.h"

namespace threadscape::fuzz {

/// The bytes that a fuzzer has made. Targets take single bytes as choices first, and the rest as a file or a text.
class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  /// Takes one byte and maps it to 0 .. count - 1. Returns 0 if no byte is left.
  [[nodiscard]] std::size_t choice(std::size_t count);
  /// The bytes that were not taken.
  [[nodiscard]] io::Bytes bytes() const { return std::as_bytes(rest_); }
  /// The bytes that were not taken, as text.
  [[nodiscard]] std::string text() const { return {reinterpret_cast<const char*>(rest_.data()), rest_.size()}; }

 private:
  std::span<const std::uint8_t> rest_;
};

using Target = void (*)(Input input);

struct NamedTarget {
  std::string_view name;
  Target run;
};
/// All targets that are linked into this program.
[[nodiscard]] std::vector<NamedTarget>& targets();

struct Registration {
  Registration(std::string_view name, Target run) { targets().push_back({name, run}); }
};

/// Runs a target, and once more with other contents of fresh memory if it has accepted the input. Throws Violation if
/// it has noted other results then. Errors that the program reports to its user are what a malformed file should cause,
/// so they end here.
void run(Target target, std::span<const std::uint8_t> bytes);

/// Thrown by targets for results that contradict what the code promises.
class Violation : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};
/// Throws Violation with this text if the condition is false.
void expect(bool condition, const std::string& what);

/// Adds what a target has read to the results that run() compares.
void note_result(HostIn data);
void note_result(std::string_view text);

/// The path of a file in a folder of this process, which is removed when the process ends.
[[nodiscard]] std::filesystem::path scratch_path(const std::string& name);
/// Writes these bytes to scratch_path(name), which is returned.
std::filesystem::path scratch_file(const std::string& name, io::Bytes bytes);

/// Returns true if both have the same shape and the same values; any NaN equals any other.
[[nodiscard]] bool equal_data(HostIn a, HostIn b);

}  // namespace threadscape::fuzz

#ifdef THREADSCAPE_FUZZER
#define FUZZ_ENTRY(name)                                                              \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);  \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    threadscape::fuzz::run(fuzz_##name, {data, size});                                \
    return 0;                                                                         \
  }
#else
#define FUZZ_ENTRY(name) static const threadscape::fuzz::Registration registration_##name(#name, fuzz_##name);
#endif

/// Defines a target: FUZZ_TARGET(pictures) { ... input ... }
#define FUZZ_TARGET(name)                                  \
  static void fuzz_##name(threadscape::fuzz::Input input); \
  FUZZ_ENTRY(name)                                         \
  static void fuzz_##name([[maybe_unused]] threadscape::fuzz::Input input)
