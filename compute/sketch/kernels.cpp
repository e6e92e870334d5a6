#include "compute/sketch/kernels.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "compute/core/errors.h"
#include "compute/core/resources.h"
#include "compute/sketch/gpu_run.h"
#include "compute/warp/kernel_parameters.h"

namespace threadscape::sketch {

namespace {

/// Statements behind the source that do not compile unless each kernel takes what its pass gives. Their lines are those
/// of the head.
std::string checks_of(const Sketch& sketch) {
  std::string text = "\n";
  const auto add = [&](int line, const std::string& condition, const std::string& message) {
    text += line_directive(sketch, line) + "static_assert(" + condition + ", \"" + message + "\");\n";
  };
  for (const Statement& pass : sketch.head.statements) {
    if (pass.kind != Statement::Kind::pass) continue;
    std::string types;
    for (const std::string& type : argument_types(sketch.head, pass))
      types += (types.empty() ? "" : ", ") + type;
    add(pass.line, "Launch<decltype(" + pass.kernel + ")>::fits<" + types + ">",
        "the kernel " + pass.kernel + " takes (" + types + ")");
  }
  for (const Parameter& parameter : sketch.head.parameters)
    if (parameter.constant) {
      const std::string count = std::to_string(parameter.values.size());
      add(1, "sizeof(" + parameter.name + ") == " + count + " * sizeof(float)",
          "the source has: __constant__ float " + parameter.name + "[" + count + "]");
    }
  return text;
}

/// A variable of the module that stays from one launch of a run to the next.
struct Kept {
  const warp::Variable* variable = nullptr;
  std::vector<std::byte> bytes;
};

std::vector<Kept> kept_variables(const warp::Module& module, const Plan& plan) {
  std::vector<Kept> kept;
  for (const warp::Variable& variable : module.variables) {
    const bool in_memory = variable.space == warp::Space::Global || variable.space == warp::Space::Const;
    const bool given = std::ranges::find(plan.buffers, variable.name, &Buffer::name) != plan.buffers.end();
    if (!in_memory || given || variable.external || !variable.references.empty()) continue;
    std::vector<std::byte> bytes = variable.initial;
    bytes.resize(std::max<std::size_t>(variable.bytes, 1));
    kept.push_back({&variable, std::move(bytes)});
  }
  return kept;
}

/// Throws unless every value of the result was written.
void require_written(const Sketch& sketch, const Buffer& out, const std::vector<std::uint8_t>& written) {
  const Shape& shape = out.shape;
  const std::size_t size = shape.pixel_bytes();
  std::int64_t missing = 0;
  std::string first;
  for (std::int64_t row = 0; row < shape.height * shape.depth; ++row) {
    const auto begin = written.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * out.pitch);
    if (std::memchr(&*begin, 0, static_cast<std::size_t>(shape.width) * size) == nullptr) continue;
    for (std::int64_t x = 0; x < shape.width; ++x) {
      const auto at = begin + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(x) * size);
      if (std::find(at, at + static_cast<std::ptrdiff_t>(size), 0) == at + static_cast<std::ptrdiff_t>(size)) continue;
      if (missing++ == 0)
        first = "x " + std::to_string(x) + ", y " + std::to_string(row % shape.height) +
                (shape.depth > 1 ? ", z " + std::to_string(row / shape.height) : "");
    }
  }
  if (missing > 0)
    throw Error(ExitCode::check_failed, sketch.head.name + " has not written " + std::to_string(missing) + " of " +
                                            std::to_string(shape.items()) + " values of its result, the first at " +
                                            first);
}

/// Processor time that a sketch may take to be compiled.
constexpr std::chrono::seconds compiler_time{20};

/// The bytes of a kernel's arguments. Throws UsageError for a kernel that takes others.
std::vector<std::byte> lay_out(const Sketch& sketch, const warp::Function& kernel, const Call& call) {
  std::vector<std::byte> bytes(kernel.parameter_bytes);
  const std::vector<warp::Variable>& parameters = kernel.parameters;
  for (std::size_t i = 0; i < std::max(parameters.size(), call.arguments.size()); ++i) {
    const bool fits =
        i < parameters.size() && i < call.arguments.size() && parameters[i].bytes == call.arguments[i].bytes.size();
    if (!fits)
      throw UsageError(place_of(sketch, sketch.head.statements[call.statement].line) + ": argument " +
                       std::to_string(i + 1) + " is not what the kernel takes");
    std::memcpy(bytes.data() + parameters[i].offset, call.arguments[i].bytes.data(), parameters[i].bytes);
  }
  return bytes;
}

}  // namespace

