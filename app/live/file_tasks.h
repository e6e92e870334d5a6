#pragma once

#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "app/live/stopwatch.h"
#include "app/live/worker.h"
#include "render/gl/pending_read.h"

namespace threadscape::app {

/// Reads, converts and writes files, and copies results that become inputs, on a thread of its own, one after another
/// in the order in which they were asked for. The results reach the workspace, and errors its log, in update(). All
/// functions are called on the drawing thread, which has the GL context that files from GPU memory need.
class FileTasks {
 public:
  /// What becomes of a file that was to be opened or written. It is called in update() or finish(), on the drawing
  /// thread, with the reason why that was not done, or "". It is not called any more when this object is destroyed.
  using Ended = std::function<void(const std::string& trouble)>;

  /// `wake` is called on the thread when something is ready for update().
  explicit FileTasks(const std::function<void()>& wake) : wake_(wake), worker_(wake) {}
  /// Waits until every file that was asked for is written, after the reads from the GPU that they need. A file that
  /// cannot be written is named on stderr. Files that were to be opened are dropped.
  ~FileTasks();
  FileTasks(const FileTasks&) = delete;
  FileTasks& operator=(const FileTasks&) = delete;

  /// Reads a file for Workspace::take_opened(). On failure what was there stays.
  void open(FileToOpen file, Ended ended = {});
  /// A small picture of the large one that is being read, for the eye alone; null if there is none. It stays until
  /// another file is read, or drop_overview(), which the live view calls when the picture itself can be displayed.
  [[nodiscard]] const std::shared_ptr<const io::Overview>& overview() const { return overview_; }
  void drop_overview() { overview_.reset(); }
  /// The decoded share of the file that is being read, 0..1; 0 where its format does not tell.
  [[nodiscard]] double progress() const { return opening() ? mailbox_->done.load() : 0.0; }
  /// Returns whether a file is being read.
  [[nodiscard]] bool opening() const { return current() != nullptr && std::holds_alternative<OpenFile>(*current()); }
  /// Gives the picture of the workspace another type of numbers, unless it is replaced meanwhile. May be null.
  void convert(const std::shared_ptr<const Source>& picture, Element element);
  /// Writes a file. `write` is called on the thread, may throw, and owns everything that it writes.
  void save(std::filesystem::path path, std::function<void()> write, Ended ended = {});
  /// Writes a file with contents that are still on their way from the GPU. `write` is called with them as above, once
  /// they have arrived, and they stay valid until it returns.
  void save(std::filesystem::path path, gl::PendingRead contents, std::function<void(HostIn)> write, Ended ended = {});

  /// Copies a result for Workspace::use_result(), once its contents have arrived from the GPU. `convert` is called on
  /// the thread, and makes the values of the result from the contents.
  void keep(ResultToUse result, gl::PendingRead contents, std::function<HostArray(HostIn)> convert);

  /// Takes what is done and starts what is next. Never waits.
  void update(Workspace& workspace);
  /// Waits until everything is done.
  void finish(Workspace& workspace);
  [[nodiscard]] bool busy() const { return current() != nullptr || !waiting_.empty(); }
  /// Returns whether the next file needs contents that have not arrived from the GPU, which wakes nobody: update() has
  /// to be called soon.
  [[nodiscard]] bool needs_polling() const { return next_.has_value(); }
  /// What is being done, "opening photo.png, 40 %"; "" when nothing is.
  [[nodiscard]] std::string activity() const;
  /// Seconds since that was started; 0 when nothing is being done.
  [[nodiscard]] double seconds() const { return current() == nullptr ? 0.0 : since_start_.ms() / 1000.0; }

 private:
  struct Task {
    Job job;
    std::optional<gl::PendingRead> contents = {};  ///< Present if a SaveFile needs them, and for every KeepResult.
    std::function<void(HostIn)> write = {};        ///< Writes them, for a SaveFile.
    std::function<HostArray(HostIn)> copy = {};    ///< Copies them, for a KeepResult.
    Ended ended = {};
  };

  /// The job that runs or waits for contents from the GPU; null when nothing is being done.
  [[nodiscard]] const Job* current() const { return next_ ? &next_->job : worker_.current(); }
  void ask(Task task);
  /// Starts the next task if the thread is free and its contents have arrived.
  void start_next();
  /// Waits until the current job has run, or its contents have arrived. If the GPU does not answer, drops the job and
  /// throws EnvironmentError with the name of its file.
  void wait();
  /// The finished job, once.
  [[nodiscard]] std::optional<FinishedJob> take_finished();
  void take(Workspace& workspace, Finished<OpenFile> opened);
  static void take(Workspace& workspace, Finished<ConvertPicture> converted);
  void take(Workspace& workspace, const Finished<SaveFile>& saved);
  static void take(Workspace& workspace, Finished<KeepResult> kept);

  /// What the running job writes. It is memory of GL, so it is freed here and not on the worker's thread.
  std::optional<gl::PendingRead> contents_;
  /// What the thread tells of the file that it reads, until update() takes it.
  struct Mailbox {
    std::mutex mutex;
    std::optional<io::Overview> overview;
    std::atomic<double> done{0.0};
  };
  std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>();
  std::shared_ptr<const io::Overview> overview_;
  std::function<void()> wake_;
  Ended ended_;  ///< What the running job calls at its end.
  Worker worker_;
  std::deque<Task> waiting_;
  std::optional<Task> next_;  ///< Taken from waiting_; its contents have not arrived.
  Stopwatch since_start_;
};

}  // namespace threadscape::app
