#include "app/cli/commands/microscope.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/microscope_report.h"
#include "app/cli/microscope_run.h"
#include "app/cli/option_values.h"
#include "app/cli/shared_options.h"
#include "compute/core/errors.h"
#include "compute/core/machine.h"
#include "compute/core/printable.h"
#include "compute/gpu/device.h"
#include "compute/io/input_file.h"
#include "compute/registry/registry.h"
#include "compute/sketch/sketch_algorithm.h"
#include "compute/warp/compile.h"
#include "compute/warp/kernel_parameters.h"
#include "compute/warp/study.h"

namespace threadscape::app {

namespace {

struct MicroscopeCommand {
  std::string what;      ///< The name of an algorithm or of a file.
  AlgorithmOptions run;  ///< What is asked of an algorithm; unused for a file.
  Extent size{.width = 256, .height = 256};
  std::string kernel;
  warp::Extent grid, block{.x = 32, .y = 1, .z = 1};
  std::uint64_t buffer = 16 << 20, shared = 0;
  std::vector<std::string> arguments;
  const warp::GpuModel* gpu = &warp::gpu_model(90);
  std::uint64_t blocks = 16384;
  std::uint64_t instructions = 200'000'000;
  int threads = 0;
  bool counts_on_gpu = false;  ///< The run of an algorithm is made and counted on a GPU, too.
  bool exact = false, races = false, uninitialised = false, json = false, lines = false, log = false;
};

/// Parses "32", "32x8" or "32x8x4".
warp::Extent parse_launch_extent(const std::string& option, const std::string& text) {
  std::array<std::uint32_t, 3> sides{1, 1, 1};
  std::size_t count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (bool more = true; more && count < sides.size(); ++count) {
    const auto [next, error] = std::from_chars(at, end, sides[count]);
    if (error != std::errc() || sides[count] == 0 || sides[count] > 0x7fffffffu) break;
    more = next != end && *next == 'x' && next + 1 != end;
    at = more ? next + 1 : next;
  }
  if (at != end || count == 0)
    throw UsageError(option + " '" + text + "': one to three positive numbers with x between them, as in 32x8");
  return {.x = sides[0], .y = sides[1], .z = sides[2]};
}

/// Parses a number of bytes, which may end in K, M or G for powers of 1024.
std::uint64_t parse_bytes(const std::string& option, const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(end, text.data() + text.size());
  const int shift = unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 0;
  if (error != std::errc() || (shift == 0 && !unit.empty()) || value > (std::uint64_t{1} << 62 >> shift))
    throw UsageError(option + " '" + text + "': a number of bytes, which may end in K, M or G");
  return value << shift;
}

std::string load_text(const std::filesystem::path& file) {
  constexpr std::uintmax_t most = std::uintmax_t{64} << 20;
  std::error_code error;
  if (const std::uintmax_t size = std::filesystem::file_size(file, error); !error && size > most)
    throw UsageError("'" + file.string() + "' is longer than 64 MiB");
  const std::vector<std::byte> bytes = io::load_bytes(file, io::Limit::file_bytes);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Says what a run of an algorithm or a sketch looks for.
ObserveRequest wanted_of(const MicroscopeCommand& options) {
  ObserveRequest wanted{.run = {}};
  wanted.instructions = options.instructions;
  wanted.races = options.races;
  wanted.uninitialised = options.uninitialised;
  return wanted;
}

int finish(const MicroscopeCommand& options, const MicroscopeReport& report) {
  if (options.json)
    std::fputs(microscope_json(report).c_str(), stdout);
  else
    print(stdout, microscope_text(report, options.lines));
  return static_cast<int>(report.has_faults() ? ExitCode::check_failed : ExitCode::done);
}

int of_algorithm(const MicroscopeCommand& options, FindDevices find_devices) {
  MicroscopeReport report;
  report.gpu = options.gpu;
  ObserveRequest wanted = wanted_of(options);
  wanted.assembles = true;
  observe_run(options.run, options.size, wanted, options.counts_on_gpu ? &find_devices().first() : nullptr, report);
  return finish(options, report);
}

int of_sketch(MicroscopeCommand& options, std::string source) {
  const AlgorithmInfo& row = sketch::add_sketch(sketch::make_sketch(std::move(source), options.what));
  MicroscopeReport report;
  report.gpu = options.gpu;
  options.run.threads = options.threads;
  try {
    observe_sketch_run(row, options.run, options.size, wanted_of(options), report, {});
  } catch (const warp::CompileError& error) {
    if (options.log) print(stderr, error.log());
    throw;
  }
  return finish(options, report);
}

int of_file(const MicroscopeCommand& options, std::string source) {
  MicroscopeReport report;
  report.file = options.what;
  report.source = std::move(source);
  report.gpu = options.gpu;
  warp::CompileRequest request;
  request.source = report.source;
  request.file = report.file;
  request.capability = options.gpu->capability;
  if (options.kernel.find('<') != std::string::npos) request.expressions = {options.kernel};
  warp::Compiled compiled;
  try {
    compiled = warp::compile_cuda(request);
  } catch (const warp::CompileError& error) {
    if (options.log) print(stderr, error.log());
    throw;
  }
  report.compiler = compiled.compiler;
  const warp::Module module = warp::parse_ptx(compiled.ptx);
  const warp::Function& kernel =
      warp::find_kernel(module, compiled.names.empty() ? options.kernel : compiled.names.front().second);
  const bool is_source = !compiled.compiler.empty();
  warp::KernelArguments arguments(
      kernel, warp::parameters_of(module, kernel, is_source ? std::string_view(report.source) : std::string_view()),
      options.buffer, options.arguments);
  warp::StudyRequest study;
  study.launch.module = &module;
  study.launch.kernel = kernel.name;
  study.launch.grid = options.grid;
  study.launch.block = options.block;
  study.launch.dynamic_shared_bytes = options.shared;
  study.launch.arguments = arguments.bytes();
  study.launch.memory = arguments.memory();
  study.launch.options.threads = options.threads;
  study.launch.options.global_races = options.races;
  warp::LaunchLimits& limits = study.launch.options.limits;
  limits.instructions = options.instructions;
  limits.block_instructions = options.instructions / 4 + 1;
  limits.shared_bytes = static_cast<std::uint64_t>(options.gpu->shared_of_block);
  study.cubin = compiled.cubin;
  study.gpu = options.gpu;
  study.blocks = options.exact ? 0 : options.blocks;
  study.refill = [&arguments] { arguments.fill(); };
  ObservedKernel& found = report.kernels.emplace_back();
  found.name = warp::shown_name(kernel.name);
  found.module = &module;
  found.grid = options.grid;
  found.block = options.block;
  found.study = warp::study(study);
  if (!found.study.launch.stopped.empty()) throw EnvironmentError(found.study.launch.stopped);
  return finish(options, report);
}

/// What the command takes.
enum class Subject : std::uint8_t { algorithm, sketch, file };

/// Throws UsageError for options that were given, and are for another subject.
void refuse_others(const CLI::App& app, Subject subject) {
  struct Options {
    const char* of;
    std::vector<Subject> subjects;
    std::vector<const char*> names;
  };
  using enum Subject;
  const std::array<Options, 4> all{
      Options{"algorithms", {algorithm}, {"--variant", "--counters"}},
      Options{"algorithms and sketches", {algorithm, sketch}, {"--set", "--preset", "--seed", "--size"}},
      Options{"kernels of a file",
              {file},
              {"--kernel", "--grid", "--block", "--arg", "--buffer", "--shared", "--blocks", "--exact"}},
      Options{"sketches and kernels of a file", {sketch, file}, {"--threads", "--log"}}};
  for (const Options& options : all)
    for (const char* name : options.names)
      if (app.get_option(name)->count() > 0 && std::ranges::find(options.subjects, subject) == options.subjects.end())
        throw UsageError(std::string(name) + " is for " + options.of);
}

int microscope(const CLI::App& app, MicroscopeCommand& options, FindDevices find_devices) {
  // A name without a period or a slash that is no file is that of an algorithm.
  std::error_code error;
  if (std::ranges::find(algorithms(), options.what, &AlgorithmInfo::name) != algorithms().end() ||
      (options.what.find_first_of("./") == std::string::npos && !std::filesystem::exists(options.what, error))) {
    refuse_others(app, Subject::algorithm);
    options.run.algorithm = options.what;
    options.run.device = &find_devices().emulated();
    return of_algorithm(options, find_devices);
  }
  std::string source = load_text(options.what);
  const bool sketch = sketch::is_sketch(source);
  if (sketch && !options.kernel.empty())
    throw UsageError("--kernel is for kernels of a file: the head of the sketch '" + options.what +
                     "' says what is launched");
  refuse_others(app, sketch ? Subject::sketch : Subject::file);
  return sketch ? of_sketch(options, std::move(source)) : of_file(options, std::move(source));
}

}  // namespace

CommandAction set_up_microscope(CLI::App& app, FindDevices find_devices) {
  const auto options = std::make_shared<MicroscopeCommand>();
  app.add_option("algorithm", options->what, "Algorithm, sketch, or a file of kernels: CUDA C++ source or .ptx")
      ->required()
      ->type_name("FILE");
  app.add_option("--variant", options->run.variant, "Of the algorithm's CUDA backend")->type_name("NAME");
  add_sets(app, "--set", options->run.sets, "A parameter; may be given again");
  app.add_option("--preset", options->run.preset, "JSON file of parameters; --set goes on top")->type_name("FILE");
  add_parsed(app, "--seed", "Of everything random", [options](const std::string& text) {
    options->run.seed = parse_seed(text);
  })->type_name("N");
  add_parsed(app, "--size", "Of the input of an algorithm or a sketch, N or WxH (default 256)",
             [options](const std::string& text) { options->size = parse_extent("--size", text); })
      ->type_name("WxH");
  app.add_option("--kernel", options->kernel, "Name of the kernel, or a part of it; NAME<TYPE> for a template")
      ->type_name("NAME");
  add_parsed(app, "--grid", "Blocks along x, y and z (default 1)", [options](const std::string& text) {
    options->grid = parse_launch_extent("--grid", text);
  })->type_name("XxYxZ");
  add_parsed(app, "--block", "Threads of a block along x, y and z (default 32)", [options](const std::string& text) {
    options->block = parse_launch_extent("--block", text);
  })->type_name("XxYxZ");
  app.add_option("--arg", options->arguments, "Value of the next parameter that is no pointer")
      ->allow_extra_args(false)
      ->type_name("VALUE");
  add_parsed(app, "--buffer", "Size of the buffer that each pointer gets (default 16M)",
             [options](const std::string& text) { options->buffer = parse_bytes("--buffer", text); })
      ->type_name("BYTES");
  add_parsed(app, "--shared", "Dynamic shared memory of a block (default 0)", [options](const std::string& text) {
    options->shared = parse_bytes("--shared", text);
  })->type_name("BYTES");
  add_parsed(app, "--gpu", "Compute capability to compile for and to model (default 9.0)",
             [options](const std::string& text) { options->gpu = &warp::parse_gpu_model(text); })
      ->type_name("CC");
  app.add_option("--blocks", options->blocks, "Execute this many blocks of larger grids")
      ->check(CLI::Range(1, std::numeric_limits<int>::max()))
      ->type_name("N")
      ->capture_default_str();
  app.add_flag("--exact", options->exact, "Execute all blocks");
  app.add_option("--instructions", options->instructions, "End endless kernels after this many instructions of warps")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 50))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--threads", options->threads, "Of the CPU (default: all)")
      ->check(CLI::Range(1, max_threads()))
      ->type_name("N");
  add_limits(app);
  app.add_flag("--races", options->races, "Look for races in global memory, too");
  app.add_flag("--uninitialised", options->uninitialised,
               "Report all reads of memory that nothing has written; of kernels of a file always");
  app.add_flag("--counters", options->counts_on_gpu, "Run the algorithm on the GPU, too, and show what that counts");
  app.add_flag("--lines", options->lines, "A table of the lines of the source, too");
  app.add_flag("--json", options->json, "As JSON");
  app.add_flag("--log", options->log, "Print all that the compiler says about a wrong source");
  app.footer(
      "An algorithm runs on the CPU, on the kernels of this build. A sketch runs as its head says, on a made input. "
      "Pointers of other kernels get buffers of the bytes of a fixed generator. The exit code is 1 if the kernel has "
      "faults: races, barriers that not all threads reach, accesses out of bounds.\n\n"
      "Examples:\n"
      "  threadscape microscope sobel --size 512 --lines\n"
      "  threadscape microscope convolution --variant tiled --set size=9\n"
      "  threadscape microscope reduction --size 1048576 --counters\n"
      "  threadscape microscope blur.cu --set radius=2 --size 1024 --lines\n"
      "  threadscape microscope kernels.cu --kernel scale --grid 256 --block 256 --arg 65536\n"
      "  threadscape microscope transpose.cu --kernel tile --grid 32x32 --block 32x8 --lines\n"
      "  threadscape microscope kernels.ptx --kernel reduce --gpu 8.6 --json");
  return [options, find_devices, &app] { return microscope(app, *options, find_devices); };
}

}  // namespace threadscape::app
