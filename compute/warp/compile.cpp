#include "compute/warp/compile.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "compute/core/errors.h"
#include "compute/warp/nvrtc.h"
#include "compute/warp/texts.h"
#include "compute/warp/waiting_slot.h"

namespace threadscape::warp {

namespace fs = std::filesystem;

namespace {

/// The error for a source: the first line of the log that has one.
CompileError compile_error(const CompileRequest& request, const std::string& log) {
  std::string first;
  int errors = 0;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size());
    const std::string_view line = std::string_view(log).substr(at, end - at);
    if (line.find("error") != std::string_view::npos && line.find(" detected in ") == std::string_view::npos &&
        errors++ == 0)
      first = line;
    at = end + 1;
  }
  if (errors > 1) first += " (and " + std::to_string(errors - 1) + (errors == 2 ? " more error)" : " more errors)");
  return {"cannot compile '" + request.file.string() + "': " + (errors > 0 ? first : log.substr(0, log.find('\n'))),
          log};
}

/// The compiler that waits for a source.
WaitingSlot& waiting_compiler() {
  static WaitingSlot only("threadscape-nvrtc");
  return only;
}

/// Compiles by NVRTC in a process of its own.
ProcessEnd compile_by_nvrtc(const CompileRequest& request) {
  const fs::path program = program_beside("threadscape-nvrtc");
  if (program.empty()) return {.output = "", .exit_code = nvrtc_not_found, .obstacle = ""};
  std::string job;
  for (const std::string& text :
       {request.file.string(), std::to_string(request.capability), std::string(request.machine_code ? "1" : "0"),
        request.source, std::to_string(request.options.size())})
    put_text(job, text);
  for (const std::vector<std::string>& list : {request.options, request.expressions})
    for (const std::string& text : list)
      put_text(job, text);
  // Nobody waits for machine code as for PTX.
  if (!request.machine_code)
    if (const std::unique_ptr<WaitingProgram> waiting = waiting_compiler().take(request.limits))
      if (std::optional<ProcessEnd> end = waiting->finish(request.limits, job)) return *std::move(end);
  return run_program(request.limits, {.arguments = {program.string()}, .input = std::move(job), .errors = false});
}

