#include "app/cli/run_batch.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "app/cli/bounded_queue.h"
#include "app/cli/run_steps.h"
#include "app/report/text.h"
#include "compute/core/kind_info.h"
#include "compute/core/printable.h"
#include "compute/io/data_file.h"
#include "compute/io/file_writer.h"
#include "compute/io/folder_reader.h"
#include "compute/io/pictures/image_file.h"
#include "compute/io/standard_stream.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view name_place = "{name}";
/// Inputs that are read ahead, and results that wait for being written. More would only fill the memory.
constexpr std::size_t queue_length = 2;

/// Returns true if the path names a folder, which need not exist if it ends with /.
bool means_folder(const fs::path& path) {
  return !path.empty() && (!path.has_filename() || is_folder(path));
}

bool has_name_place(const fs::path& path) {
  return path.string().find(name_place) != std::string::npos;
}

/// The pictures in a folder, in the order of their names.
std::vector<fs::path> pictures_in(const fs::path& folder) {
  std::vector<fs::path> found;
  io::FolderReader reader(folder);
  while (auto path = reader.next())
    if (io::has_picture_extension(*path)) found.push_back(std::move(*path));
  if (reader.error()) throw EnvironmentError("cannot read '" + folder.string() + "': " + reader.error().message());
  if (found.empty()) throw UsageError("the folder '" + folder.string() + "' has no pictures in it");
  std::ranges::sort(found);
  return found;
}

std::vector<fs::path> all_inputs(const RunOptions& options, const AlgorithmInfo& algorithm) {
  std::vector<fs::path> inputs;
  for (const fs::path& input : options.inputs) {
    if (algorithm.input == Kind::image && is_folder(input))
      std::ranges::move(pictures_in(input), std::back_inserter(inputs));
    else
      inputs.push_back(input);
  }
  return inputs;
}

/// The extension of a result: that of the input if the result can be written in that format.
std::string extension_for(const fs::path& input, Kind output) {
  const std::vector<std::string_view> written = io::data_extensions(output, io::FormatUse::written);
  std::string own = io::extension_of(input);
  if (written.empty() || std::ranges::count(written, own) > 0) return own;
  return std::string(written.front());
}

fs::path output_for(const fs::path& input, const fs::path& output, Kind kind) {
  if (output.empty()) return {};
  const std::string stem = io::is_standard_stream(input) ? "stdin" : io::stem_of(input);
  if (!has_name_place(output)) return output / (stem + extension_for(input, kind));
  std::string text = output.string();
  for (std::size_t at = text.find(name_place); at != std::string::npos; at = text.find(name_place, at + stem.size()))
    text.replace(at, name_place.size(), stem);
  return text;
}

/// Throws UsageError if two results have one path, or if a result would replace an input.
void require_distinct(const std::vector<BatchFile>& files) {
  std::map<fs::path, fs::path> inputs, outputs;
  for (const BatchFile& file : files)
    inputs.emplace(fs::weakly_canonical(file.input), file.input);
  for (const BatchFile& file : files) {
    const fs::path place = fs::weakly_canonical(file.output);
    if (inputs.contains(place))
      throw UsageError("'" + file.output.string() + "' is an input, too: choose another folder, or -o {name}-new.png");
    const auto [other, added] = outputs.emplace(place, file.input);
    if (!added)
      throw UsageError("'" + other->second.string() + "' and '" + file.input.string() + "' would both be written to '" +
                       file.output.string() + "'");
  }
}

/// A file on its way through the batch.
struct Item {
  BatchFile file;
  LoadedInput input;
  std::optional<FinishedRun> run;
  std::exception_ptr failure;  ///< Why reading, computing or writing failed; null if nothing has.
};

class Batch {
 public:
  Batch(const RunOptions& options, const std::vector<RunRequest>& steps)
      : options_(options),
        steps_(steps),
        files_(plan_batch(options, *steps.front().algorithm, *steps.back().algorithm)),
        task_(names_of(steps), options.quiet) {}

