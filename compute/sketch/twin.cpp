#include "compute/sketch/twin.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "compute/core/errors.h"
#include "compute/core/resources.h"
#include "compute/sketch/confine.h"
#include "compute/warp/compile.h"

namespace threadscape::sketch {

namespace fs = std::filesystem;

namespace {

/// The descriptors of a twin's process: its arena, and the words of its calls.
constexpr int arena_file = 3, calls_file = 4;
/// Where the words of the calls lie in the process.
constexpr std::uint64_t calls_base = Arena::base - (std::uint64_t{1} << 40);
/// The exit codes of the process where its memory or its rights are not as they must be.
constexpr int no_memory = 120, not_confined = 121;
/// What the process writes into the first word once all calls are made.
constexpr std::uint64_t done = 0x656e6f64;
constexpr std::uint64_t max_memory = std::uint64_t{4} << 30;

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(value));
  return text.data();
}

/// What follows the source: a function that makes one call, and main(). A call is the number of its pass, and the
/// addresses of its arguments.
std::string glue_of(const Sketch& sketch) {
  const Head& head = sketch.head;
  std::string text =
      "\n#include <cstring>\n#include <sys/mman.h>\nstatic void threadscape_call(const unsigned long* call) {\n";
  text += "  switch (call[0]) {\n";
  for (std::size_t i = 0; i < head.statements.size(); ++i) {
    const Statement& pass = head.statements[i];
    if (pass.kind != Statement::Kind::pass) continue;
    text += line_directive(sketch, pass.line) + "    case " + std::to_string(i) + ": " + pass.kernel + "(";
    const std::vector<std::string> types = argument_types(head, pass);
    for (std::size_t k = 0; k < types.size(); ++k)
      text += (k == 0 ? "*(" : ", *(") + types[k] + "*)call[" + std::to_string(k + 1) + "]";
    text += ");\n      return;\n";
  }
  text += "  }\n}\n#line 1 \"threadscape\"\nint main(int, char** sizes) {\n";
  const auto map = [&](const std::string& name, std::uint64_t base, int index, int file) {
    text += "  char* " + name + " = (char*)" + hexadecimal(base) + "UL;\n  if (mmap(" + name + ", std::strtoul(sizes[" +
            std::to_string(index) + "], nullptr, 10), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, " +
            std::to_string(file) + ", 0) != " + name + ") return " + std::to_string(no_memory) + ";\n";
  };
  map("memory", Arena::base, 1, arena_file);
  map("words", calls_base, 2, calls_file);
  text += "  (void)memory;\n  unsigned long* const calls = (unsigned long*)words;\n";
  std::size_t list = 0;
  for (const Parameter& parameter : head.parameters)
    if (parameter.constant)
      text += "  std::memcpy(" + parameter.name + ", (const void*)calls[" + std::to_string(2 + list++) + "], sizeof " +
              parameter.name + ");\n";
  text += "  for (unsigned long* call = calls + " + std::to_string(2 + list) +
          "; call[0] != 0; call += call[0] + 1) threadscape_call(call + 1);\n  calls[0] = " + hexadecimal(done) +
          ";\n  return 0;\n}\n";
  return "#include <cstdlib>\n#include \"threadscape.h\"\n" + line_directive(sketch, 1) + sketch.source + text;
}

/// The words that the process reads: whether it is done, the number of words, the addresses of lists in constant
/// memory, and each call behind its length, up to a 0. The arguments stand behind them.
std::vector<std::byte> words_of(const Sketch& sketch, const Plan& plan) {
  std::vector<std::uint64_t> words{0, 0};
  for (const Parameter& parameter : sketch.head.parameters)
    if (parameter.constant) words.push_back(Arena::base + plan.buffer(parameter.name).offset);
  std::size_t count = words.size() + 1;
  for (const Call& call : plan.calls)
    count += 2 + call.arguments.size();
  std::vector<std::byte> arguments;
  for (const Call& call : plan.calls) {
    words.push_back(1 + call.arguments.size());
    words.push_back(call.statement);
    for (const Argument& argument : call.arguments) {
      words.push_back(calls_base + count * sizeof(std::uint64_t) + arguments.size());
      arguments.insert(arguments.end(), argument.bytes.begin(), argument.bytes.end());
      arguments.resize((arguments.size() + 15) / 16 * 16);
    }
  }
  words.push_back(0);
  words[1] = count;
  std::vector<std::byte> bytes(words.size() * sizeof(std::uint64_t));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  bytes.insert(bytes.end(), arguments.begin(), arguments.end());
  return bytes;
}

/// The compiler of the system; empty if there is none.
fs::path host_compiler() {
  for (const char* name : {"g++", "c++", "clang++"})
    if (fs::path program = warp::toolkit_program(name); !program.empty()) return program;
  return {};
}

