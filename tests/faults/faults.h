#pragma once
// Failures of memory and of files that are put in. This program replaces operator new, malloc and the calls of the
// system that open, read, write, link and rename files. While faults are armed, calls by the thread that armed them, or
// by all others, are counted, and the n-th one fails.
//
// Only calls by the code of this program and by the C++ library fail, and memory of the libraries that write
// files: libgomp ends the program when it gets none, and Mesa and LLVM are not written for that.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace threadscape::faults {

enum class Kind : std::uint8_t {
  memory,      ///< operator new throws std::bad_alloc; malloc, calloc, realloc and aligned_alloc return null.
  files,       ///< The calls return -1: ENOSPC for write, EIO for the others.
  codecs,      ///< The calls of `memory`, by the libraries that write pictures and videos.
  interrupts,  ///< SIGINT comes before a call of `files`, which goes on.
};

/// Arms one failure, of the `nth` call from now, counted from 1.
class Armed {
 public:
  Armed(Kind kind, std::int64_t nth);
  ~Armed();
  Armed(const Armed&) = delete;
  Armed& operator=(const Armed&) = delete;
  /// Returns true once the failure has happened.
  [[nodiscard]] static bool happened();
  /// Calls that were counted so far.
  [[nodiscard]] static std::int64_t calls();
};

/// Arms one failure, of the `nth` call from now by any thread but the one that arms it. There is one at a time.
class ArmedElsewhere {
 public:
  ArmedElsewhere(Kind kind, std::int64_t nth);
  ~ArmedElsewhere();
  ArmedElsewhere(const ArmedElsewhere&) = delete;
  ArmedElsewhere& operator=(const ArmedElsewhere&) = delete;
  /// Returns true once the failure has happened.
  [[nodiscard]] static bool happened();
};

/// Does something once, before the `nth` call for a file from now by this thread: one that opens, reads, writes, links,
/// renames, removes or flushes. Other programs could do it at the same moment.
class Meanwhile {
 public:
  Meanwhile(std::int64_t nth, std::function<void()> act);
  ~Meanwhile();
  Meanwhile(const Meanwhile&) = delete;
  Meanwhile& operator=(const Meanwhile&) = delete;
  /// Returns true once it was done.
  [[nodiscard]] static bool happened();
};

/// Memory that never fails, for libraries that are compiled into the program and cannot bear a failure.
[[nodiscard]] void* allocate_safely(std::size_t bytes);
void free_safely(void* block);

/// While an object of this class lives, each look at the clock of the day, by any thread, finds it years before or
/// after the last one. Clocks that cannot jump, which count from the start of the machine, go on as they are.
class JumpingClock {
 public:
  JumpingClock();
  ~JumpingClock();
  JumpingClock(const JumpingClock&) = delete;
  JumpingClock& operator=(const JumpingClock&) = delete;
  /// Looks at the clock so far.
  [[nodiscard]] static std::int64_t looks();
};

/// Bytes that the whole process has allocated and not freed.
[[nodiscard]] std::int64_t allocated_bytes();

/// The outcome of sweep().
struct Sweep {
  std::int64_t failures = 0;  ///< Number of calls that were made to fail, each in a run of its own.
  std::int64_t survived = 0;  ///< Runs that succeeded although a call had failed.
};

/// Runs `action` with the first call failing, then the second, and so on until a run meets no failure. An action that
/// fails throws an exception derived from std::exception with a message; anything else fails the test. `check` is
/// called after each run, with true if the action succeeded. The memory must be back at its start after each run that
/// failed, unless it is that of the libraries.
Sweep sweep(Kind kind, const std::function<void()>& action, const std::function<void(bool succeeded)>& check);

}  // namespace threadscape::faults
