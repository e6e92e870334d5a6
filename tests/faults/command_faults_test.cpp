// Whole commands of the program in which one allocation or one call for a file fails, or whose clock jumps: each gives
// its result, or a message of one line, the exit code 3 and no file. Every command runs in a process of its own.
//
// All calls of a command are too many for every build: some of them, evenly distributed, fail. With
// THREADSCAPE_FAULTS=all in the environment each one does.

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <imgui.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/cli.h"
#include "compute/core/synthetic.h"
#include "compute/io/data_file.h"
#include "compute/io/pictures/image_file.h"
#include "compute/registry/registry.h"
#include "tests/faults/faults.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

namespace fs = std::filesystem;

// Codes with which the child ends beside those of the program. The bit says that the failure has happened.
constexpr int happened_bit = 64;
constexpr int in_library = 32;    ///< It ended in a function of a library that allocates although it must not throw.
constexpr int in_terminate = 33;  ///< It ended by std::terminate() elsewhere.

/// Returns true if a destructor of nlohmann-json's values is running, or CLI11's search for an option by its name.
bool is_in_library() {
  std::array<void*, 64> frames{};
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = 0; i < count; ++i) {
    // A frame has the address behind its call, where the next function may begin.
    const void* const call = static_cast<const char*>(frames.at(static_cast<std::size_t>(i))) - 1;
    Dl_info place{};
    if (dladdr(call, &place) == 0 || place.dli_sname == nullptr) continue;
    const std::string_view name = place.dli_sname;
    const auto has = [&](const char* part) { return name.find(part) != std::string_view::npos; };
    if (has("nlohmann") && (has("json_value7destroy") || has("D1Ev") || has("D2Ev"))) return true;
    if (has("3CLI") && (has("10check_name") || has("get_option") || has("10find_option"))) return true;
  }
  return false;
}