void prepare_for_runs() {
  warp::ProcessLimits limits;
  limits.processor = compiler_time;
  warp::prepare_compiler(limits);
  if (has_gpu_driver()) prepare_gpu();
}

std::shared_ptr<const Kernels> compile_kernels(const Sketch& sketch, const std::stop_token& stop, int capability,
                                               bool machine_code) {
  warp::CompileRequest request;
  request.source = "#include \"threadscape.h\"\n" + line_directive(sketch, 1) + sketch.source + checks_of(sketch);
  request.file = sketch.file;
  request.capability = capability;
  request.options = {"-I" + (asset_folder() / "sketches").string(), "--fmad=false"};
  request.retry_by_nvcc = false;
  request.machine_code = machine_code;
  request.limits.processor = compiler_time;
  request.limits.stop = stop;
  for (const Statement& pass : sketch.head.statements)
    if (pass.kernel.find('<') != std::string::npos &&
        std::ranges::find(request.expressions, pass.kernel) == request.expressions.end())
      request.expressions.push_back(pass.kernel);
  return kernels_of(sketch, warp::compile_cuda(request));
}

std::shared_ptr<Kernels> kernels_of(const Sketch& sketch, warp::Compiled compiled) {
  auto kernels = std::make_shared<Kernels>();
  kernels->module = warp::parse_ptx(compiled.ptx);
  kernels->ptx = std::move(compiled.ptx);
  kernels->cubin = std::move(compiled.cubin);
  kernels->compiler = std::move(compiled.compiler);
  kernels->architecture = compiled.architecture;
  for (const Statement& pass : sketch.head.statements) {
    const auto instance = std::ranges::find(compiled.names, pass.kernel, [](const auto& name) { return name.first; });
    const std::string& name = instance == compiled.names.end() ? pass.kernel : instance->second;
    kernels->of_statement.push_back(pass.kind == Statement::Kind::pass ? &warp::find_kernel(kernels->module, name)
                                                                       : nullptr);
  }
  return kernels;
}

void run_on_machine(const Sketch& sketch, const Kernels& kernels, const std::vector<Value>& values, const Plan& plan,
                    const Arena& arena, const MachineRun& run) {
  poison(plan, sketch, values, arena);
  std::map<std::string, std::vector<std::uint8_t>> written;
  std::vector<warp::Allocation> memory;
  for (const Buffer& buffer : plan.buffers) {
    warp::Allocation one{.name = buffer.name,
                         .address = Arena::base + buffer.offset,
                         .memory = arena.data() + buffer.offset,
                         .bytes = buffer.bytes};
    one.read_only = buffer.name == "in" || buffer.shape.kind == Kind::none;
    // The machine finds reads of what nothing has written.
    if (!one.read_only)
      one.written = written.emplace(buffer.name, std::vector<std::uint8_t>(buffer.bytes)).first->second.data();
    memory.push_back(std::move(one));
  }
  std::vector<Kept> kept = kept_variables(kernels.module, plan);
  std::uint64_t address = Arena::base + arena.size() + (std::uint64_t{1} << 32);
  for (Kept& one : kept) {
    memory.push_back({.name = one.variable->name,
                      .address = address,
                      .memory = one.bytes.data(),
                      .bytes = one.bytes.size(),
                      .read_only = one.variable->space == warp::Space::Const});
    address += (one.bytes.size() + 8191) / 4096 * 4096;
  }
  std::uint64_t left = run.instructions;
  for (const Call& call : plan.calls) {
    const warp::Function& kernel = *kernels.of_statement[call.statement];
    warp::LaunchRequest request;
    request.module = &kernels.module;
    request.kernel = kernel.name;
    request.grid = call.grid;
    request.block = call.block;
    request.dynamic_shared_bytes = call.shared_bytes;
    request.arguments = lay_out(sketch, kernel, call);
    request.memory = memory;
    request.programs = &kernels.programs;
    request.options.per_instruction = false;
    request.options.threads = run.threads;
    request.options.stop = run.stop;
    request.options.limits.instructions = left;
    request.options.limits.block_instructions = std::min(left, run.block_instructions);
    const warp::LaunchResult result = run.launch(request);
    if (run.stop.stop_requested()) throw Cancelled();
    if (!result.faults.empty())
      throw Error(ExitCode::check_failed, sketch.head.name + ": " + result.faults.front().text);
    if (!result.stopped.empty()) throw EnvironmentError(sketch.head.name + ": " + result.stopped);
    left -= std::min(left - 1, result.total.ptx_instructions);
  }
  require_written(sketch, plan.buffer("out"), written["out"]);
}

}  // namespace threadscape::sketch
