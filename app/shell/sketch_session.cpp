#include "app/shell/sketch_session.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "app/session/sketch_reference.h"
#include "compute/core/low_priority.h"
#include "compute/io/file_writer.h"
#include "compute/io/input_file.h"
#include "compute/sketch/kernels.h"
#include "compute/warp/compile.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// The side of the picture on which costs are compared, and the samples of each side on a GPU: both take seconds at
/// most.
constexpr std::int64_t compared_side = 256;
constexpr int compared_rounds = 8;

/// How often the file of a sketch is looked at, whose picture follows the saving in another editor that much later.
constexpr std::chrono::milliseconds watched_every{50};

template <class T>
bool is_ready(const std::future<T>& result) {
  return result.valid() && result.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

fs::file_time_type time_of(const fs::path& file) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(file, error);
  return error ? fs::file_time_type{} : time;
}

std::string read_text(const fs::path& file) {
  const std::vector<std::byte> bytes = io::load_bytes(file, io::Limit::file_bytes);
  if (bytes.size() > sketch::max_sketch_bytes) throw UsageError(file.string() + ": a sketch has at most 1 MiB");
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.find('\0') != std::string::npos) throw UsageError(file.string() + " is no text: it has a byte that is 0");
  return text;
}

/// What the comparison of a sketch has found, in one line.
std::string verdict_of(const std::vector<SketchCheckRow>& rows) {
  const std::string algorithm(rows.front().algorithm->name);
  const auto wrong = std::ranges::count_if(rows, [](const SketchCheckRow& row) { return row.wrong > 0; });
  if (wrong == 0) return "equals " + algorithm + " on " + std::to_string(rows.size()) + " inputs";
  const auto row = std::ranges::find_if(rows, [](const SketchCheckRow& one) { return one.wrong > 0; });
  const LargestDifference& largest = row->difference.largest;
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                "differs from %s on %d of %d inputs: %lld values of %s, at (%lld, %lld) %.6g, not %.6g",
                algorithm.c_str(), static_cast<int>(wrong), static_cast<int>(rows.size()),
                static_cast<long long>(row->wrong), to_string(row->input).c_str(),
                static_cast<long long>(largest.at[0]), static_cast<long long>(largest.at[1]), largest.b, largest.a);
  return text.data();
}

}  // namespace

SketchSession::~SketchSession() {
  stop_compiling_.request_stop();
  stop_comparing();
}

void SketchSession::open(const fs::path& file, const AlgorithmInfo* row) {
  ExportedSketch exported = read_exported(read_text(file));
  // Compilers name lines by the whole path.
  take_text(exported.source, fs::absolute(file));
  row_ = row;
  saved_ = text_;
  first_params_ = exported.params;
  exported_ = std::move(exported);
  written_ = time_of(file);
}

std::optional<KeptSketch> SketchSession::kept(const Workspace& workspace) const {
  if (!is_open()) return {};
  KeptSketch kept{.file = file_.string(),
                  .text = text_,
                  .changed = changed(),
                  .params = row_ != nullptr ? to_json(workspace.params_of(*row_)) : first_params_,
                  .tries = {},
                  .shown = shown_ ? static_cast<int>(*shown_) : -1};
  for (const SketchTry& one : tries_)
    kept.tries.push_back({.text = one.text,
                          .params = one.version ? to_json(one.params) : one.kept_params,
                          .instructions = one.instructions,
                          .sectors = one.sectors,
                          .check = one.check,
                          .equal = one.equal});
  return kept;
}

void SketchSession::restore(const KeptSketch& kept) {
  ExportedSketch saved;
  bool readable = true;
  try {
    saved = read_exported(read_text(kept.file));
  } catch (const Error&) {  // The text that was kept is all that there is.
    readable = false;
  }
  take_text(kept.changed || !readable ? kept.text : saved.source, fs::absolute(kept.file));
  saved_ = saved.source;
  exported_ = std::move(saved);
  first_params_ = kept.params;
  written_ = time_of(file_);
  for (const KeptSketch::Try& one : kept.tries)
    tries_.push_back({.text = one.text,
                      .version = nullptr,
                      .params = {},
                      .kept_params = one.params,
                      .instructions = one.instructions,
                      .sectors = one.sectors,
                      .check = one.check,
                      .equal = one.equal,
                      .against = {},
                      .why_no_costs = {}});
  if (kept.shown >= 0) shown_ = static_cast<std::size_t>(kept.shown);
}

void SketchSession::begin(const fs::path& example) {
  std::string text = read_text(example);
  const std::string stem = example.stem().string(), extension = example.extension().string();
  fs::path file = fs::current_path() / (stem + extension);
  for (int number = 2; fs::exists(file); ++number)
    file = fs::current_path() / (stem + "-" + std::to_string(number) + extension);
  take_text(std::move(text), std::move(file));
}

