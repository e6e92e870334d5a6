#undef _FORTIFY_SOURCE  // Its inline functions would take the place of those that are defined here.

#include "tests/faults/faults.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <link.h>
#include <malloc.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <new>
#include <string_view>
#include <utility>

// The functions of glibc that its malloc and its relatives are, under the names that a program may not replace.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): these are glibc's names.
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* block);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace threadscape::faults {

namespace {

std::atomic<std::int64_t> allocated{0};
std::atomic<bool> clock_jumps{false};
std::atomic<std::int64_t> clock_looks{0};

struct State {
  bool armed = false, happened = false;
  Kind kind = Kind::memory;
  std::int64_t left = 0;   ///< Calls until the failure.
  std::int64_t calls = 0;  ///< Calls that were counted.
};
thread_local State state;

/// What ArmedElsewhere has armed. `left` is counted down by all other threads.
struct Elsewhere {
  std::atomic<bool> armed{false};
  Kind kind = Kind::memory;
  pid_t owner = 0;
  std::atomic<std::int64_t> left{0};
};
Elsewhere elsewhere;

/// Counts one call of another thread. Returns true if this is the one that fails.
bool fails_elsewhere(Kind kind) {
  const bool interrupts = elsewhere.kind == Kind::interrupts && kind == Kind::files;
  if (!elsewhere.armed || (elsewhere.kind != kind && !interrupts) || gettid() == elsewhere.owner) return false;
  if (--elsewhere.left != 0) return false;
  if (interrupts) (void)raise(SIGINT);
  return !interrupts;
}

/// The addresses of code.
struct Code {
  std::uintptr_t begin = 0, end = 0;
  bool codec = false;  ///< It is that of a library that reads and writes pictures.
};

/// A list without memory of its own, because malloc looks at it.
struct CodeList {
  std::array<Code, 32> code{};
  std::size_t count = 0;
};

/// Adds the code of the program itself, of the C++ library or of a library of pictures to a list.
int add_code(dl_phdr_info* info, std::size_t, void* to) {
  auto& list = *static_cast<CodeList*>(to);
  const std::string_view name = info->dlpi_name;
  const auto is = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  const bool codec = is("/libtiff") || is("/libwebp") || is("/libOpenEXR") || is("/libIex") || is("/libgif") ||
                     is("/libpng") || is("/libjpeg") || is("/libz.") || is("/libavformat") || is("/libavutil");
  if (!name.empty() && !is("libstdc++") && !codec) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0 || list.count == list.code.size()) continue;
    const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    list.code[list.count++] = {begin, begin + part.p_memsz, codec};
  }
  return 0;
}

/// The code whose calls fail: that of the program, that of the C++ library, which allocates for strings and streams,
/// and that of the libraries of pictures.
const CodeList& code_that_fails() {
  static const CodeList list = [] {
    CodeList found;
    dl_iterate_phdr(add_code, &found);
    return found;
  }();
  return list;
}

bool is_called_by(bool codec, const void* caller) {
  const auto address = reinterpret_cast<std::uintptr_t>(caller);
  const CodeList& list = code_that_fails();
  return std::any_of(list.code.begin(), list.code.begin() + list.count, [&](const Code& code) {
    return code.codec == codec && address >= code.begin && address < code.end;
  });
}

/// Counts one call that returns to `caller`. Returns true if this is the one that fails.
bool fails(Kind kind, const void* caller) {
  const bool codecs = state.kind == Kind::codecs && kind == Kind::memory;
  const bool here = state.armed && (state.kind == kind || codecs) && !state.happened;
  if (!here && !elsewhere.armed) return false;
  if (!is_called_by(here && codecs, caller)) return false;
  if (!here) return fails_elsewhere(kind);
  ++state.calls;
  if (--state.left > 0) return false;
  state.happened = true;
  return true;
}

/// What Meanwhile does, by the thread that has armed it.
thread_local std::int64_t meanwhile_left = 0;
thread_local std::function<void()> meanwhile;

/// Notes a call for a file that returns to `caller`.
void note_file_call(const void* caller) {
  if (meanwhile_left > 0 && is_called_by(false, caller) && --meanwhile_left == 0) meanwhile();
}

/// Notes a call for a file. Returns true if this is the one that fails.
bool file_fails(const void* caller) {
  note_file_call(caller);
  return fails(Kind::files, caller);
}

void* counted(void* block) {
  if (block != nullptr) allocated += static_cast<std::int64_t>(malloc_usable_size(block));
  return block;
}

void uncounted(void* block) {
  if (block != nullptr) allocated -= static_cast<std::int64_t>(malloc_usable_size(block));
}

/// Makes a call of the system fail with this error.
int failed(int error) {
  errno = error;
  return -1;
}

