// threadscape-nvrtc: compiles a source by NVRTC. It is a program of its own, because a compiler of text that a user
// wrote may loop, allocate without end or crash, and because a library cannot be used in the copy of a process that has
// threads.
//
// Standard input is a list of texts (compute/warp/texts.h): the file, the compute capability times ten, "1" if machine
// code is wanted, the source, the number of options, the options, and the expressions that are wanted. Standard output
// is one, too: "1" for success, the version of NVRTC, the architecture, the log, PTX, machine code, and each expression
// with its name in PTX. The exit code is 0, or 3 where NVRTC is not found.

#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "compute/warp/limited_process.h"
#include "compute/warp/nvrtc.h"
#include "compute/warp/texts.h"

namespace {

using namespace threadscape::warp;
namespace fs = std::filesystem;

/// Makes functions without annotations those of the device: those that are left are constexpr.
constexpr const char* for_constexpr = "-default-device";

/// Leaves out what NVRTC declares of textures and of the runtime, which takes a third of the time of a small kernel.
constexpr const char* minimal = "--minimal";

struct Job {
  fs::path file;
  int capability = 0;
  bool machine_code = true;
  std::string source;
  std::vector<std::string> options, expressions;
};

Job parse(std::string_view list) {
  const auto next = [&list] { return take_text(list).value_or(""); };
  Job job;
  job.file = next();
  job.capability = std::atoi(next().c_str());
  job.machine_code = next() == "1";
  job.source = next();
  for (int left = std::atoi(next().c_str()); left > 0; --left)
    job.options.push_back(next());
  while (std::optional<std::string> expression = take_text(list))
    job.expressions.push_back(std::move(*expression));
  return job;
}

/// Returns true if a source may need what `minimal` leaves out.
bool mentions_runtime(std::string_view source) {
  for (const std::string_view word : {"cuda", "tex", "surf", "#include <"})
    if (source.find(word) != std::string_view::npos) return true;
  return false;
}

std::vector<std::string> options_of(const Job& job, int architecture) {
  std::vector<std::string> options{
      "--std=c++17", "-lineinfo",
      (job.machine_code ? "--gpu-architecture=sm_" : "--gpu-architecture=compute_") + std::to_string(architecture)};
  if (!job.machine_code && !mentions_runtime(job.source)) options.emplace_back(minimal);
  const fs::path folder = job.file.parent_path();
  options.push_back("-I" + (folder.empty() ? std::string(".") : folder.string()));
  if (const fs::path headers = toolkit_headers(); !headers.empty()) {
    options.push_back("-I" + headers.string());
    options.push_back("-I" + (headers / "cccl").string());
  }
  options.insert(options.end(), job.options.begin(), job.options.end());
  return options;
}

/// Compiles. A host's headers count as empty, and host functions are left out, until nothing of them is in the way.
NvrtcResult compile(const Nvrtc& nvrtc, Job job, int architecture) {
  std::vector<std::string> options = options_of(job, architecture), empty;
  NvrtcResult result;
  for (int round = 0; round < 50; ++round) {
    result = nvrtc.compile(job.source, job.file.string(), options, job.expressions, empty);
    if (result.compiled) break;
    // Old libraries do not know the option.
    if (result.log.find(std::string("unrecognized option ") + minimal) != std::string::npos) {
      std::erase(options, minimal);
      continue;
    }
    if (std::string header = missing_header(result.log); !header.empty()) {
      empty.push_back(std::move(header));
      continue;
    }
    std::string kernels = without_functions(job.source, refused_host_functions(result.log));
    if (kernels == job.source && options.back() == for_constexpr) break;
    if (result.log.find("is considered a host") == std::string::npos && kernels == job.source) break;
    job.source = std::move(kernels);
    if (options.back() != for_constexpr) options.emplace_back(for_constexpr);
  }
  return result;
}

/// Compiles a kernel that does nothing, unless input comes first: what a first compilation loads and allocates is there
/// then. The pause keeps it from what runs while the program starts.
void warm_up(const Nvrtc& nvrtc) {
  constexpr int pause_ms = 400;
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  if (!nvrtc.opened() || poll(&input, 1, pause_ms) != 0) return;
  Job job;
  job.machine_code = false;
  job.source = "__global__ void nothing(float* out) { out[threadIdx.x] = 0; }";
  job.file = "nothing.cu";
  (void)compile(nvrtc, job, nvrtc.architecture_for(90));
}

}  // namespace

int main() {
  // The library is loaded while the source may still be written.
  const Nvrtc nvrtc;
  warm_up(nvrtc);
  const std::string input = read_all(STDIN_FILENO);
  if (input.empty()) _exit(1);
  if (!nvrtc.opened()) _exit(nvrtc_not_found);
  Job job = parse(input);
  const int architecture = nvrtc.architecture_for(job.capability);
  const NvrtcResult result = compile(nvrtc, std::move(job), architecture);
  std::string answer;
  for (const std::string& text : {std::string(result.compiled ? "1" : "0"), result.version,
                                  std::to_string(architecture), result.log, result.ptx, result.cubin})
    put_text(answer, text);
  for (const auto& [expression, name] : result.names) {
    put_text(answer, expression);
    put_text(answer, name);
  }
  // The system takes back what NVRTC has, whose threads may be under way.
  _exit(write_all(STDOUT_FILENO, answer.data(), answer.size()) ? 0 : 1);
}