void SketchSession::take_text(std::string text, fs::path file) {
  close();
  text_ = std::move(text);
  file_ = std::move(file);
  if (file_.extension() != ".cpp") sketch::prepare_for_runs();
}

void SketchSession::close() {
  stop_compiling_.request_stop();
  stop_comparing();
  file_.clear();
  text_.clear();
  saved_.clear();
  exported_ = {};
  first_params_.clear();
  written_ = {};
  armed_ = again_ = false;
  watcher_.stop();
  row_ = nullptr;
  tries_.clear();
  shown_.reset();
  marks_.clear();
  trouble_.clear();
  counts_.clear();
  counted_.reset();
  coder_.clear();
}

void SketchSession::save() {
  io::save_bytes(file_, text_to_save());
  saved_ = text_;
  written_ = time_of(file_);
  if (armed_) wake_when_written();
}

std::string SketchSession::text_to_save() const {
  if (exported_.params.empty() && exported_.input.empty()) return text_;
  ExportedSketch now = exported_;
  now.source = text_;
  return text_of(now);
}

ExportedSketch SketchSession::to_export(const Workspace& workspace, std::string input) const {
  ExportedSketch now{.source = text_, .params = {}, .input = std::move(input), .picture = {}, .results = {}};
  if (row_ != nullptr) now.params = to_json(workspace.params_of(*row_));
  for (std::size_t i = 0; i < tries_.size(); ++i) {
    std::string text = "try " + std::to_string(i + 1) + (shown_ == i ? ", this one" : "");
    std::array<char, 80> figures{};
    if (tries_[i].instructions)
      std::snprintf(figures.data(), figures.size(), ": %.4g warp instructions per value, %.4g sectors per load",
                    *tries_[i].instructions, tries_[i].sectors.value_or(0));
    text += figures.data();
    if (!tries_[i].check.empty()) text += "; " + tries_[i].check;
    now.results.push_back(std::move(text));
  }
  return now;
}

void SketchSession::log_time(Workspace& workspace, const std::string& what) const {
  const std::chrono::duration<double, std::milli> since = std::chrono::steady_clock::now() - begun_;
  std::array<char, 96> times{};
  std::snprintf(times.data(), times.size(), " %.0f ms after Run, the longest frame meanwhile %.0f ms", since.count(),
                longest_ms_);
  workspace.log.detail(file_.filename().string() + ": " + what + times.data());
}

void SketchSession::wake_when_written() {
  watcher_.start(watched_every, [file = file_, seen = written_, wake = wake_]() mutable {
    if (const fs::file_time_type now = time_of(file); std::exchange(seen, now) != now) wake();
  });
}

void SketchSession::run() {
  if (!std::exchange(armed_, true)) wake_when_written();
  begun_ = std::chrono::steady_clock::now();
  longest_ms_ = 0.0;
  if (compiling_.valid()) {
    stop_compiling_.request_stop();
    again_ = true;
    return;
  }
  stop_comparing();
  coder_.stop();
  stop_compiling_ = std::stop_source();
  std::promise<Compiled> made;  // It is kept before the window is woken, which would go back to sleep without it.
  compiling_ = made.get_future();
  compiler_ = std::async(std::launch::async, [this, file = file_, text = text_, stop = stop_compiling_.get_token(),
                                              made = std::move(made)]() mutable {
    made.set_value(compile(file, std::move(text), stop));
    wake_();
  });
}

SketchSession::Compiled SketchSession::compile(const fs::path& file, std::string text, const std::stop_token& stop) {
  Compiled compiled{.version = nullptr, .file = file, .text = std::move(text), .trouble = {}, .marks = {}};
  const std::string name = file.filename().string();
  try {
    auto version = std::make_shared<sketch::LiveSketch>(sketch::make_sketch(compiled.text, file));
    if (version->sketch().twin)
      (void)version->twin(stop);
    else
      (void)version->kernels(stop);
    compiled.version = std::move(version);
  } catch (const warp::CompileError& error) {
    compiled.trouble = error.what();
    compiled.marks = code_marks(error.log(), name);
  } catch (const std::exception& error) {
    compiled.trouble = error.what();
  }
  if (compiled.marks.empty()) compiled.marks = code_marks(compiled.trouble, name);
  return compiled;
}

bool SketchSession::take_version(Workspace& workspace) {
  if (!is_open() || !is_ready(compiling_)) return false;
  awaits_picture_ = false;
  take_compiled(workspace);
  return awaits_picture_;
}

void SketchSession::update(Workspace& workspace, const LiveView& live) {
  if (!is_open()) return;
  watch();
  if (is_ready(compiling_)) take_compiled(workspace);
  take_messages(workspace);
  if (awaits_picture_ && &workspace.algorithm() == row_ && !workspace.problem().empty()) {
    awaits_picture_ = false;
    trouble_ = workspace.problem();
  }
  if (is_ready(comparing_)) take_compared();
  count(workspace, live);
}