  int run() {
    const auto start = Clock::now();
    std::jthread reader([this] { read(); });
    std::jthread writer([this] { write(); });
    // If an exception leaves this function, the threads end before they are joined.
    const Closer closer{*this};
    compute();
    reader.join();
    to_write_.close();
    writer.join();
    task_.check();
    total_ms_ = milliseconds_since(start);
    if (first_failure_ && !options_.keep_going) std::rethrow_exception(first_failure_);
    report();
    return exit_code_;
  }

 private:
  /// Ends both queues when it is destroyed.
  struct Closer {
    Batch& batch;
    ~Closer() {
      batch.stop();
      batch.to_write_.close();
    }
  };

  /// Calls `step` unless the item has failed before. An exception becomes the item's failure.
  template <class Step>
  static void attempt(Item& item, const Step& step) {
    if (item.failure) return;
    try {
      step();
    } catch (...) {
      item.failure = std::current_exception();
    }
  }

  void read() {
    for (const BatchFile& file : files_) {
      if (stopped_) break;
      Item item{.file = file, .input = {}, .run = {}, .failure = {}};
      attempt(item, [&] { item.input = read_input(options_, steps_.front(), file.input, task_); });
      if (!to_compute_.push(std::move(item))) break;
    }
    to_compute_.close();
  }

  /// Runs the step or the list of steps on the input of an item, whose memory is free afterwards.
  FinishedRun run_item(Item& item) {
    if (steps_.size() > 1)
      return run_steps(options_, steps_, std::move(item.input), item.file.input.stem().string(), runner_, task_);
    FinishedRun run = run_loaded(options_.run, steps_.front(), item.input, runner_, task_);
    item.input = {};
    return run;
  }

  void compute() {
    while (std::optional<Item> item = to_compute_.pop()) {
      if (stopped_ || task_.token().stop_requested()) return stop();
      attempt(*item, [&] { item->run = run_item(*item); });
      const bool last = item->failure && !options_.keep_going;
      to_write_.push(std::move(*item));
      if (last) return stop();
    }
  }

  void write() {
    while (std::optional<Item> item = to_write_.pop()) {
      // What was computed before a failure is written, and what follows is not.
      if (first_failure_ && !options_.keep_going) continue;
      attempt(*item, [&] {
        if (!item->file.output.empty()) save_result(options_, *item->run, item->file.output);
      });
      if (item->failure)
        take_failure(*item);
      else
        take_result(*item);
    }
  }

  void stop() {
    stopped_ = true;
    to_compute_.close();
  }

  void take_failure(const Item& item) {
    ++failed_;
    if (!first_failure_) first_failure_ = item.failure;
    if (!options_.keep_going) return stop();
    std::string what = "unknown error";
    ExitCode code = ExitCode::environment;
    try {
      std::rethrow_exception(item.failure);
    } catch (const Error& error) {
      what = error.what();
      code = error.code();
    } catch (const std::bad_alloc&) {
      what = "out of memory";
    } catch (const std::exception& error) {
      what = error.what();
    }
    if (exit_code_ == 0) exit_code_ = static_cast<int>(code);
    // Most messages name the file already.
    const std::string name = item.file.input.string();
    if (what.find(name) == std::string::npos) what.insert(0, name + ": ");
    print(stderr, "threadscape: " + what + "\n");
  }

  void take_result(const Item& item) {
    const FinishedRun& run = *item.run;
    ++done_;
    load_ms_ += run.files.load_ms;
    save_ms_ += run.files.save_ms;
    compute_ms_ += total_ms(run);
    const bool list = steps_.size() > 1;
    if (!options_.timings.empty())
      runs_.push_back(list ? steps_json(run, item.file.input, item.file.output)
                           : run_json(run, item.file.input, item.file.output));
    const std::string input = item.file.input.string();
    if (!options_.quiet && !item.file.output.empty())
      print(text_, input + " -> " + item.file.output.string() + ": " + line_of(run) + "\n");
    if (!run.report.empty()) print(text_, input + ":\n" + run.report);
  }

