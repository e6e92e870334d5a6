#include "app/session/line_code.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <set>
#include <utility>

#include "compute/core/errors.h"
#include "compute/core/low_priority.h"
#include "compute/gpu/launcher.h"
#include "compute/warp/compile.h"
#include "compute/warp/cubin.h"
#include "compute/warp/kernel_parameters.h"

namespace threadscape::app {

namespace {

/// Takes the text up to the end of the line, without blanks at either end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  while (!line.empty() && (line.front() == ' ' || line.front() == '\t'))
    line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == ';'))
    line.remove_suffix(1);
  return line;
}

/// Adds the lines of a file that a comment of nvdisasm names: `File "a.cu", line 3 inlined at "b.cu", line 7`.
void add_places(std::string_view comment, std::string_view file, std::set<int>& lines) {
  constexpr std::string_view behind = "\", line ";
  for (std::size_t begin = comment.find('"'); begin != std::string_view::npos;) {
    const std::size_t end = comment.find(behind, begin + 1);
    if (end == std::string_view::npos) return;
    int line = 0;
    std::from_chars(comment.data() + end + behind.size(), comment.data() + comment.size(), line);
    if (comment.substr(begin + 1, end - begin - 1) == file && line > 0) lines.insert(line);
    begin = comment.find('"', end + behind.size());
  }
}

/// What the kernels of the first run on this input launch, each kernel once.
std::vector<KernelResources> resources_of(const sketch::Sketch& sketch, const sketch::Kernels& kernels,
                                          const sketch::Plan& plan, const warp::GpuModel& gpu) {
  const std::vector<warp::KernelCode> codes = warp::kernels_of_cubin(kernels.cubin);
  std::vector<KernelResources> all;
  std::set<const warp::Function*> known;
  for (const sketch::Call& call : plan.calls) {
    const warp::Function* const kernel = kernels.of_statement[call.statement];
    if (!known.insert(kernel).second) continue;
    KernelResources& one = all.emplace_back();
    one.name = sketch.head.statements[call.statement].kernel;
    one.block.threads = static_cast<int>(std::min<std::uint64_t>(call.block.count(), 1 << 20));
    one.block.shared_bytes = static_cast<std::int64_t>(
        std::min<std::uint64_t>(kernel->shared_bytes + call.shared_bytes, std::uint64_t{1} << 40));
    const auto code = std::ranges::find(codes, kernel->name, &warp::KernelCode::name);
    if (code != codes.end() && code->registers > 0) one.block.registers = code->registers;
    one.occupancy = warp::occupancy_of(gpu, one.block);
  }
  return all;
}

/// What nvdisasm prints of machine code, or else why it does not.
struct Disassembly {
  std::string text, why_none;
};

Disassembly disassembled(const std::string& cubin, const std::stop_token& stop) {
  if (cubin.empty()) return {.text = {}, .why_none = "The compiler has made no machine code."};
  const std::filesystem::path program = warp::toolkit_program("nvdisasm");
  if (program.empty())
    return {.text = {},
            .why_none =
                "Machine code needs nvdisasm: install the CUDA Toolkit, or pip install "
                "nvidia-cuda-nvdisasm and add its folder to PATH."};
  warp::ProcessLimits limits;
  limits.processor = std::chrono::seconds(20);
  limits.stop = stop;
  warp::ProcessEnd end = warp::run_program(
      limits, {.arguments = {program.string(), "-c", "-gi", "/dev/stdin"}, .input = cubin, .errors = false});
  if (end.exit_code == 0) return {.text = std::move(end.output), .why_none = {}};
  return {.text = {},
          .why_none = "nvdisasm " + (end.obstacle.empty() ? "refuses the machine code." : end.obstacle + ".")};
}

}  // namespace