/// The process that runs a command: TS_FAULT_COMMAND has its words in lines, TS_FAULT_KIND is "memory", "files" or
/// "clock", or "files elsewhere" or "interrupts elsewhere" for those of all threads but the first one, TS_FAULT_CALL
/// the call that fails. The number of calls, or of looks at the clock, goes to the file TS_FAULT_CALLS.
TEST(CommandOfAChild, Runs) {
  const char* const command = std::getenv("TS_FAULT_COMMAND");
  if (command == nullptr) GTEST_SKIP() << "run by the other tests of this file";
  std::vector<std::string> words;
  for (std::string_view rest = command; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  std::vector<const char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(word.c_str());
  const std::string kind = std::getenv("TS_FAULT_KIND"), calls_file = std::getenv("TS_FAULT_CALLS");
  const std::int64_t nth = std::atoll(std::getenv("TS_FAULT_CALL"));
  // ImGui takes memory without looking whether it got any.
  ImGui::SetAllocatorFunctions([](std::size_t bytes, void*) { return faults::allocate_safely(bytes); },
                               [](void* block, void*) { faults::free_safely(block); });
  std::array<void*, 1> frame{};
  (void)backtrace(frame.data(), 1);  // The first call loads a library.
  std::set_terminate([] { _exit(happened_bit | (is_in_library() ? in_library : in_terminate)); });
  alarm(120);  // A command that hangs is ended by a signal.

  int code = 0;
  std::int64_t calls = 0;
  bool happened = false;
  const auto run = [&] { code = app::run_command_line(static_cast<int>(arguments.size()), arguments.data()); };
  if (kind == "clock") {
    const faults::JumpingClock clock;
    run();
    calls = faults::JumpingClock::looks();
  } else if (kind.ends_with("elsewhere")) {
    const faults::ArmedElsewhere armed(kind.starts_with("files") ? faults::Kind::files : faults::Kind::interrupts, nth);
    run();
    happened = faults::ArmedElsewhere::happened();
  } else {
    const faults::Armed armed(kind == "memory" ? faults::Kind::memory : faults::Kind::files, nth);
    run();
    calls = faults::Armed::calls();
    happened = faults::Armed::happened();
  }
  std::FILE* const file = std::fopen(calls_file.c_str(), "w");
  std::fprintf(file, "%lld", static_cast<long long>(calls));
  std::fclose(file);
  std::fflush(nullptr);
  _exit(code | (happened ? happened_bit : 0));
}

struct Outcome {
  int code = 0;  ///< The exit code of the program; -1 if a signal ended it.
  bool happened = false;
  std::string message;  ///< What it wrote to stderr.
  std::int64_t calls = 0;
};

class CommandFaults : public TestFolder {
 protected:
  Outcome run(const std::vector<std::string>& words, const char* kind, std::int64_t nth) const {
    std::string command;
    for (const std::string& word : words)
      command += (command.empty() ? "" : "\n") + word;
    const fs::path errors = path("../" + name_ + ".errors"), calls = path("../" + name_ + ".calls");
    const pid_t child = fork();
    if (child == 0) {
      setenv("TS_FAULT_COMMAND", command.c_str(), 1);
      setenv("TS_FAULT_KIND", kind, 1);
      setenv("TS_FAULT_CALL", std::to_string(nth).c_str(), 1);
      setenv("TS_FAULT_CALLS", calls.c_str(), 1);
      setenv("OMP_NUM_THREADS", "1", 1);
      dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
      dup2(open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
      execl("/proc/self/exe", "test_faults", "--gtest_filter=CommandOfAChild.Runs", "--gtest_brief=1", nullptr);
      _exit(127);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    Outcome outcome{.message = read_bytes(errors)};
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    outcome.code = WIFEXITED(status) ? code & ~happened_bit : -1;
    outcome.happened = (code & happened_bit) != 0;
    if (fs::exists(calls)) outcome.calls = std::atoll(read_bytes(calls).c_str());
    fs::remove(errors);
    fs::remove(calls);
    return outcome;
  }

  /// Runs the command with failures of `kind`: all of its calls, or about `some` of them, most of them behind the
  /// reading of the command line. `result` is the file that it writes; `same` says whether its contents are always the
  /// same.
  void sweep(const std::vector<std::string>& words, const char* kind, std::int64_t some, const fs::path& result,
             bool same) {
    const std::vector<std::string> before = names();
    const Outcome whole = run(words, kind, never);
    ASSERT_EQ(whole.code, 0) << whole.message;
    ASSERT_GT(whole.calls, 10);
    const std::string expected = read_bytes(result);
    fs::remove(result);
    ASSERT_EQ(names(), before);
    const std::int64_t reading = run({words[0], words[1], "--no-such-option"}, kind, never).calls;
    ASSERT_LT(reading, whole.calls);
    const char* const wish = std::getenv("THREADSCAPE_FAULTS");
    const bool all = wish != nullptr && std::string_view(wish) == "all";
    Counts counts;
    for (std::int64_t nth = 1; nth <= whole.calls && !HasFailure();) {
      SCOPED_TRACE(std::string(kind) + ", call " + std::to_string(nth) + " of " + std::to_string(whole.calls));
      fail_once(words, kind, nth, result, same ? expected : "", counts);
      EXPECT_EQ(names(), before);
      const bool reads = nth < reading;
      const std::int64_t calls = reads ? reading : whole.calls - reading, wanted = reads ? some / 4 : some;
      nth += all ? 1 : std::max<std::int64_t>(1, calls / wanted);
    }
    std::printf("%s: %lld of %lld calls failed, %lld runs succeeded nevertheless, %lld ended in a library\n", kind,
                static_cast<long long>(counts.failures), static_cast<long long>(whole.calls),
                static_cast<long long>(counts.survived), static_cast<long long>(counts.in_library));
    EXPECT_GT(counts.failures, 0);
  }

  std::string make_input() {
    const fs::path input = path("input.pgm");
    io::save_picture(input, make_synthetic(InputPattern::photo, Shape::image(Element::u8, 1, 40, 30), 1).view(),
                     io::FileColour::grey);
    return input.string();
  }

  static constexpr std::int64_t never = std::int64_t{1} << 60;

 private:
  struct Counts {
    std::int64_t failures = 0, survived = 0, in_library = 0;
  };

  /// One run of sweep(). A result has to be `expected`, or any JSON if that is empty.
  void fail_once(const std::vector<std::string>& words, const char* kind, std::int64_t nth, const fs::path& result,
                 const std::string& expected, Counts& counts) {
    const Outcome outcome = run(words, kind, nth);
    // The number of calls varies a little with measured times, so that the last ones may be missing.
    if (outcome.happened) ++counts.failures;
    // What fails after the result was written leaves it, whole.
    if (fs::exists(result)) {
      const std::string bytes = read_bytes(result);
      EXPECT_TRUE(expected.empty() ? nlohmann::json::accept(bytes) : bytes == expected) << "the result is not whole";
    }
    if (outcome.code == 0) {
      if (outcome.happened) ++counts.survived;
      EXPECT_TRUE(fs::exists(result));
    } else if (outcome.code == in_library) {
      ++counts.in_library;
    } else {
      EXPECT_TRUE(outcome.happened);
      EXPECT_EQ(outcome.code, 3) << outcome.message;
      EXPECT_TRUE(outcome.message.starts_with("threadscape: ")) << outcome.message;
    }
    fs::remove(result);
  }

  std::string name_ = "faults-" + std::to_string(getpid());
};

TEST_F(CommandFaults, Run) {
  const std::string input = make_input(), output = path("output.png").string();
  const std::vector<std::string> words{"threadscape", "run", "sobel", input, "-o", output, "--backend", "serial"};
  sweep(words, "memory", 60, output, true);
  sweep(words, "files", 20, output, true);
}

TEST_F(CommandFaults, AResultAndItsTimesAreReplacedTogether) {
  const std::string input = make_input(), output = path("output.png").string(), times = path("times.json").string();
  const std::vector<std::string> words{"threadscape", "run",       "sobel",  input,       "-o",
                                       output,        "--backend", "serial", "--timings", times};
  const Outcome whole = run(words, "files", std::int64_t{1} << 60);
  ASSERT_EQ(whole.code, 0) << whole.message;
  for (std::int64_t nth = std::max<std::int64_t>(1, whole.calls - 16); nth <= whole.calls; ++nth) {
    SCOPED_TRACE("call " + std::to_string(nth) + " of " + std::to_string(whole.calls));
    write_bytes(output, "old");
    write_bytes(times, "old");
    const Outcome outcome = run(words, "files", nth);
    EXPECT_EQ(read_bytes(output) == "old", read_bytes(times) == "old") << outcome.message;
    EXPECT_EQ(outcome.code == 0, read_bytes(times) != "old") << outcome.message;
  }
}

/// A thread of its own writes the frames. A write that fails leaves the old file, and so does SIGINT, unless it comes
/// when all frames are there.
TEST_F(CommandFaults, AVideoThatIsNotCompleteReplacesNone) {
  // Videos are written in blocks of 64 KiB.
  for (const auto& [name, source] :
       {std::pair{"moves.apng", "test:64x48@25:2"}, std::pair{"moves.mkv", "test:640x360@25:3"}}) {
    const std::string output = path(name).string();
    const std::vector<std::string> words{"threadscape", "run",  "sobel",     source,  "-q",
                                         "-o",          output, "--backend", "serial"};
    const Outcome whole = run(words, "files elsewhere", never);
    if (whole.code == 2) continue;  // This build was made without the library.
    ASSERT_EQ(whole.code, 0) << whole.message;
    const std::size_t bytes = fs::file_size(output);  // Matroska has random numbers in it.
    for (const char* const kind : {"files elsewhere", "interrupts elsewhere"}) {
      int old = 0, replaced = 0;
      for (std::int64_t nth = 1;; ++nth) {
        SCOPED_TRACE(std::string(name) + ", " + kind + ", call " + std::to_string(nth));
        write_bytes(output, "old");
        const Outcome outcome = run(words, kind, nth);
        if (!outcome.happened) break;
        const bool stays = read_bytes(output) == "old";
        stays ? ++old : ++replaced;
        EXPECT_EQ(outcome.code, stays ? 3 : 0) << outcome.message;
        EXPECT_TRUE(stays || fs::file_size(output) == bytes);
        EXPECT_EQ(names(), std::vector<std::string>{name});
        ASSERT_LT(nth, 1000);
      }
      std::printf("%s, %s: %d old, %d replaced\n", name, kind, old, replaced);
      EXPECT_GT(old + replaced, 2);
    }
    fs::remove(output);
  }
}

TEST_F(CommandFaults, BenchWritesItsReportWhole) {
  const std::string output = path("report.json").string();
  // With more memory, each of the processes would copy a gibibyte for the limit of the machine.
  const std::vector<std::string> words{"threadscape", "bench",   "sobel",       "--backends", "serial",
                                       "--sizes",     "64",      "--reps",      "3",          "--min-time",
                                       "0",           "--limit", "memory=512M", "--json",     output};
  sweep(words, "memory", 40, output, false);
  sweep(words, "files", 20, output, false);
}

TEST_F(CommandFaults, Render) {
  const std::string input = make_input(), output = path("picture.png").string();
  const std::vector<std::string> words{"threadscape", "render", "sobel", input, "-o", output, "--backend", "serial"};
  if (const Outcome outcome = run(words, "memory", std::int64_t{1} << 60); outcome.code != 0)
    GTEST_SKIP() << "no OpenGL: " << outcome.message;
  fs::remove(output);
  sweep(words, "memory", 30, output, true);
  sweep(words, "files", 10, output, true);
}

/// Times of a report are those of a clock that counts from the start of the machine, and no command waits for another.
TEST_F(CommandFaults, AClockThatJumpsChangesNothing) {
  const std::string input = make_input(), report = path("report.json").string(), picture = path("picture.png").string();
  const auto begin = std::chrono::steady_clock::now();
  const auto passed_ms = [&] {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  };
  const Outcome bench = run({"threadscape", "bench", "sobel", "--backends", "serial", "--sizes", "256", "--reps", "5",
                             "--limit", "memory=512M", "--min-time", "0.05", "--max-time", "1", "--json", report},
                            "clock", 0);
  EXPECT_EQ(bench.code, 0) << bench.message;
  EXPECT_GT(bench.calls, 0) << "the report states the time of the day";
  const nlohmann::json json = nlohmann::json::parse(read_bytes(report));
  int samples = 0;
  for (const nlohmann::json& result : json.at("results"))
    for (const nlohmann::json& sample : result.at("compute_ms").at("samples")) {
      ++samples;
      EXPECT_GT(sample.get<double>(), 0.0);
      EXPECT_LT(sample.get<double>(), passed_ms());
    }
  EXPECT_GE(samples, 5);
  const Outcome done = run({"threadscape", "run", "sobel", input, "-o", picture, "--backend", "serial"}, "clock", 0);
  EXPECT_EQ(done.code, 0) << done.message;
  EXPECT_TRUE(fs::exists(picture));
  const Outcome drawn =
      run({"threadscape", "render", "sobel", input, "-o", picture, "--backend", "serial"}, "clock", 0);
  EXPECT_TRUE(drawn.code == 0 || drawn.message.find("OpenGL") != std::string::npos) << drawn.message;
  EXPECT_LT(passed_ms(), 300e3);
}

}  // namespace
}  // namespace threadscape
