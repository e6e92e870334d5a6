#include "compute/sketch/gpu_run.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "compute/core/errors.h"
#include "compute/warp/limited_process.h"
#include "compute/warp/texts.h"
#include "compute/warp/waiting_slot.h"

namespace threadscape::sketch {

namespace {

using warp::put_text;

/// What a call of threadscape-kernels needs.
warp::ProgramCall program_call(std::string job) {
  return {
      .arguments = {warp::program_beside("threadscape-kernels").string()}, .input = std::move(job), .errors = false};
}

/// The process that waits for kernels, with the GPU ready.
warp::WaitingSlot& waiting_process() {
  static warp::WaitingSlot only("threadscape-kernels");
  return only;
}

/// Limits for what uses a driver, which maps the memory of all GPUs.
warp::ProcessLimits driver_limits() {
  warp::ProcessLimits limits;
  limits.memory = std::uint64_t{1} << 46;
  return limits;
}

Gpu ask() {
  if (!has_gpu_driver()) return {.name = "", .obstacle = "the driver of NVIDIA is not installed"};
  std::string job;
  put_text(job, "about");
  const warp::ProcessEnd end = warp::run_program(driver_limits(), program_call(std::move(job)));
  std::string_view rest = end.output;
  const bool done = warp::take_text(rest) == "done";
  std::string first = warp::take_text(rest).value_or("");
  if (!done)
    return {.name = "",
            .obstacle = !end.obstacle.empty() ? "its driver " + end.obstacle
                        : !first.empty()      ? first
                                              : "threadscape-kernels is missing"};
  return {
      .name = std::move(first), .capability = std::atoi(warp::take_text(rest).value_or("").c_str()), .obstacle = ""};
}

std::string job_of(const Sketch& sketch, const Kernels& kernels, const Plan& plan, const Arena& arena,
                   int repetitions) {
  std::string job;
  const auto number = [&job](std::uint64_t value) { put_text(job, std::to_string(value)); };
  put_text(job, "run");
  // A program that waits was started before there was an arena to give it.
  put_text(job, "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(arena.file()));
  put_text(job, kernels.ptx);
  number(static_cast<std::uint64_t>(repetitions));
  std::vector<const Buffer*> constants;
  for (const Parameter& parameter : sketch.head.parameters)
    if (parameter.constant) constants.push_back(&plan.buffer(parameter.name));
  number(constants.size());
  for (const Buffer* buffer : constants) {
    put_text(job, buffer->name);
    number(buffer->offset);
    number(buffer->bytes);
  }
  for (const Call& call : plan.calls) {
    put_text(job, kernels.of_statement[call.statement]->name);
    for (const std::uint64_t one :
         {std::uint64_t{call.grid.x}, std::uint64_t{call.grid.y}, std::uint64_t{call.grid.z},
          std::uint64_t{call.block.x}, std::uint64_t{call.block.y}, std::uint64_t{call.block.z}, call.shared_bytes})
      number(one);
    number(call.arguments.size());
    for (const Argument& argument : call.arguments) {
      put_text(job, argument.is_address ? "1" : "0");
      put_text(job, {reinterpret_cast<const char*>(argument.bytes.data()), argument.bytes.size()});
    }
  }
  return job;
}

}  // namespace

bool has_gpu_driver() {
  static const bool there = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr;
  return there;
}

void prepare_gpu() {
  waiting_process().prepare(driver_limits());
}

const Gpu& gpu() {
  static const Gpu found = ask();
  return found;
}

std::vector<double> run_on_gpu(const Sketch& sketch, const Kernels& kernels, const std::vector<Value>& values,
                               const Plan& plan, const Arena& arena, const GpuRun& run) {
  poison(plan, sketch, values, arena);
  warp::ProcessLimits limits = driver_limits();
  limits.time = run.time;
  limits.stop = run.stop;
  std::string job = job_of(sketch, kernels, plan, arena, run.repetitions);
  std::optional<warp::ProcessEnd> waited;
  if (std::unique_ptr<warp::WaitingProgram> waiting = waiting_process().take(limits)) {
    waited = waiting->ask(limits, job);
    // Drivers take some tenths of a second to give up a context.
    waiting_process().prepare(driver_limits(), std::move(waiting));
  }
  const warp::ProcessEnd end = waited ? *std::move(waited) : warp::run_program(limits, program_call(std::move(job)));
  if (run.stop.stop_requested()) throw Cancelled();
  const std::string& name = sketch.head.name;
  if (!end.obstacle.empty()) throw Error(ExitCode::check_failed, name + " on the GPU: its process " + end.obstacle);
  std::string_view rest = end.output;
  if (warp::take_text(rest) != "done")
    throw Error(ExitCode::check_failed, name + " on the GPU: " + warp::take_text(rest).value_or("its process ended"));
  std::vector<double> times;
  while (const std::optional<std::string> time = warp::take_text(rest))
    times.push_back(std::strtod(time->c_str(), nullptr));
  return times;
}

}  // namespace threadscape::sketch
