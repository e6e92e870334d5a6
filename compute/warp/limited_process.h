#pragma once
// Work in a process of its own, which ends when it takes too long or too much memory: compilers of text that a user
// wrote may loop, allocate without end, or crash.

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace threadscape::warp {

struct ProcessLimits {
  std::chrono::milliseconds time{60'000};  ///< Elapsed time.
  std::uint64_t memory = 4ull << 30;       ///< Bytes of address space beyond what this process has.
  std::uint64_t output = 256ull << 20;     ///< Bytes that the work may write.
  std::stop_token stop = {};               ///< Ends the process, soon after stop is requested.
};

struct ProcessEnd {
  std::string output;    ///< What the work wrote.
  int exit_code = -1;    ///< What it returned; -1 where it did not end by itself.
  std::string obstacle;  ///< Why it was ended, as "took longer than 60 s"; "" where it ended by itself.
};

/// Runs the work in a child process and returns when that has ended. `work` gets the descriptor to which it writes and
/// returns its exit code; it may replace the process by another program. Throws EnvironmentError where no process can
/// be made.
[[nodiscard]] ProcessEnd run_limited(const ProcessLimits& limits, const std::function<int(int output)>& work);

/// Writes all bytes to a descriptor; false where that fails.
bool write_all(int to, const void* bytes, std::size_t size);

/// Runs a program with limits. Its output contains standard output and standard error. The first argument is the path
/// of the program.
[[nodiscard]] ProcessEnd run_program(const ProcessLimits& limits, const std::vector<std::string>& arguments);

}  // namespace threadscape::warp
