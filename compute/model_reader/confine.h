#pragma once
// What the process that reads models gives up before it opens the model, because a damaged model may take it over.

#include <cstdint>
#include <filesystem>

namespace threadscape::model_reader {

/// Limits this process for the rest of its life: at most `memory` bytes of addresses and `seconds` of processor time,
/// no file that grows, no core file, no new privileges, and it ends with its parent. Where the kernel has Landlock, it
/// reads files of the folder of `model` and below, and the model itself; with `allow_outside`, all files. Where the
/// kernel has seccomp, it starts no program or process, opens no socket and changes no other process. Throws
/// std::system_error where a limit cannot be set.
void confine(const std::filesystem::path& model, bool allow_outside, std::uint64_t memory, std::uint64_t seconds);

}  // namespace threadscape::model_reader