void* allocate(std::size_t bytes, std::size_t alignment, const void* caller) {
  if (fails(Kind::memory, caller)) return nullptr;
  return counted(alignment == 0 ? __libc_malloc(bytes) : __libc_memalign(alignment, bytes));
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment, const void* caller) {
  if (void* block = allocate(bytes == 0 ? 1 : bytes, alignment, caller)) return block;
  throw std::bad_alloc();
}

}  // namespace

Armed::Armed(Kind kind, std::int64_t nth) {
  (void)code_that_fails();
  state = {.armed = true, .happened = false, .kind = kind, .left = nth, .calls = 0};
}
Armed::~Armed() {
  state.armed = false;
}
bool Armed::happened() {
  return state.happened;
}

ArmedElsewhere::ArmedElsewhere(Kind kind, std::int64_t nth) {
  (void)code_that_fails();
  elsewhere.kind = kind;
  elsewhere.owner = gettid();
  elsewhere.left = nth;
  elsewhere.armed = true;
}
ArmedElsewhere::~ArmedElsewhere() {
  elsewhere.armed = false;
}
bool ArmedElsewhere::happened() {
  return elsewhere.left <= 0;
}

std::int64_t Armed::calls() {
  return state.calls;
}

Meanwhile::Meanwhile(std::int64_t nth, std::function<void()> act) {
  (void)code_that_fails();
  meanwhile = std::move(act);
  meanwhile_left = nth;
}
Meanwhile::~Meanwhile() {
  meanwhile_left = 0;
}
bool Meanwhile::happened() {
  return meanwhile_left == 0;
}

std::int64_t allocated_bytes() {
  return allocated;
}

void* allocate_safely(std::size_t bytes) {
  return counted(__libc_malloc(bytes));
}
void free_safely(void* block) {
  uncounted(block);
  __libc_free(block);
}

JumpingClock::JumpingClock() {
  clock_jumps = true;
}
JumpingClock::~JumpingClock() {
  clock_jumps = false;
}
std::int64_t JumpingClock::looks() {
  return clock_looks;
}

namespace {

/// The time of a clock. That of the day jumps while a JumpingClock lives: by 3 years forwards, and back again.
timespec time_of(clockid_t clock) {
  timespec time{};
  syscall(SYS_clock_gettime, clock, &time);
  if (clock == CLOCK_REALTIME && clock_jumps && clock_looks++ % 2 == 0) time.tv_sec += 3L * 365 * 24 * 3600;
  return time;
}

}  // namespace

namespace {

/// One run of sweep() in which the nth call fails.
struct Attempt {
  bool happened = false;   ///< There was an nth call.
  bool succeeded = false;  ///< The action has thrown nothing.
  bool explained = false;  ///< It has thrown an exception with a message.
};

Attempt attempt(Kind kind, std::int64_t nth, const std::function<void()>& action) {
  Attempt result;
  try {
    const Armed armed(kind, nth);
    try {
      action();
      result.succeeded = true;
    } catch (...) {
      result.happened = Armed::happened();
      throw;
    }
    result.happened = Armed::happened();
  } catch (const std::exception& error) {
    result.explained = *error.what() != '\0';
  }
  return result;
}

}  // namespace

Sweep sweep(Kind kind, const std::function<void()>& action, const std::function<void(bool succeeded)>& check) {
  for (int i = 0; i < 2; ++i) {  // Fills caches that live as long as the program, so that they do not count as leaks.
    action();
    check(true);
  }
  Sweep result;
  for (std::int64_t nth = 1;; ++nth) {
    SCOPED_TRACE("failure " + std::to_string(nth));
    Attempt done;
    std::int64_t lost = 0;
    // What the first failure of a kind leaves in caches is not left again by the second. A leak is.
    for (int repetition = 0; repetition == 0 || (repetition < 3 && lost != 0); ++repetition) {
      const std::int64_t before = allocated_bytes();
      done = attempt(kind, nth, action);
      check(done.succeeded);
      lost = done.succeeded ? 0 : allocated_bytes() - before;
    }
    EXPECT_TRUE(done.succeeded || done.happened) << "the action failed by itself";
    EXPECT_TRUE(done.succeeded || done.explained) << "there is no message";
    EXPECT_TRUE(lost == 0 || kind == Kind::codecs) << lost << " bytes were not freed";
    if (::testing::Test::HasFailure() || !done.happened) break;
    ++result.failures;
    if (done.succeeded) ++result.survived;
  }
  // For docs/RELIABILITY.md: --gtest_output=json:FILE writes the number of failures so far.
  static std::int64_t all = 0;
  all += result.failures;
  ::testing::Test::RecordProperty("failures_so_far", std::to_string(all));
  return result;
}

}  // namespace threadscape::faults

namespace faults = threadscape::faults;

#define CALLER __builtin_return_address(0)