/// The error for a source: the first line of the log that has one.
[[noreturn]] void refuse(const Sketch& sketch, const warp::ProcessEnd& end) {
  const std::string what = "cannot compile '" + sketch.file.string() + "': ";
  if (!end.obstacle.empty()) throw warp::CompileError(what + "the compiler " + end.obstacle, end.output);
  const std::size_t error = end.output.find("error:");
  const std::size_t begin = error == std::string::npos ? 0 : end.output.rfind('\n', error) + 1;
  throw warp::CompileError(what + end.output.substr(begin, end.output.find('\n', begin) - begin), end.output);
}

}  // namespace

Twin::~Twin() {
  std::error_code error;
  fs::remove_all(folder_, error);
}

std::shared_ptr<const Twin> compile_twin(const Sketch& sketch, const std::stop_token& stop) {
  const fs::path compiler = host_compiler();
  if (compiler.empty())
    throw EnvironmentError("a sketch in C++ needs a compiler: install g++ (apt install g++) or clang++");
  const char* place = std::getenv("TMPDIR");
  std::string pattern = std::string(place != nullptr ? place : "/tmp") + "/threadscape-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr)
    throw EnvironmentError("cannot make a folder for a program in '" + pattern + "': " + std::strerror(errno));
  auto twin = std::make_shared<const Twin>(pattern);
  const fs::path source = twin->folder() / "source.cpp";
  std::ofstream(source, std::ios::binary) << glue_of(sketch);
  const fs::path beside = sketch.file.parent_path();
  warp::ProcessLimits limits;
  limits.processor = std::chrono::seconds(20);
  limits.stop = stop;
  const warp::ProcessEnd end = warp::run_program(
      limits,
      {.arguments = {compiler.string(), "-std=c++17", "-O2", "-ffp-contract=off", "-fopenmp",
                     "-I" + (beside.empty() ? std::string(".") : beside.string()),
                     "-I" + (asset_folder() / "sketches").string(), source.string(), "-o", twin->program().string()}});
  if (end.exit_code != 0) refuse(sketch, end);
  return twin;
}

void run_twin(const Sketch& sketch, const Twin& twin, const std::vector<Value>& values, const Plan& plan,
              const Arena& arena, const TwinRun& run) {
  poison(plan, sketch, values, arena);
  const std::vector<std::byte> words = words_of(sketch, plan);
  const Arena calls(words.size());
  std::memcpy(calls.data(), words.data(), words.size());
  warp::ProcessLimits limits;
  const auto seconds =
      static_cast<std::uint64_t>(run.time.count() / 1000 + 1) * static_cast<std::uint64_t>(run.threads);
  limits.time = run.time;
  limits.processor = std::chrono::seconds(seconds);
  limits.memory = max_memory + arena.size();
  limits.output = 1 << 20;
  limits.stop = run.stop;
  const std::string program = twin.program().string(), threads = "OMP_NUM_THREADS=" + std::to_string(run.threads),
                    arena_size = std::to_string(arena.size()), calls_size = std::to_string(calls.size());
  const warp::ProcessEnd end = warp::run_limited(limits, [&](int output) {
    // Both files may have the number of the other's place.
    const int memory = fcntl(arena.file(), F_DUPFD, 16), other = fcntl(calls.file(), F_DUPFD, 16);
    dup2(output, STDOUT_FILENO);
    if (memory < 0 || other < 0 || dup2(memory, arena_file) < 0 || dup2(other, calls_file) < 0) return no_memory;
    (void)syscall(SYS_close_range, calls_file + 1, ~0U, 0);
    if (!confine(twin.folder(), limits.memory, seconds)) return not_confined;
    std::array<char*, 4> arguments{const_cast<char*>(program.c_str()), const_cast<char*>(arena_size.c_str()),
                                   const_cast<char*>(calls_size.c_str()), nullptr};
    std::array<char*, 2> environment{const_cast<char*>(threads.c_str()), nullptr};
    execve(program.c_str(), arguments.data(), environment.data());
    return no_memory;
  });
  if (run.stop.stop_requested()) throw Cancelled();
  const std::string& name = sketch.head.name;
  if (end.exit_code == not_confined)
    throw EnvironmentError(name + ": this system has no seccomp, without which programs of users are not run");
  if (end.exit_code == no_memory) throw EnvironmentError(name + ": its process has no memory for its data");
  if (!end.obstacle.empty()) throw Error(ExitCode::check_failed, name + ": its process " + end.obstacle);
  std::uint64_t first = 0;
  std::memcpy(&first, calls.data(), sizeof first);
  if (end.exit_code != 0 || first != done)
    throw Error(ExitCode::check_failed,
                name + ": its process ended before its work was done, with exit code " + std::to_string(end.exit_code));
}

}  // namespace threadscape::sketch
