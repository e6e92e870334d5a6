#pragma once
// What the process that reads models gives up before it opens the model, because a damaged model may take it over.

#include <cstdint>
#include <filesystem>

namespace threadscape::model_reader {

/// The defences that the kernel has granted.
struct Confinement {
  bool files = false;  ///< Landlock limits the files that the process opens.
  bool calls = false;  ///< Seccomp limits the system calls that it makes.
};

/// Limits this process for the rest of its life: at most `memory` bytes of addresses and `seconds` of processor time,
/// no file that grows, no core file, no new privileges, and it ends with its parent. Where the kernel has Landlock, it
/// reads files of the folder of `model` and below, and the model itself; with `allow_outside`, all files; it changes
/// none, and reaches no other process and no network. Where the kernel has seccomp, system calls fail that reading a
/// model does not need: the ones left are in a list. Throws std::system_error where a limit cannot be set.
[[nodiscard]] Confinement confine(const std::filesystem::path& model, bool allow_outside, std::uint64_t memory,
                                  std::uint64_t seconds);

}  // namespace threadscape::model_reader
