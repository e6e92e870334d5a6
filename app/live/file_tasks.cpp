#include "app/live/file_tasks.h"

#include <cstdio>

#include "compute/core/printable.h"

namespace threadscape::app {

namespace {

std::string not_written(const SaveFile& job, const std::string& why) {
  return job.path.string() + " was not written: " + why;
}

/// Tells of a file that was not written while the program closes, when nobody sees the log any more.
void report_on_stderr(const std::string& message) {
  print(stderr, "threadscape: " + message + "\n");
}

}  // namespace

FileTasks::~FileTasks() {
  std::erase_if(waiting_, [](const Task& task) { return !std::holds_alternative<SaveFile>(task.job); });
  for (Task& task : waiting_)
    task.ended = {};
  if (next_) next_->ended = {};
  // A pipe may be silent for long. Nothing that is written listens to this request.
  worker_.cancel();
  while (busy()) {
    try {
      wait();
    } catch (const Error& error) {
      report_on_stderr(error.what());  // Without an answer of the GPU there is nothing to write.
    }
    if (std::optional<FinishedJob> done = take_finished())
      if (auto* saved = std::get_if<Finished<SaveFile>>(&*done))
        if (const Failure* failure = saved->failure()) report_on_stderr(not_written(saved->job, failure->why));
    start_next();
  }
}

void FileTasks::open(FileToOpen file, Ended ended) {
  if (file.as.kind == Kind::image) {
    file.options.watch.overview = [box = mailbox_, wake = wake_](io::Overview overview) {
      {
        const std::scoped_lock lock(box->mutex);
        box->overview = std::move(overview);
      }
      wake();
    };
    file.options.watch.progress = [box = mailbox_, wake = wake_](double done) {
      constexpr double step = 0.05;  // A frame for every row would take the cores from what decodes.
      if (done < box->done + step) return;
      box->done = done;
      wake();
    };
  }
  ask({.job = OpenFile{std::move(file)}, .ended = std::move(ended)});
}

void FileTasks::convert(const std::shared_ptr<const Source>& picture, Element element) {
  if (!picture || picture->picture.pixels.shape().element == element) return;
  ask({.job = ConvertPicture{.source = picture, .element = element}});
}

void FileTasks::save(std::filesystem::path path, std::function<void()> write, Ended ended) {
  ask({.job = SaveFile{.path = std::move(path), .write = std::move(write)}, .ended = std::move(ended)});
}

void FileTasks::save(std::filesystem::path path, gl::PendingRead contents, std::function<void(HostIn)> write,
                     Ended ended) {
  ask({.job = SaveFile{.path = std::move(path)},
       .contents = std::move(contents),
       .write = std::move(write),
       .ended = std::move(ended)});
}

void FileTasks::keep(ResultToUse result, gl::PendingRead contents, std::function<HostArray(HostIn)> convert) {
  ask({.job = KeepResult{.result = std::move(result)}, .contents = std::move(contents), .copy = std::move(convert)});
}

void FileTasks::ask(Task task) {
  waiting_.push_back(std::move(task));
  start_next();
}

void FileTasks::start_next() {
  if (!worker_.idle()) return;
  if (!next_) {
    if (waiting_.empty()) return;
    next_ = std::move(waiting_.front());
    waiting_.pop_front();
    since_start_.restart();
    mailbox_->done = 0.0;
  }
  if (next_->contents) {
    const std::optional<HostIn> arrived = next_->contents->poll();
    if (!arrived) return;
    if (auto* save = std::get_if<SaveFile>(&next_->job))
      save->write = [write = std::move(next_->write), data = *arrived] { write(data); };
    if (auto* keep = std::get_if<KeepResult>(&next_->job))
      keep->read = [copy = std::move(next_->copy), data = *arrived] { return copy(data); };
    contents_ = std::move(next_->contents);
  }
  ended_ = std::move(next_->ended);
  if (std::holds_alternative<OpenFile>(next_->job)) overview_.reset();
  worker_.start(std::move(next_->job));
  next_.reset();
}

void FileTasks::wait() {
  if (!next_) return worker_.wait();
  try {
    (void)next_->contents->wait();
  } catch (const Error& error) {
    std::string message = error.what();
    const Task dropped = *std::exchange(next_, std::nullopt);
    if (const auto* job = std::get_if<SaveFile>(&dropped.job)) message = not_written(*job, message);
    if (dropped.ended) dropped.ended(message);
    throw EnvironmentError(message);
  }
}

std::optional<FinishedJob> FileTasks::take_finished() {
  std::optional<FinishedJob> done = worker_.take();
  if (done) contents_.reset();
  return done;
}

void FileTasks::update(Workspace& workspace) {
  {
    const std::scoped_lock lock(mailbox_->mutex);
    if (auto arrived = std::exchange(mailbox_->overview, std::nullopt))
      overview_ = std::make_shared<const io::Overview>(std::move(*arrived));
  }
  if (std::optional<FinishedJob> done = take_finished()) {
    if (auto* opened = std::get_if<Finished<OpenFile>>(&*done)) take(workspace, std::move(*opened));
    if (auto* converted = std::get_if<Finished<ConvertPicture>>(&*done)) take(workspace, std::move(*converted));
    if (auto* saved = std::get_if<Finished<SaveFile>>(&*done)) take(workspace, *saved);
    if (auto* kept = std::get_if<Finished<KeepResult>>(&*done)) take(workspace, std::move(*kept));
  }
  start_next();
}

void FileTasks::finish(Workspace& workspace) {
  while (busy()) {
    try {
      wait();
    } catch (const Error& error) {
      workspace.log.error(error.what());
    }
    update(workspace);
  }
}

std::string FileTasks::activity() const {
  const Job* job = current();
  if (job == nullptr) return "";
  if (const auto* open = std::get_if<OpenFile>(job)) {
    const int percent = static_cast<int>(100 * progress());
    return "opening " + open->file.path.filename().string() +
           (percent > 0 ? ", " + std::to_string(percent) + " %" : "");
  }
  if (const auto* save = std::get_if<SaveFile>(job)) return "saving " + save->path.filename().string();
  if (std::holds_alternative<KeepResult>(*job)) return "copying the result";
  return std::holds_alternative<ConvertPicture>(*job) ? "converting the picture" : "";
}

void FileTasks::take(Workspace& workspace, Finished<OpenFile> opened) {
  const Failure* failure = opened.failure();
  if (failure != nullptr)
    workspace.log.error(failure->why);
  else if (io::Loaded* data = opened.result())
    workspace.take_opened(opened.job.file, std::move(*data));
  if (const Ended ended = std::exchange(ended_, nullptr)) ended(failure != nullptr ? failure->why : "");
}

void FileTasks::take(Workspace& workspace, Finished<ConvertPicture> converted) {
  if (const Failure* failure = converted.failure()) workspace.log.error(failure->why);
  io::Loaded* picture = converted.result();
  // Another picture may have been opened while this one was converted.
  if (picture == nullptr || workspace.picture() != converted.job.source) return;
  workspace.set_source(converted.job.source->path, std::move(*picture));
  workspace.log.detail("the picture is now " + to_string(workspace.picture()->picture.pixels.shape()));
}

void FileTasks::take(Workspace& workspace, Finished<KeepResult> kept) {
  if (const Failure* failure = kept.failure()) workspace.log.error("the result is not used: " + failure->why);
  if (HostArray* values = kept.result()) workspace.use_result(kept.job.result, std::move(*values));
}

void FileTasks::take(Workspace& workspace, const Finished<SaveFile>& saved) {
  const Failure* failure = saved.failure();
  std::error_code ignored;
  const std::string path = std::filesystem::absolute(saved.job.path, ignored).string();
  const std::uintmax_t bytes = failure == nullptr ? std::filesystem::file_size(saved.job.path, ignored) : 0;
  const std::string size = ignored ? std::string{} : ", " + std::to_string((bytes + 1023) / 1024) + " KiB";
  if (failure != nullptr)
    workspace.log.error(failure->why);
  else
    workspace.log.info("saved " + path + size, {{Offer::Action::copy_text, "Copy path", path}});
  if (const Ended ended = std::exchange(ended_, nullptr)) ended(failure != nullptr ? failure->why : "");
}

}  // namespace threadscape::app
