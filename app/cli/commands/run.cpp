#include "app/cli/commands/run.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/cli/option_values.h"
#include "app/cli/run_batch.h"
#include "app/cli/run_files.h"
#include "app/cli/shared_options.h"
#include "compute/io/data_file.h"
#include "compute/io/file_writer.h"
#include "compute/io/image_format.h"
#include "compute/io/standard_stream.h"

namespace threadscape::app {

namespace {

/// The path to write to. "-" becomes standard output in the first format of the result that is a single file.
std::filesystem::path output_path(const std::filesystem::path& output, Kind kind) {
  if (!io::is_standard_stream(output)) return output;
  io::require_redirected_output();
  if (output.has_extension()) return output;
  return kind == Kind::image || kind == Kind::heightfield ? "-.png" : "-.raw";
}

/// One input, one output.
int run_single(const RunOptions& options, const RunRequest& request) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const std::filesystem::path output = output_path(options.output, algorithm.output);
  const std::filesystem::path input = options.inputs.empty() ? std::filesystem::path() : options.inputs.front();
  // Paths are checked before the run, because a result that cannot be written is not worth computing.
  if (!output.empty()) io::require_data_path(output, algorithm.output);

  LongTask task(std::string(algorithm.name), options.quiet);
  const bool streams = wants_streaming(request, output);
  Finished done = streams ? run_streamed(request, output, task) : run_file(options, request, input, task);
  if (!output.empty() && !streams) save_result(options, done, output);
  if (!options.timings.empty()) {
    Json json = run_json(done, input, output);
    json["environment"] = environment_json();
    io::save_bytes(options.timings, dump(json));
  }
  // Text goes to stderr when the result or the times go to stdout.
  const bool stdout_taken = io::is_standard_stream(output) || io::is_standard_stream(options.timings);
  std::FILE* text = stdout_taken ? stderr : stdout;
  if (!options.quiet) std::fprintf(text, "%s\n", run_line(done).c_str());
  // The report is printed with --quiet too, because without -o it is the result.
  std::fputs(done.report.c_str(), text);
  return static_cast<int>(ExitCode::done);
}

int run(const RunOptions& options) {
  const RunRequest request = make_request(options.run, Backend::openmp);
  const AlgorithmInfo& algorithm = *request.algorithm;
  if (options.output.empty() && !algorithm.report)
    throw UsageError("-o is missing: where to write the " + std::string(name_of(algorithm.output)));
  if (!options.timings.empty()) io::require_writable(options.timings);
  return is_batch(options, algorithm) ? run_batch(options, request) : run_single(options, request);
}

}  // namespace

CommandAction set_up_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  app.add_option("algorithm", options->run.algorithm, "What to run")->required();
  add_paths(app, "input", options->inputs,
            "Pictures: " + io::format_names(io::FormatUse::read) +
                "; numbers: raw, little endian; - for standard input; several, or a folder of pictures, for a "
                "batch");
  add_path(app, "-o,--output", options->output,
           "Result: " + io::enumerated(io::data_extensions(io::FormatUse::written)) +
               "; - or EXT:- for standard output; of a batch a folder, or a name with {name}");
  add_quality(app, options->quality);
  add_algorithm_options(app, options->run);
  app.add_option("--timings", options->timings, "Write stages, environment and parameters as JSON")->type_name("FILE");
  add_load_options(app, options->load);
  app.add_flag("--keep-going", options->keep_going, "Of a batch: leave out inputs that fail, and go on");
  app.add_flag("-q,--quiet", options->quiet, "Print errors only");
  app.footer([options] {
    return algorithm_help(options->run.algorithm) +
           "\nExamples:\n"
           "  threadscape run sobel photo.jpg -o edges.png\n"
           "  threadscape run median photos/*.jpg -o smooth/ --keep-going\n"
           "  threadscape run sobel photos/ -o edges/{name}-edges.png\n"
           "  threadscape run gaussian - -o ppm:- < photo.jpg | display\n"
           "  threadscape run convolution photo.png -o sharp.png --set mask=0,-1,0,-1,5,-1,0,-1,0 --backend cuda\n"
           "  threadscape run convolution photo.png -o soft.png --set size=9 --set preset=gaussian --timings t.json\n";
  });
  return [options] { return run(*options); };
}

}  // namespace threadscape::app