  /// The line about a result: that of its step, or of all steps together.
  [[nodiscard]] std::string line_of(const FinishedRun& run) const {
    if (run.before.empty()) return run_line(run);
    return names_of(steps_) + ": " + to_string(run.output_shape()) + ", " + format_number(total_ms(run)) + " ms";
  }

  void report() const {
    if (!options_.timings.empty())
      io::save_bytes(options_.timings,
                     dump({{"runs", runs_},
                           {"files", files_.size()},
                           {"failed", failed_},
                           {"stages_ms", {{"load", load_ms_}, {"compute", compute_ms_}, {"save", save_ms_}}},
                           {"elapsed_ms", total_ms_},
                           {"environment", environment_json(device_of(steps_.front()))}}));
    if (options_.quiet) return;
    std::fprintf(text_, "%zu of %zu files in %s s (%s s reading, %s s computing and %s s writing, which overlap)%s\n",
                 done_, files_.size(), format_number(total_ms_ / 1e3).c_str(), format_number(load_ms_ / 1e3).c_str(),
                 format_number(compute_ms_ / 1e3).c_str(), format_number(save_ms_ / 1e3).c_str(),
                 failed_ > 0 ? (", " + std::to_string(failed_) + " failed").c_str() : "");
  }

  const RunOptions& options_;
  /// Where lines about the files are printed: stderr if the times go to stdout.
  std::FILE* text_ = io::is_standard_stream(options_.timings) ? stderr : stdout;
  std::vector<RunRequest> steps_;
  std::vector<BatchFile> files_;
  LongTask task_;
  Runner runner_;
  BoundedQueue<Item> to_compute_{queue_length}, to_write_{queue_length};
  std::atomic<bool> stopped_{false};  ///< No more inputs are to be read.

  // The writing thread changes these until it has ended; the caller reads them afterwards.
  std::exception_ptr first_failure_;
  int exit_code_ = 0;
  std::size_t done_ = 0, failed_ = 0;
  double load_ms_ = 0, compute_ms_ = 0, save_ms_ = 0, total_ms_ = 0;
  Json runs_ = Json::array();
};

}  // namespace

bool is_batch(const RunOptions& options, const AlgorithmInfo& algorithm) {
  if (options.inputs.empty()) return false;
  return options.inputs.size() > 1 || means_folder(options.output) || has_name_place(options.output) ||
         (algorithm.input == Kind::image && is_folder(options.inputs.front()));
}

std::vector<BatchFile> plan_batch(const RunOptions& options, const AlgorithmInfo& algorithm,
                                  const AlgorithmInfo& last) {
  const fs::path& output = options.output;
  if (!output.empty() && !means_folder(output) && !has_name_place(output))
    throw UsageError("-o '" + output.string() +
                     "': several results need a folder that exists, one that ends with / and is made, or a name with "
                     "{name}, for example -o {name}-edges.png");
  std::error_code error;
  if (!output.empty() && !output.has_filename() && !fs::create_directories(output, error) && error)
    throw EnvironmentError("cannot make the folder '" + output.string() + "': " + error.message());
  std::vector<BatchFile> files;
  for (const fs::path& input : all_inputs(options, algorithm))
    files.push_back({input, output_for(input, output, last.output)});
  if (output.empty()) return files;
  require_distinct(files);
  for (const BatchFile& file : files)
    io::require_data_path(file.output, last.output);
  return files;
}

int run_batch(const RunOptions& options, const std::vector<RunRequest>& steps) {
  if (!options.steps_out.empty()) {
    std::map<std::string, fs::path> stems;
    for (const fs::path& input : all_inputs(options, *steps.front().algorithm))
      if (const auto [other, added] = stems.emplace(input.stem().string(), input); !added)
        throw UsageError("--steps-out: the steps of '" + other->second.string() + "' and '" + input.string() +
                         "' would have the same names: run them one after another, with a folder each");
  }
  return Batch(options, steps).run();
}

}  // namespace threadscape::app