std::vector<int> lines_of(const warp::Module& module, const warp::Instruction& instruction, std::string_view file) {
  std::vector<int> lines;
  // A place that claims to be inlined into itself would be followed without end.
  std::size_t left = module.locations.size();
  for (std::size_t at = instruction.location; at > 0 && at < module.locations.size() && left > 0; --left) {
    const warp::Location& place = module.locations[at];
    const bool known = place.file > 0 && place.file < static_cast<int>(module.files.size());
    if (known && module.files[static_cast<std::size_t>(place.file)] == file &&
        std::ranges::find(lines, place.line) == lines.end())
      lines.push_back(place.line);
    at = static_cast<std::size_t>(std::max(0, place.inlined_at));
  }
  return lines;
}

const warp::Function* counted_function(const ObservedKernel& kernel) {
  if (kernel.first == nullptr) return nullptr;
  const auto function = std::ranges::find(kernel.module->functions, kernel.first->kernel(), &warp::Function::name);
  const bool counted = function != kernel.module->functions.end() &&
                       function->instructions.size() == kernel.study.launch.instructions.size();
  return counted ? &*function : nullptr;
}

std::map<int, warp::Counts> counts_of_lines(const ObservedKernel& kernel, std::string_view file) {
  std::map<int, warp::Counts> counts;
  const warp::Module& module = *kernel.module;
  for (const warp::LineCounts& line : kernel.study.launch.lines)
    if (line.file > 0 && module.files[static_cast<std::size_t>(line.file)] == file) counts[line.line] += line.counts;
  const warp::Function* const function = counted_function(kernel);
  if (function == nullptr) return counts;
  for (std::size_t i = 0; i < function->instructions.size(); ++i) {
    const warp::Instruction& instruction = function->instructions[i];
    const std::vector<int> lines = lines_of(module, instruction, file);
    if (lines.empty()) continue;
    const warp::Location& own = module.locations[instruction.location];
    const bool is_own = own.file > 0 && module.files[static_cast<std::size_t>(own.file)] == file;
    for (const int line : std::set<int>(lines.begin(), lines.end()))
      if (!is_own || line != own.line) counts[line] += kernel.study.launch.instructions[i];
  }
  return counts;
}

bool belongs_to(const warp::Module& module, const warp::Instruction& instruction, std::string_view file, int line) {
  const std::vector<int> lines = lines_of(module, instruction, file);
  return std::ranges::find(lines, line) != lines.end();
}

std::string file_of(const warp::Module& module, const warp::Function& function) {
  std::map<int, std::size_t> instructions;
  for (const warp::Instruction& instruction : function.instructions) {
    std::size_t at = instruction.location;
    for (std::size_t left = module.locations.size(); left > 0 && module.locations[at].inlined_at > 0; --left)
      at = static_cast<std::size_t>(module.locations[at].inlined_at);
    ++instructions[module.locations[at].file];
  }
  instructions.erase(0);
  const auto most = std::ranges::max_element(instructions, {}, [](const auto& one) { return one.second; });
  if (most == instructions.end() || most->first >= static_cast<int>(module.files.size())) return {};
  return module.files[static_cast<std::size_t>(most->first)];
}

InstructionsOfLines ptx_of_lines(const warp::Module& module, std::string_view text, std::string_view file) {
  std::vector<std::string_view> lines;
  while (!text.empty())
    lines.push_back(take_line(text));
  InstructionsOfLines found;
  for (const warp::Function& function : module.functions)
    for (const warp::Instruction& instruction : function.instructions) {
      if (instruction.ptx_line == 0 || instruction.ptx_line > lines.size()) continue;
      std::string line(lines[instruction.ptx_line - 1]);
      std::ranges::replace(line, '\t', ' ');
      for (const int place : lines_of(module, instruction, file))
        found[place].push_back(line);
    }
  return found;
}

std::vector<PlacedInstruction> sass_of(std::string_view disassembly, std::string_view file, std::string_view kernel) {
  constexpr std::string_view section = ".section\t.text.";
  std::vector<PlacedInstruction> found;
  std::set<int> places;
  bool in_comment = false, wanted = kernel.empty();
  while (!disassembly.empty()) {
    std::string_view line = take_line(disassembly);
    const bool comment = line.starts_with("//## File");
    if (comment && !in_comment) places.clear();
    in_comment = comment;
    if (comment) add_places(line, file, places);
    if (line.starts_with(".section")) {
      places.clear();
      line.remove_prefix(line.starts_with(section) ? section.size() : line.size());
      wanted = kernel.empty() || line.substr(0, line.find_first_of(", ")) == kernel;
    }
    const std::size_t address = line.starts_with("/*") ? line.find("*/") : std::string_view::npos;
    if (!wanted || address == std::string_view::npos) continue;
    const std::size_t text = line.find_first_not_of(' ', address + 2);
    if (text != std::string_view::npos) found.push_back({.text = std::string(line.substr(text)), .lines = places});
  }
  return found;
}

