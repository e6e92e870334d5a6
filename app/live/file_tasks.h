#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/live/stopwatch.h"
#include "app/live/worker.h"

namespace threadscape::app {

/// Reads, converts and writes files on a thread of its own, one after another in the order in which they were asked
/// for. The results reach the workspace, and errors its log, in update().
class FileTasks {
 public:
  /// `wake` is called on the thread when something is ready for update().
  explicit FileTasks(std::function<void()> wake) : worker_(std::move(wake)) {}
  /// Waits until every file that was asked for is written; what was to be read is dropped.
  ~FileTasks();
  FileTasks(const FileTasks&) = delete;
  FileTasks& operator=(const FileTasks&) = delete;

  /// Reads a file for Workspace::take_opened(). On failure what was there stays.
  void open(FileToOpen file) { ask(OpenFile{std::move(file)}); }
  /// Gives the picture of the workspace another type of numbers, unless it is replaced meanwhile. May be null.
  void convert(const std::shared_ptr<const Source>& picture, Element element);
  /// Writes a file. `write` is called on the thread, may throw, and owns everything that it writes.
  void save(std::filesystem::path path, std::function<void()> write);

  /// Takes what is done and starts what is next. Never waits.
  void update(Workspace& workspace);
  /// Waits until everything is done.
  void finish(Workspace& workspace);
  [[nodiscard]] bool busy() const { return !worker_.idle() || !waiting_.empty(); }
  /// What is being done, "opening photo.png"; "" when nothing is.
  [[nodiscard]] std::string activity() const;
  /// Seconds since that was started; 0 when nothing is being done.
  [[nodiscard]] double seconds() const { return worker_.idle() ? 0.0 : since_start_.ms() / 1000.0; }

 private:
  void ask(Job job);
  void start_next();
  static void take(Workspace& workspace, Finished<OpenFile> opened);
  static void take(Workspace& workspace, Finished<ConvertPicture> converted);
  static void take(Workspace& workspace, Finished<SaveFile> saved);

  Worker worker_;
  std::deque<Job> waiting_;
  Stopwatch since_start_;
};

}  // namespace threadscape::app
