#include "app/session/crash_report.h"

#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/build_info.h"
#include "compute/core/cpu_info.h"
#include "compute/io/folder_reader.h"

namespace threadscape::app {

namespace {

namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

/// A text of limited length in memory that exists as long as the process: the handler must not allocate, nor follow a
/// pointer that another thread is changing.
template <std::size_t capacity>
class FixedText {
 public:
  void set(std::string_view text) {
    const std::size_t length = std::min(text.size(), capacity - 1);
    std::copy_n(text.data(), length, text_.data());
    text_[length] = '\0';
  }
  [[nodiscard]] const char* c_str() const { return text_.data(); }

 private:
  std::array<char, capacity> text_{};
};

constexpr std::size_t max_lines = 20, max_frames = 64;
constexpr std::array<int, 5> signals{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

/// What the handler reads. A line that is being written while the program crashes may be incomplete in the report.
struct Facts {
  FixedText<512> folder, file, program;
  FixedText<1024> machine;
  std::array<FixedText<200>, max_lines> lines;
  std::atomic<std::size_t> line_count = 0;  ///< Number of all lines so far; modulo max_lines the place of the next.
};
Facts facts;
std::mutex lines_mutex;

/// The stack of the handler, which has to run after a stack overflow, too.
std::array<char, std::size_t{64} << 10> handler_stack;

void put(int file, const char* text) {
  std::size_t left = std::strlen(text);
  while (left > 0) {
    const ssize_t written = write(file, text, left);
    if (written <= 0) return;
    text += written;
    left -= static_cast<std::size_t>(written);
  }
}

void put_number(int file, unsigned number) {
  std::array<char, 16> digits{};
  std::size_t at = digits.size() - 1;
  do {
    digits[--at] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  put(file, &digits[at]);
}

void put_report(int file, int signal) {
  put(file, facts.program.c_str());
  put(file, "\nended by signal ");
  put_number(file, static_cast<unsigned>(signal));
  put(file, "\n\nmachine\n");
  put(file, facts.machine.c_str());
  put(file, "\n\nstack (addr2line -Cfe PROGRAM ADDRESS names the lines)\n");
  std::array<void*, max_frames> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  backtrace_symbols_fd(frames.data(), count, file);
  put(file, "\nlast messages\n");
  const std::size_t lines = facts.line_count.load();
  for (std::size_t i = lines > max_lines ? lines - max_lines : 0; i < lines; ++i) {
    put(file, facts.lines[i % max_lines].c_str());
    put(file, "\n");
  }
}

/// Calls only functions that are safe in a signal handler. backtrace() is, once it has been called before.
void on_crash(int signal) {
  static std::atomic_flag entered;
  if (!entered.test_and_set()) {
    mkdir(facts.folder.c_str(), 0700);
    const int file = open(facts.file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    put(STDERR_FILENO, "threadscape: the program has crashed (signal ");
    put_number(STDERR_FILENO, static_cast<unsigned>(signal));
    if (file >= 0) {
      put_report(file, signal);
      close(file);
      put(STDERR_FILENO, "); a report is in '");
      put(STDERR_FILENO, facts.file.c_str());
      put(STDERR_FILENO, "'\n");
    } else {
      put(STDERR_FILENO, ")\n");
      put_report(STDERR_FILENO, signal);
    }
  }
  // SA_RESETHAND has restored the default action, so that the process ends as it would have without this handler.
  raise(signal);
}

/// Notes the exception that nobody has caught, which the signal alone would not tell.
[[noreturn]] void on_terminate() {
  if (const std::exception_ptr caught = std::current_exception()) {
    try {
      std::rethrow_exception(caught);
    } catch (const std::exception& error) {
      note_for_crash_report(error.what());
      put(STDERR_FILENO, "threadscape: ");
      put(STDERR_FILENO, error.what());
      put(STDERR_FILENO, "\n");
    } catch (...) {
      note_for_crash_report("an exception of an unknown type");
    }
  }
  std::abort();
}

std::string file_name() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> stamp{};
  std::strftime(stamp.data(), stamp.size(), "%Y%m%d-%H%M%S", &utc);
  return std::string("crash-") + stamp.data() + "-" + std::to_string(getpid()) + ".txt";
}

}  // namespace

void prepare_crash_report(const fs::path& folder) {
  if (sanitized || folder.empty()) return;
  facts.folder.set(folder.string());
  facts.file.set((folder / file_name()).string());
  facts.program.set("threadscape " + std::string(build_info::version) + " (" + std::string(build_info::git_hash) +
                    (build_info::git_dirty ? ", changed" : "") + "), " + std::string(build_info::compiler) + ", " +
                    std::string(build_info::build_type));
  if (*facts.machine.c_str() == '\0') facts.machine.set(cpu_info().model);
  std::array<void*, 1> frame{};
  (void)backtrace(frame.data(), 1);  // The first call loads a library, which a handler must not do.

  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND) | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (const int signal : signals)
    sigaction(signal, &action, nullptr);
  std::set_terminate(on_terminate);
}

void set_crash_facts(std::string_view machine) {
  facts.machine.set(cpu_info().model + "\n" + std::string(machine));
}

void note_for_crash_report(std::string_view line) {
  const std::lock_guard lock(lines_mutex);
  const std::size_t count = facts.line_count.load();
  facts.lines[count % max_lines].set(line);
  facts.line_count.store(count + 1);
}

std::optional<fs::path> new_crash_report(const fs::path& folder) {
  if (folder.empty()) return {};
  constexpr std::size_t kept = 5;
  std::vector<std::string> reports;
  std::error_code error;
  for (io::FolderReader reader(folder); const auto path = reader.next();) {
    std::string name = path->filename().string();
    if (name.starts_with("crash-") && name.ends_with(".txt")) reports.push_back(std::move(name));
  }
  // The names begin with the date and the time, so that their order is that of the crashes by the clock.
  std::ranges::sort(reports, std::greater());
  std::set<std::string> known;
  std::ifstream before(folder / "known-crashes");
  for (std::string name; std::getline(before, name);)
    known.insert(name);
  before.close();
  const auto found = std::ranges::find_if(reports, [&](const std::string& name) { return !known.contains(name); });
  const std::string fresh = found != reports.end() ? *found : "";
  while (reports.size() > kept) {
    const std::size_t oldest = reports.size() - (reports.back() == fresh ? 2 : 1);
    fs::remove(folder / reports[oldest], error);
    reports.erase(reports.begin() + static_cast<std::ptrdiff_t>(oldest));
  }
  if (!std::ranges::all_of(reports, [&](const std::string& name) { return known.contains(name); })) {
    std::ofstream now(folder / "known-crashes", std::ios::trunc);
    for (const std::string& name : reports)
      now << name << '\n';
  }
  return fresh.empty() ? std::nullopt : std::optional(folder / fresh);
}

}  // namespace threadscape::app