InstructionsOfLines sass_of_lines(std::string_view disassembly, std::string_view file) {
  InstructionsOfLines found;
  for (const PlacedInstruction& instruction : sass_of(disassembly, file))
    for (const int line : instruction.lines)
      found[line].push_back(instruction.text);
  return found;
}

MachineCode machine_code(const warp::Module& module, const std::string& kernel, sketch::LiveSketch* live,
                         const warp::GpuModel& gpu, const std::string& file, const std::stop_token& stop) {
  MachineCode code;
  try {
    std::string cubin;
    if (live != nullptr) {
      cubin = live->kernels_for(gpu.capability, stop)->cubin;
    } else if (warp::toolkit_program("ptxas").empty()) {
      code.why_none = "Machine code of the program's kernels needs ptxas and nvdisasm: install the CUDA Toolkit.";
      return code;
    } else {
      cubin = warp::assemble(warp::kernel_alone(gpu::ptx_of(module), kernel), gpu.capability,
                             {.processor = std::chrono::seconds(20), .stop = stop});
    }
    Disassembly disassembly = disassembled(cubin, stop);
    code.why_none = std::move(disassembly.why_none);
    code.instructions = sass_of(disassembly.text, file, kernel);
    if (code.why_none.empty() && code.instructions.empty())
      code.why_none = "nvdisasm prints no instructions of this kernel.";
  } catch (const std::exception& error) {
    code.why_none = error.what();
  }
  return code;
}

LineCode line_code(sketch::LiveSketch& live, const std::vector<sketch::Value>& values, const Shape& input,
                   const warp::GpuModel& gpu, const std::stop_token& stop) {
  LineCode code;
  code.gpu = &gpu;
  try {
    const sketch::Sketch& sketch = live.sketch();
    const std::shared_ptr<const sketch::Kernels> kernels = live.kernels_for(gpu.capability, stop);
    code.architecture = kernels->architecture;
    const Shape accepted = sketch::accepted_shape(sketch, input);
    code.kernels =
        resources_of(sketch, *kernels,
                     sketch::make_plan(sketch, values, accepted, sketch::result_shape(sketch, values, accepted)), gpu);
    code.ptx = ptx_of_lines(kernels->module, kernels->ptx, sketch.file.string());
    Disassembly disassembly = disassembled(kernels->cubin, stop);
    code.why_no_sass = std::move(disassembly.why_none);
    code.sass = sass_of_lines(disassembly.text, sketch.file.string());
  } catch (const std::exception& error) {
    code.problem = error.what();
  }
  return code;
}

void LineCodeFinder::follow(const Wanted& wanted, const std::function<void()>& wake) {
  if (thread_.valid() && thread_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    LineCode code = thread_.get();
    if (!std::exchange(outdated_, false)) found_ = std::move(code);
  }
  if (wanted == wanted_) return;
  if (thread_.valid()) {  // The old one ends first.
    stop_.request_stop();
    outdated_ = true;
    return;
  }
  wanted_ = wanted;
  stop_ = std::stop_source();
  thread_ = std::async(std::launch::async, [wanted, wake, stop = stop_.get_token()] {
    take_low_priority();
    LineCode code = line_code(*wanted.live, wanted.values, wanted.input, *wanted.gpu, stop);
    wake();
    return code;
  });
}

void LineCodeFinder::stop() {
  if (!thread_.valid()) return;
  stop_.request_stop();
  outdated_ = true;
  wanted_ = {};
}

void LineCodeFinder::clear() {
  stop();
  wanted_ = {};
  found_.reset();
}

}  // namespace threadscape::app
