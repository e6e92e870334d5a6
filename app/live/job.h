#pragma once
// What a Worker can be asked to do: one type per kind of work, each with the type of its result. Two kinds of work are
// no jobs: a CUDA run is queued by the drawing thread (cuda_runner.h), and a comparison is a series of works, each run
// like any other (comparison.h).

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <variant>

#include "app/session/workspace.h"
#include "compute/core/progress.h"
#include "compute/run/runner.h"

namespace threadscape::app {

/// What a Worker offers to the job that it runs.
struct JobContext {
  Runner& runner;
  std::stop_token stop;
  Progress& progress;
  std::atomic<bool>& blanked;  ///< To be set when WorkerRun::output may be looked at.
};

/// Makes the input that an algorithm brings itself. Cannot be stopped on the way.
struct MakeInput {
  using Result = HostArray;
  Work work;

  [[nodiscard]] Result run(JobContext& context) const;
};

/// Makes what a CUDA run has to be given beside its input (needs_preparation()). Runs of CPU backends make it
/// themselves.
struct Prepare {
  using Result = std::shared_ptr<const Preparation>;
  Work work;
  std::shared_ptr<const Source> source;  ///< Null for algorithms without input.

  [[nodiscard]] Result run(JobContext& context) const;
};

/// Runs a CPU backend, or CUDA on several devices, into memory of the caller, which stays valid until the job was taken
/// back.
struct WorkerRun {
  using Result = StageTimes;
  Work work;
  std::shared_ptr<const Source> source;  ///< Null for algorithms without input.
  HostOut output;
  bool watched = false;  ///< The output is displayed while it is computed: it starts as NaN, or 0 in integers.

  [[nodiscard]] Result run(JobContext& context) const;
};

/// Runs the algorithm on a quarter of the picture's width (preview_slot.h).
struct PreviewRun {
  using Result = RunResult;
  Work work;        ///< The work whose result it previews.
  ParamBox params;  ///< The parameters for the small picture.
  std::shared_ptr<const Source> source;
  double known_ms = 0.0;  ///< The time of such a work before; 0 if there was none.

  [[nodiscard]] Result run(JobContext& context) const;
};

/// Runs the serial backend, for the result that the one on display is compared with.
struct ReferenceRun {
  using Result = StageTimes;
  Work work;
  std::shared_ptr<const Source> source;  ///< Null for algorithms without input.
  HostOut output;                        ///< Stays valid until the job was taken back.

  [[nodiscard]] Result run(JobContext& context) const;
};

/// Reads a file.
struct OpenFile {
  using Result = io::Loaded;
  FileToOpen file;

  [[nodiscard]] Result run(JobContext& context) const;
};

/// Gives a picture another type of numbers.
struct ConvertPicture {
  using Result = io::Loaded;
  std::shared_ptr<const Source> source;
  Element element = Element::u8;

  [[nodiscard]] Result run(JobContext& context) const;
};

/// Writes a file. Is never dropped once it was asked for.
struct SaveFile {
  using Result = std::monostate;
  std::filesystem::path path;
  std::function<void()> write = {};  ///< Owns what it writes, except contents that FileTasks keeps for it.

  [[nodiscard]] Result run(JobContext& context) const;
};

/// Copies a result from memory of the GPU, as an input of the kind that its target takes.
struct KeepResult {
  using Result = HostArray;
  ResultToUse result;
  std::function<HostArray()> read = {};  ///< Copies the contents that FileTasks keeps for it.

  [[nodiscard]] Result run(JobContext& context) const;
};

using Job = std::variant<MakeInput, Prepare, WorkerRun, PreviewRun, ReferenceRun, OpenFile, ConvertPicture, SaveFile,
                         KeepResult>;

struct WasCancelled {};
struct Failure {
  std::string why;
};

/// A job with what became of it.
template <class J>
struct Finished {
  J job;
  std::variant<typename J::Result, WasCancelled, Failure> outcome;

  /// Null unless the job succeeded.
  [[nodiscard]] typename J::Result* result() { return std::get_if<typename J::Result>(&outcome); }
  /// Null unless the job failed.
  [[nodiscard]] const Failure* failure() const { return std::get_if<Failure>(&outcome); }
};

using FinishedJob = std::variant<Finished<MakeInput>, Finished<Prepare>, Finished<WorkerRun>, Finished<PreviewRun>,
                                 Finished<ReferenceRun>, Finished<OpenFile>, Finished<ConvertPicture>,
                                 Finished<SaveFile>, Finished<KeepResult>>;

/// Runs a job. Whatever it throws, std::bad_alloc included, becomes its outcome.
[[nodiscard]] FinishedJob run_job(Job job, JobContext& context);

}  // namespace threadscape::app