void SketchSession::watch() {
  const fs::file_time_type now = time_of(file_);
  if (now == written_ || now == fs::file_time_type{} || changed()) return;
  written_ = now;
  try {
    exported_ = read_exported(read_text(file_));
    text_ = saved_ = exported_.source;
  } catch (const Error& error) {
    trouble_ = error.what();
    return;
  }
  if (armed_) run();
}

void SketchSession::take_compiled(Workspace& workspace) {
  Compiled compiled = compiling_.get();
  if (compiled.file.extension() != ".cpp") sketch::prepare_for_runs();
  if (std::exchange(again_, false)) return run();
  if (compiled.file != file_) return;  // Another file was opened meanwhile.
  marks_ = std::move(compiled.marks);
  trouble_ = std::move(compiled.trouble);
  for (const LogBook::Entry& entry : workspace.log.entries_after(last_message_))
    last_message_ = entry.number;
  log_time(workspace, compiled.version ? "compiled" : "does not compile, said");
  if (!compiled.version) return;
  awaits_picture_ = true;
  const AlgorithmInfo* const before = row_;
  if (before == nullptr || !replace_sketch(*before, compiled.version)) row_ = &sketch::add_sketch(compiled.version);
  ParamBox params = params_for(compiled.version, before, workspace);
  // A try of a session before gets its version when its text runs again.
  if (!shown_ || tries_[*shown_].version || tries_[*shown_].text != compiled.text) {
    tries_.emplace_back().text = std::move(compiled.text);
    shown_ = tries_.size() - 1;
  }
  SketchTry& now = tries_[*shown_];
  now.version = std::move(compiled.version);
  now.row = row_;
  now.params = params;
  now.check.clear();
  show(workspace, *shown_, params);
}

ParamBox SketchSession::params_for(const std::shared_ptr<sketch::LiveSketch>& version, const AlgorithmInfo* before,
                                   Workspace& workspace) {
  ParamBox params = before != nullptr ? sketch::adopted(version, workspace.params_of(*before)) : row_->defaults();
  const std::string first = std::exchange(first_params_, {});
  if (first.empty()) return params;
  try {
    ParamBox kept = row_->defaults();
    assign_json(kept, first);
    return kept;
  } catch (const Error& error) {
    workspace.log.warning("the parameters of the file are not used: " + std::string(error.what()));
  }
  return params;
}

void SketchSession::show(Workspace& workspace, std::size_t index, const ParamBox& params) {
  shown_ = index;
  counts_.clear();
  counted_.reset();
  if (&workspace.algorithm() != row_) workspace.choose_algorithm(*row_);
  workspace.set_parameters(params);
  // Sketches run on the CPU.
  if (workspace.work().backend == Backend::cuda) workspace.choose_backend(Backend::openmp);
}

void SketchSession::go_back(std::size_t index, Workspace& workspace) {
  stop_comparing();
  const SketchTry& there = tries_[index];
  text_ = there.text;
  marks_.clear();
  trouble_.clear();
  if (!there.version) {
    first_params_ = there.kept_params;
    shown_ = index;
    counts_.clear();
    return;
  }
  first_params_.clear();
  row_ = there.row;
  (void)replace_sketch(*row_, there.version);
  show(workspace, index, there.params);
}

/// Marks the lines that errors of runs name. Other errors of the sketch are its trouble, too.
void SketchSession::take_messages(const Workspace& workspace) {
  for (const LogBook::Entry& entry : workspace.log.entries_after(last_message_)) {
    last_message_ = entry.number;
    if (entry.level != LogBook::Level::error) continue;
    if (shown_ && tries_[*shown_].version) {
      const std::string& name = tries_[*shown_].version->sketch().head.name;
      const bool named = entry.text.starts_with(name + ":") || entry.text.starts_with(name + " ");
      if (awaits_picture_ || named) trouble_ = entry.text;
    }
    for (CodeMark& mark : code_marks(entry.text, file_.filename().string())) {
      marks_.push_back(std::move(mark));
      trouble_ = entry.text;
    }
  }
}