extern "C" {

void* malloc(std::size_t bytes) {
  return faults::allocate(bytes, 0, CALLER);
}
void* calloc(std::size_t count, std::size_t bytes) {
  if (faults::fails(faults::Kind::memory, CALLER)) return nullptr;
  return faults::counted(__libc_calloc(count, bytes));
}
void* realloc(void* block, std::size_t bytes) {
  if (faults::fails(faults::Kind::memory, CALLER)) return nullptr;
  faults::uncounted(block);
  void* moved = __libc_realloc(block, bytes);
  // A request that cannot be met leaves the block as it was.
  (void)faults::counted(moved == nullptr && bytes > 0 ? block : moved);
  return moved;
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return faults::allocate(bytes, alignment, CALLER);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  *block = faults::allocate(bytes, alignment, CALLER);
  return *block == nullptr ? ENOMEM : 0;
}
void free(void* block) {
  faults::uncounted(block);
  __libc_free(block);
}

/// libwebp 1.2 frees addresses that it never got where it decodes without memory, so that no call fails in it.
std::uint8_t* WebPDecodeRGBAInto(const std::uint8_t* data, std::size_t bytes, std::uint8_t* to, std::size_t room,
                                 int pitch) {
  const auto decode = reinterpret_cast<decltype(&WebPDecodeRGBAInto)>(dlsym(RTLD_NEXT, "WebPDecodeRGBAInto"));
  const bool armed = std::exchange(faults::state.armed, false);
  std::uint8_t* const done = decode(data, bytes, to, room, pitch);
  faults::state.armed = armed;
  return done;
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = va_arg(arguments, mode_t);
  va_end(arguments);
  if (faults::file_fails(CALLER)) return faults::failed(EIO);
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
ssize_t read(int file, void* to, std::size_t bytes) {
  if (faults::file_fails(CALLER)) return faults::failed(EIO);
  return syscall(SYS_read, file, to, bytes);
}
ssize_t write(int file, const void* from, std::size_t bytes) {
  if (faults::file_fails(CALLER)) return faults::failed(ENOSPC);
  return syscall(SYS_write, file, from, bytes);
}
ssize_t pread(int file, void* to, std::size_t bytes, off_t offset) {
  if (faults::file_fails(CALLER)) return faults::failed(EIO);
  return syscall(SYS_pread64, file, to, bytes, offset);
}
ssize_t pwrite(int file, const void* from, std::size_t bytes, off_t offset) {
  if (faults::file_fails(CALLER)) return faults::failed(ENOSPC);
  return syscall(SYS_pwrite64, file, from, bytes, offset);
}
int fsync(int file) {
  if (faults::file_fails(CALLER)) return faults::failed(EIO);
  return static_cast<int>(syscall(SYS_fsync, file));
}
/// What cannot be removed stays, so that a failure would leave a file.
int unlink(const char* path) noexcept {
  faults::note_file_call(CALLER);
  return static_cast<int>(syscall(SYS_unlink, path));
}
int rename(const char* from, const char* to) noexcept {
  if (faults::file_fails(CALLER)) return faults::failed(EIO);
  return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
  if (faults::file_fails(CALLER)) return faults::failed(EINVAL);
  return static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  if (faults::file_fails(CALLER)) return faults::failed(EIO);
  return static_cast<int>(syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}

int clock_gettime(clockid_t clock, timespec* to) noexcept {
  *to = faults::time_of(clock);
  return 0;
}
int gettimeofday(timeval* to, void*) noexcept {
  const timespec time = faults::time_of(CLOCK_REALTIME);
  *to = {.tv_sec = time.tv_sec, .tv_usec = time.tv_nsec / 1000};
  return 0;
}
time_t time(time_t* to) noexcept {
  const timespec time = faults::time_of(CLOCK_REALTIME);
  if (to != nullptr) *to = time.tv_sec;
  return time.tv_sec;
}

}  // extern "C"

void* operator new(std::size_t bytes) {
  return faults::allocate_or_throw(bytes, 0, CALLER);
}
void* operator new[](std::size_t bytes) {
  return faults::allocate_or_throw(bytes, 0, CALLER);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return faults::allocate_or_throw(bytes, static_cast<std::size_t>(alignment), CALLER);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return faults::allocate_or_throw(bytes, static_cast<std::size_t>(alignment), CALLER);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return faults::allocate(bytes, 0, CALLER);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return faults::allocate(bytes, 0, CALLER);
}
void operator delete(void* block) noexcept {
  free(block);
}
void operator delete[](void* block) noexcept {
  free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  free(block);
}
void operator delete[](void* block, std::size_t) noexcept {
  free(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
  free(block);
}
void operator delete[](void* block, std::align_val_t) noexcept {
  free(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  free(block);
}
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept {
  free(block);
}