/// A folder for files between programs, which is removed with everything in it.
class ScratchFolder {
 public:
  ScratchFolder() {
    const char* place = std::getenv("TMPDIR");
    std::string pattern = std::string(place != nullptr ? place : "/tmp") + "/threadscape-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr)
      throw EnvironmentError("cannot make a folder for the compiler in '" + pattern + "': " + std::strerror(errno));
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Compiles by nvcc; nothing where it is absent. `log` gets what it says.
std::optional<Compiled> compile_by_nvcc(const CompileRequest& request, std::string& log) {
  const fs::path nvcc = toolkit_program("nvcc");
  if (nvcc.empty() || !request.expressions.empty()) return {};
  const ScratchFolder folder;
  const fs::path ptx = folder.path() / "kernels.ptx", source = folder.path() / "source.cu";
  std::ofstream(source, std::ios::binary) << "#line 1 \"" << request.file.string() << "\"\n" << request.source;
  const fs::path beside = request.file.parent_path();
  std::vector<std::string> arguments{nvcc.string(),
                                     "-ptx",
                                     "-lineinfo",
                                     "-std=c++17",
                                     "-arch=compute_" + std::to_string(request.capability),
                                     "-I" + (beside.empty() ? std::string(".") : beside.string()),
                                     source.string(),
                                     "-o",
                                     ptx.string()};
  arguments.insert(arguments.end(), request.options.begin(), request.options.end());
  const ProcessEnd end = run_program(request.limits, {.arguments = std::move(arguments)});
  log = end.output + end.obstacle;
  if (end.exit_code != 0) return {};
  Compiled compiled;
  compiled.ptx = content_of(ptx);
  compiled.compiler = "nvcc";
  compiled.architecture = request.capability;
  if (request.machine_code) compiled.cubin = assemble(compiled.ptx, request.capability, request.limits);
  return compiled;
}

}  // namespace

fs::path toolkit_program(std::string_view name) {
  std::vector<fs::path> folders;
  if (const char* path = std::getenv("PATH")) {
    std::string_view rest = path;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* folder = std::getenv(variable)) folders.push_back(fs::path(folder) / "bin");
  folders.emplace_back("/usr/local/cuda/bin");
  for (const fs::path& folder : folders)
    if (fs::path program = folder / name; access(program.c_str(), X_OK) == 0) return program;
  return {};
}

void prepare_compiler(const ProcessLimits& limits) {
  waiting_compiler().prepare(limits);
}

std::string assemble(std::string_view ptx, int architecture, const ProcessLimits& limits) {
  const fs::path ptxas = toolkit_program("ptxas");
  if (ptxas.empty()) return {};
  const ScratchFolder folder;
  const fs::path in = folder.path() / "kernels.ptx", out = folder.path() / "kernels.cubin";
  std::ofstream(in, std::ios::binary) << ptx;
  const ProcessEnd end =
      run_program(limits, {.arguments = {ptxas.string(), "-lineinfo", "-arch=sm_" + std::to_string(architecture),
                                         in.string(), "-o", out.string()}});
  return end.exit_code == 0 ? content_of(out) : std::string();
}

std::string kernel_alone(std::string_view ptx, std::string_view kernel) {
  constexpr std::string_view entry = ".entry ";
  std::string left;
  while (!ptx.empty()) {
    const std::size_t at = std::min(ptx.find(entry), ptx.size());
    const std::string_view name = ptx.substr(std::min(at + entry.size(), ptx.size()));
    const std::size_t begin = at == ptx.size() ? at : ptx.rfind('\n', at) + 1;
    std::size_t end = std::min(ptx.find('{', at), ptx.size());
    for (int depth = 0; end < ptx.size();) {
      depth += ptx[end] == '{' ? 1 : ptx[end] == '}' ? -1 : 0;
      ++end;
      if (depth == 0) break;
    }
    const bool wanted = name.starts_with(kernel) && name.find_first_of("( \t\n") == kernel.size();
    left += ptx.substr(0, wanted ? end : begin);
    if (!wanted) left.append(static_cast<std::size_t>(std::count(ptx.begin() + begin, ptx.begin() + end, '\n')), '\n');
    ptx.remove_prefix(end);
  }
  return left;
}

Compiled compile_cuda(const CompileRequest& request) {
  Compiled compiled;
  if (request.file.extension() == ".ptx") {
    compiled.ptx = request.source;
    compiled.architecture = request.capability;
    compiled.cubin = assemble(request.source, request.capability, request.limits);
    return compiled;
  }
  const ProcessEnd end = compile_by_nvrtc(request);
  const std::string what = "cannot compile '" + request.file.string() + "': ";
  if (!end.obstacle.empty()) throw CompileError(what + "the compiler " + end.obstacle, "");
  std::string log;
  if (end.exit_code == nvrtc_not_found) {
    if (std::optional<Compiled> by_nvcc = compile_by_nvcc(request, log)) return *by_nvcc;
    if (log.empty()) throw EnvironmentError(std::string(nvrtc_cure));
    throw compile_error(request, log);
  }
  std::string_view rest = end.output;
  std::array<std::string, 6> parts;
  for (std::string& part : parts) {
    std::optional<std::string> text = take_text(rest);
    if (end.exit_code != 0 || !text) throw EnvironmentError(what + "NVRTC ended without a result");
    part = std::move(*text);
  }
  compiled.compiler = "NVRTC " + parts[1];
  compiled.architecture = std::atoi(parts[2].c_str());
  if (parts[0] != "1") {
    if (request.retry_by_nvcc)
      if (std::optional<Compiled> by_nvcc = compile_by_nvcc(request, log)) return *by_nvcc;
    throw compile_error(request, parts[3]);
  }
  compiled.ptx = std::move(parts[4]);
  compiled.cubin = std::move(parts[5]);
  while (std::optional<std::string> expression = take_text(rest))
    if (std::optional<std::string> name = take_text(rest)) compiled.names.emplace_back(*expression, *name);
  return compiled;
}

}  // namespace threadscape::warp