/// Counts the kernels of the shown try, once its result is displayed.
void SketchSession::count(Workspace& workspace, const LiveView& live) {
  const bool was_counting = std::exchange(counting_, false);
  if (!shown_ || !tries_[*shown_].version) return;
  const Work* const work = live.shown();
  SketchTry& now = tries_[*shown_];
  if (work == nullptr || work->algorithm != row_ || work->params.as<sketch::SketchParams>().live != now.version) return;
  if (std::exchange(awaits_picture_, false)) log_time(workspace, "picture");
  if (compiling() && was_counting) live.observer().stop();  // The cores are for the compiler.
  if (compiling()) return;
  if (!now.version->sketch().twin) {
    const std::shared_ptr<const Source> source = live.displayed_source();
    std::shared_ptr<const ObservedRun> run = live.observer().follow(observed_work(*work, 0), source, false, wake_);
    counting_ = run == nullptr;
    if (run != counted_) {
      counted_ = std::move(run);
      if (counted_ != nullptr) take_counts();
    }
    if (!counting_)
      coder_.follow({.live = now.version,
                     .values = work->params.as<sketch::SketchParams>().values,
                     .input = source != nullptr ? source->picture.pixels.shape() : Shape{},
                     .gpu = gpu_},
                    wake_);
  }
  compare();
}

void SketchSession::take_counts() {
  SketchTry& now = tries_[*shown_];
  counts_.clear();
  const ObservedRun& run = *counted_;
  if (!run.problem.empty()) trouble_ = run.problem;
  warp::Counts total;
  const std::string name = now.version->sketch().file.string();
  for (const ObservedKernel& kernel : run.found.kernels) {
    const warp::LaunchResult& launch = kernel.study.launch;
    total += launch.total;
    for (const auto& [line, counts] : counts_of_lines(kernel, name))
      counts_[line] += counts;
    for (const warp::Fault& fault : launch.faults)
      if (const warp::Location& at = kernel.module->locations[fault.location];
          at.file > 0 && kernel.module->files[static_cast<std::size_t>(at.file)] == name)
        marks_.push_back({.line = at.line, .error = true, .text = fault.text});
  }
  if (const auto values = static_cast<double>(run.found.output.shape().items()); values > 0)
    now.instructions = static_cast<double>(total.warp_instructions) / values;
  if (total.global_load_requests > 0)
    now.sectors = static_cast<double>(total.global_load_sectors) / static_cast<double>(total.global_load_requests);
  now.predicted = predicted_time(run);
}

void SketchSession::compare() {
  SketchTry& now = tries_[*shown_];
  const sketch::Sketch& sketch = now.version->sketch();
  const bool checks = now.check.empty();
  // Costs are compared of kernels that are right.
  if (comparing_.valid() || counting_ || compiling() || sketch.head.check_algorithm.empty()) return;
  if (!checks && (!now.equal || now.against || !now.why_no_costs.empty())) return;
  if (!checks && sketch.twin) {
    now.why_no_costs = "a .cpp has no kernels to count; threadscape bench " + file_.filename().string() +
                       " --against " + sketch.head.check_algorithm + " measures its time";
    return;
  }
  stop_comparing_ = std::stop_source();
  ComparisonRequest request;
  request.row = row_;
  request.check.params = now.params;
  request.input = shape_for(sketch.head.reads, compared_side, compared_side);
  request.rounds = compared_rounds;
  request.instructions = RunObserver::most_instructions;
  comparing_ =
      std::async(std::launch::async, [this, checks, request, index = *shown_, stop = stop_comparing_.get_token()] {
        take_low_priority();
        Compared compared{.index = index, .check = {}, .equal = false, .against = {}, .why_no_costs = {}};
        try {
          if (checks) {
            const std::vector<SketchCheckRow> rows = check_sketch(*request.row, request.check, stop);
            compared.check = verdict_of(rows);
            compared.equal = std::ranges::all_of(rows, [](const SketchCheckRow& one) { return one.wrong == 0; });
          } else {
            compared.against = compare_kernels(request, stop);
          }
        } catch (const Cancelled&) {
          compared.check.clear();
        } catch (const std::exception& error) {
          (checks ? compared.check : compared.why_no_costs) = error.what();
        }
        wake_();
        return compared;
      });
}

void SketchSession::take_compared() {
  Compared compared = comparing_.get();
  if (std::exchange(outdated_, false) || compared.index >= tries_.size()) return;
  SketchTry& of = tries_[compared.index];
  if (!of.check.empty()) {
    of.against = std::move(compared.against);
    of.why_no_costs = std::move(compared.why_no_costs);
    return;
  }
  of.check = std::move(compared.check);
  of.equal = compared.equal;
}

/// Ends a comparison that nobody waits for any more. Its thread ends a little later.
void SketchSession::stop_comparing() {
  stop_comparing_.request_stop();
  outdated_ = comparing_.valid();
}

std::optional<Work> SketchSession::reference(const Work& work) const {
  std::optional<RunRequest> request;
  try {
    if (row_ != nullptr && work.algorithm == row_) request = converted_reference_run(*row_, work.params);
  } catch (const UsageError&) {  // The comparison says why.
  }
  if (!request) return {};
  Work other = work;
  other.algorithm = request->algorithm;
  other.params = std::move(request->params);
  other.backend = request->backend;
  other.variant = 0;
  return other;
}

}  // namespace threadscape::app
