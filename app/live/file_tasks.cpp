#include "app/live/file_tasks.h"

namespace threadscape::app {

FileTasks::~FileTasks() {
  std::erase_if(waiting_, [](const Job& job) { return !std::holds_alternative<SaveFile>(job); });
  while (busy()) {
    worker_.wait();
    (void)worker_.take();
    start_next();
  }
}

void FileTasks::convert(const std::shared_ptr<const Source>& picture, Element element) {
  if (!picture || picture->picture.pixels.shape().element == element) return;
  ask(ConvertPicture{.source = picture, .element = element});
}

void FileTasks::save(std::filesystem::path path, std::function<void()> write) {
  ask(SaveFile{.path = std::move(path), .write = std::move(write)});
}

void FileTasks::ask(Job job) {
  waiting_.push_back(std::move(job));
  start_next();
}

void FileTasks::start_next() {
  if (!worker_.idle() || waiting_.empty()) return;
  Job next = std::move(waiting_.front());
  waiting_.pop_front();
  since_start_.restart();
  worker_.start(std::move(next));
}

void FileTasks::update(Workspace& workspace) {
  if (std::optional<FinishedJob> done = worker_.take()) {
    if (auto* opened = std::get_if<Finished<OpenFile>>(&*done)) take(workspace, std::move(*opened));
    if (auto* converted = std::get_if<Finished<ConvertPicture>>(&*done)) take(workspace, std::move(*converted));
    if (auto* saved = std::get_if<Finished<SaveFile>>(&*done)) take(workspace, std::move(*saved));
  }
  start_next();
}

void FileTasks::finish(Workspace& workspace) {
  while (busy()) {
    worker_.wait();
    update(workspace);
  }
}

std::string FileTasks::activity() const {
  if (const auto* job = worker_.current_as<OpenFile>()) return "opening " + job->file.path.filename().string();
  if (const auto* job = worker_.current_as<SaveFile>()) return "saving " + job->path.filename().string();
  return worker_.current_as<ConvertPicture>() != nullptr ? "converting the picture" : "";
}

void FileTasks::take(Workspace& workspace, Finished<OpenFile> opened) {
  if (io::Picture* data = opened.result())
    workspace.take_opened(opened.job.file, std::move(*data));
  else if (const Failure* failure = opened.failure())
    workspace.log.error(failure->why);
}

void FileTasks::take(Workspace& workspace, Finished<ConvertPicture> converted) {
  if (const Failure* failure = converted.failure()) workspace.log.error(failure->why);
  io::Picture* picture = converted.result();
  // Another picture may have been opened while this one was converted.
  if (picture == nullptr || workspace.picture() != converted.job.source) return;
  workspace.set_source(converted.job.source->path, std::move(*picture));
  workspace.log.info("the picture is now " + to_string(workspace.picture()->picture.pixels.shape()));
}

void FileTasks::take(Workspace& workspace, Finished<SaveFile> saved) {
  if (const Failure* failure = saved.failure())
    workspace.log.error(failure->why);
  else
    workspace.log.info("saved " + saved.job.path.string());
}

}  // namespace threadscape::app
