#include "app/shell/lesson_session.h"

#include <algorithm>
#include <chrono>

#include "app/lesson/lesson_grade.h"
#include "app/session/sketch_file.h"
#include "app/session/user_folders.h"
#include "compute/core/errors.h"
#include "compute/io/file_writer.h"
#include "compute/io/input_file.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* progress_file = "progress.json";

void copy_text(const fs::path& from, const fs::path& to) {
  const std::vector<std::byte> bytes = io::load_bytes(from, io::Limit::file_bytes);
  io::save_bytes(to, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

template <class Map>
const typename Map::mapped_type& found_or_empty(const Map& map, const std::string& name) {
  static const typename Map::mapped_type empty;
  const auto found = map.find(name);
  return found == map.end() ? empty : found->second;
}

}  // namespace

LessonSession::LessonSession(LogBook& log, std::function<void()> wake) : log_(log), wake_(std::move(wake)) {
  if (const fs::path settings = settings_folder(); !settings.empty()) learner_ = settings / "lessons";
}

LessonSession::~LessonSession() {
  stop_.request_stop();
}

void LessonSession::open(const fs::path& folder) {
  auto lesson = std::make_shared<const Lesson>(load_lesson(fs::absolute(folder).lexically_normal()));
  close();
  lesson_ = std::move(lesson);
  ++opened_;
  own_folder_ = (learner_.empty() ? cache_folder() / "lessons" : learner_) / learner_folder_name(*lesson_);
  if (!learner_.empty())
    progress_ = load_progress(own_folder_ / progress_file, [this](const std::string& text) { log_.warning(text); });
  const auto at = std::ranges::find_if(
      lesson_->pages, [&](const LessonPage& page) { return fs::path(page.file).filename() == progress_.page; });
  if (at != lesson_->pages.end()) page_ = static_cast<std::size_t>(at - lesson_->pages.begin());
}

void LessonSession::close() {
  cancel();
  lesson_.reset();
  page_ = 0;
  progress_ = {};
  solutions_ = warned_ = false;
  troubles_.clear();
  figures_.clear();
  runs_.clear();
}

void LessonSession::go_to(std::size_t page) {
  if (page >= lesson_->pages.size() || page == page_) return;
  page_ = page;
  save();
}

LessonSession::Done LessonSession::done_on(std::size_t page) const {
  Done count;
  for (const LessonBlock& block : lesson_->pages[page].blocks) {
    const auto* const question = std::get_if<QuestionPlace>(&block);
    const auto* const exercise = std::get_if<ExercisePlace>(&block);
    if (question == nullptr && exercise == nullptr) continue;
    ++count.all;
    if (question != nullptr ? answered(question->index).right : exercised(exercise->index).passed) ++count.done;
  }
  return count;
}

void LessonSession::begin_again() {
  progress_ = {};
  page_ = 0;
  troubles_.clear();
  save();
}

void LessonSession::answer(std::size_t question, const std::string& text) {
  const LessonQuestion& asked = lesson_->questions[question];
  QuestionProgress& progress = progress_.questions[asked.name];
  progress.answer = text;
  progress.right = is_right(asked, text);
  if (!progress.right) ++progress.failed;
  save();
}

const QuestionProgress& LessonSession::answered(std::size_t question) const {
  return found_or_empty(progress_.questions, lesson_->questions[question].name);
}

const ExerciseProgress& LessonSession::exercised(std::size_t exercise) const {
  return found_or_empty(progress_.exercises, lesson_->exercises[exercise].name);
}

fs::path LessonSession::own_file(std::size_t exercise) const {
  return own_folder_ / lesson_->exercises[exercise].file;
}

std::optional<std::size_t> LessonSession::exercise_of(const fs::path& file) const {
  if (!is_open()) return {};
  for (std::size_t i = 0; i < lesson_->exercises.size(); ++i)
    if (own_file(i) == file) return i;
  return {};
}

void LessonSession::prepare(std::size_t exercise) {
  const fs::path start = lesson_->folder / lesson_->exercises[exercise].file, own = own_file(exercise);
  std::error_code error;
  fs::create_directories(own.parent_path(), error);
  if (error) throw EnvironmentError(own.parent_path().string() + " cannot be made: " + error.message());
  if (!fs::exists(own, error)) copy_text(start, own);
  // A sketch with which it is compared is looked for beside it.
  const std::vector<std::byte> bytes = io::load_bytes(start, io::Limit::file_bytes);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string compared = sketch::make_sketch(std::string(text), start).head.check_algorithm;
  if (names_sketch(compared) && fs::exists(start.parent_path() / compared, error))
    copy_text(start.parent_path() / compared, own.parent_path() / compared);
}

void LessonSession::check(std::size_t exercise) {
  ask(exercise);
}

std::string LessonSession::check_trouble(std::size_t exercise) const {
  const auto found = troubles_.find(exercise);
  return found == troubles_.end() ? std::string() : found->second;
}

void LessonSession::compute(BlockPlace place) {
  ask(place);
}

const BlockFigures* LessonSession::figures(BlockPlace place) const {
  const auto found = figures_.find(place);
  return found == figures_.end() ? nullptr : &found->second;
}

const RunRequest& LessonSession::run_of_state(BlockPlace place) {
  const auto found = runs_.find({place, 0});
  if (found != runs_.end()) return found->second;
  const auto& state = std::get<LessonState>(lesson_->pages[place.page].blocks[place.block]);
  return runs_.emplace(std::pair(place, 0), run_of(*lesson_, state)).first->second;
}

const RunRequest& LessonSession::run_of_swept(BlockPlace place, std::size_t sketch) {
  const auto found = runs_.find({place, sketch});
  if (found != runs_.end()) return found->second;
  const auto& sweep = std::get<LessonSweep>(lesson_->pages[place.page].blocks[place.block]);
  return runs_.emplace(std::pair(place, sketch), run_of_sweep(*lesson_, sweep, sketch)).first->second;
}

bool LessonSession::is_due(const Job& job) const {
  return std::ranges::find(due_, job) != due_.end();
}

void LessonSession::ask(const Job& job) {
  if (is_due(job)) return;
  due_.push_back(job);
  if (!working_.valid()) start();
}

void LessonSession::start() {
  stop_ = std::stop_source();
  const auto* const exercise = std::get_if<std::size_t>(&due_.front());
  working_ = std::async(std::launch::async, [this, lesson = lesson_, job = due_.front(), stop = stop_.get_token(),
                                             file = exercise != nullptr ? own_file(*exercise) : fs::path()] {
    Finished finished = work(*lesson, job, file, stop);
    wake_();
    return finished;
  });
}

LessonSession::Finished LessonSession::work(const Lesson& lesson, const Job& job, const fs::path& file,
                                            const std::stop_token& stop) {
  Finished finished{.job = job, .grade = {}, .figures = {}, .trouble = {}};
  try {
    if (const auto* const exercise = std::get_if<std::size_t>(&job)) {
      finished.grade =
          ExerciseGrader(lesson, lesson.exercises[*exercise]).grade(file, {.secret = {}, .threads = 0, .stop = stop});
    } else {
      const auto& place = std::get<BlockPlace>(job);
      const LessonBlock& block = lesson.pages[place.page].blocks[place.block];
      if (const auto* const counts = std::get_if<LessonCounts>(&block))
        finished.figures.table = count_table(lesson, *counts, stop);
      if (const auto* const sweep = std::get_if<LessonSweep>(&block))
        finished.figures.charts = {sweep_chart(lesson, *sweep, stop)};
      if (const auto* const report = std::get_if<LessonReport>(&block)) {
        ReportFigures found = report_figures(lesson, *report);
        finished.figures = {std::move(found.charts), std::move(found.table), std::move(found.machines), {}};
      }
    }
  } catch (const Cancelled&) {
    finished.cancelled = true;
  } catch (const std::exception& error) {
    finished.trouble = finished.figures.trouble = error.what();
  }
  return finished;
}

void LessonSession::cancel() {
  stop_.request_stop();
  outdated_ = working_.valid();
  due_.clear();
}

void LessonSession::update() {
  if (!working_.valid() || working_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  Finished finished = working_.get();
  if (!std::exchange(outdated_, false)) {
    due_.pop_front();
    if (!finished.cancelled) take(std::move(finished));
  }
  if (!due_.empty()) start();
}

void LessonSession::take(Finished finished) {
  if (const auto* const place = std::get_if<BlockPlace>(&finished.job)) {
    figures_[*place] = std::move(finished.figures);
    return;
  }
  const std::size_t index = std::get<std::size_t>(finished.job);
  troubles_[index] = finished.trouble;
  if (!finished.trouble.empty()) return;
  ExerciseProgress& exercise = progress_.exercises[lesson_->exercises[index].name];
  const bool passed = finished.grade.passed();
  exercise.marks = std::move(finished.grade.marks);
  exercise.passed = exercise.passed || passed;
  if (!passed) ++exercise.failed;
  save();
}

void LessonSession::save() {
  progress_.page = fs::path(lesson_->pages[page_].file).filename().string();
  if (learner_.empty()) return;
  try {
    fs::create_directories(own_folder_);
    io::save_bytes(own_folder_ / progress_file, progress_text(progress_));
    std::string answers;
    for (const auto& [name, question] : progress_.questions)
      answers += name + ": " + question.answer + "\n";
    io::save_bytes(own_folder_ / answers_file, answers);
  } catch (const std::exception& error) {
    if (!std::exchange(warned_, true)) log_.warning("the progress is not kept: " + std::string(error.what()));
  }
}

}  // namespace threadscape::app
