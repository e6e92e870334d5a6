#include "app/lesson/exercise_grade.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "app/lesson/submitted_source.h"
#include "app/report/text.h"
#include "app/session/sketch_file.h"
#include "compute/core/errors.h"
#include "compute/core/machine.h"
#include "compute/core/resources.h"
#include "compute/core/synthetic.h"
#include "compute/io/input_file.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// The most instructions of warps of a run, and of one of its blocks. Kernels of lessons take far fewer, and one that
/// does not end has taken them within about a second.
constexpr std::uint64_t graded_instructions = std::uint64_t{1} << 26, graded_block_instructions = 1 << 23;

/// Numbers that follow from texts (FNV-1a), one after another (splitmix64).
class HiddenNumbers {
 public:
  explicit HiddenNumbers(const std::string& text) {
    for (const char c : text)
      state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  std::uint64_t operator()() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// A number from lo to hi.
  std::int64_t between(std::int64_t lo, std::int64_t hi) {
    return lo + static_cast<std::int64_t>((*this)() % static_cast<std::uint64_t>(hi - lo + 1));
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

Shape shape_as_read(const sketch::DataType& reads, std::int64_t width, std::int64_t height, std::int64_t depth) {
  Shape shape{.kind = reads.kind, .element = reads.element, .channels = reads.channels, .width = width};
  if (reads.kind == Kind::none) return {};
  if (reads.kind == Kind::scalar) shape.width = 1;
  if (reads.kind == Kind::sequence) shape.width = width * height * depth;
  if (reads.kind == Kind::image || reads.kind == Kind::heightfield) shape.height = height * depth;
  if (reads.kind == Kind::volume) {
    shape.height = height;
    shape.depth = depth;
  }
  return shape;
}

/// The shapes that everybody may know, and some that follow from the numbers.
std::vector<Shape> graded_shapes(const sketch::DataType& reads, HiddenNumbers& hidden) {
  std::vector<Shape> shapes;
  const auto add = [&](std::int64_t width, std::int64_t height, std::int64_t depth) {
    shapes.push_back(shape_as_read(reads, width, height, depth));
  };
  constexpr int hidden_shapes = 3;
  if (reads.kind == Kind::none || reads.kind == Kind::scalar) {
    add(1, 1, 1);
  } else if (reads.kind == Kind::sequence) {
    for (const int count : {1, 2, 31, 256, 1000, 4096})
      add(count, 1, 1);
    for (int i = 0; i < hidden_shapes; ++i) {
      add(hidden.between(3, 5000), 1, 1);
      add(std::int64_t{1} << hidden.between(2, 13), 1, 1);
    }
  } else if (reads.kind == Kind::volume) {
    add(1, 1, 1);
    add(5, 7, 9);
    add(33, 9, 4);
    for (int i = 0; i < hidden_shapes; ++i)
      add(hidden.between(1, 40), hidden.between(1, 20), hidden.between(1, 10));
  } else {
    for (const auto& [width, height] : {std::pair{1, 1}, {5, 7}, {33, 17}, {64, 64}, {130, 67}})
      add(width, height, 1);
    for (int i = 0; i < hidden_shapes; ++i)
      add(hidden.between(1, 120), hidden.between(1, 90), 1);
  }
  return shapes;
}

/// Gives the parameters values that follow from the numbers, integers at most six above the least.
void choose_values(const sketch::Head& head, std::vector<sketch::Value>& values, HiddenNumbers& hidden) {
  constexpr std::int64_t reach = 6;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const sketch::Parameter& parameter = head.parameters[i];
    using Type = sketch::Parameter::Type;
    if (parameter.type == Type::integer)
      values[i].integer = static_cast<int>(hidden.between(
          static_cast<std::int64_t>(parameter.lo),
          std::min(static_cast<std::int64_t>(parameter.lo) + reach, static_cast<std::int64_t>(parameter.hi))));
    if (parameter.type == Type::choice)
      values[i].integer = static_cast<int>(hidden.between(0, static_cast<std::int64_t>(parameter.choices.size()) - 1));
    if (parameter.type == Type::flag) values[i].flag = hidden.between(0, 1) == 1;
    constexpr int steps = 1000;
    if (parameter.type == Type::real)
      values[i].real = static_cast<float>(parameter.lo + (parameter.hi - parameter.lo) *
                                                             static_cast<double>(hidden.between(0, steps)) / steps);
  }
}

HostArray graded_input(const Shape& shape, std::uint64_t seed) {
  if (shape.kind == Kind::none) return {};
  return make_synthetic(seed % 2 == 0 ? InputPattern::photo : InputPattern::noise, shape, seed);
}

Shape counted_shape_of(const sketch::DataType& reads, const LessonSize& size) {
  return shape_as_read(reads, size.width, size.height, 1);
}

/// How a result differs from that of the reference, in words; "" if it does not.
std::string difference(const RunRequest& reference, HostIn input, HostIn result, const std::stop_token& stop) {
  Runner runner;
  const RunResult expected = runner.run(reference, input, stop);
  if (expected.output.shape() != result.shape)
    return "the result is " + to_string(result.shape) + ", not " + to_string(expected.output.shape());
  const std::optional<Mismatch> mismatch =
      compare(expected.output.view(), result, tolerance_of(reference, input.shape));
  return mismatch ? "differs from " + std::string(reference.algorithm->name) + ", " + to_string(*mismatch) : "";
}

std::string input_text(const Shape& shape) {
  return shape.kind == Kind::none ? "without an input" : "for the input " + to_string(shape);
}

}  // namespace

/// One run whose result is compared.
struct ExerciseGrader::Case {
  Shape input;
  std::uint64_t seed = 0;
  std::vector<sketch::Value> values;
  RunRequest reference;
};

bool ExerciseGrade::passed() const {
  return std::ranges::all_of(marks, &Mark::passed);
}

int ExerciseGrade::points() const {
  return static_cast<int>(std::ranges::count_if(marks, &Mark::passed));
}

bool compiles_sketches(bool twins) {
  const fs::path file = asset_folder() / "sketches" / (twins ? "blur.cpp" : "blur.cu");
  const std::vector<std::byte> bytes = io::load_bytes(file, io::Limit::file_bytes);
  sketch::LiveSketch live(sketch::make_sketch({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file));
  try {
    if (twins)
      (void)live.twin();
    else
      (void)live.kernels();
  } catch (const Error&) {
    return false;
  }
  return true;
}

ExerciseGrader::ExerciseGrader(const Lesson& lesson, const LessonExercise& exercise) : exercise_(exercise) {
  const fs::path file = lesson.folder / exercise.file;
  const std::vector<std::byte> bytes = io::load_bytes(file, io::Limit::file_bytes);
  start_ = std::make_shared<sketch::LiveSketch>(
      sketch::make_sketch({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file));
  reference_ = &checked_algorithm(start_->sketch(), {});
}

/// Reads a sketch. Throws UsageError for one that is no answer to the exercise.
std::shared_ptr<sketch::LiveSketch> ExerciseGrader::read(const fs::path& file) const {
  const sketch::Sketch& start = start_->sketch();
  std::error_code error;
  if (fs::is_symlink(file, error)) throw UsageError("is a link to another file");
  if (file.extension() != start.file.extension())
    throw UsageError("is no file " + start.file.extension().string() + ", which the exercise asks for");
  const std::vector<std::byte> bytes = io::load_bytes(file, io::Limit::file_bytes);
  const std::string source(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (std::string text = foreign_include(source); !text.empty()) throw UsageError(text);
  // Headers are looked for beside the sketch of the lesson, so that no file beside the submission counts.
  sketch::Sketch sketch = sketch::make_sketch(source, start.file.parent_path() / file.filename());
  if (std::string text = changed_task(start.head, sketch.head); !text.empty()) throw UsageError(text);
  if (std::string text = changed_outside_gaps(start.source, source); !text.empty()) throw UsageError(text);
  return std::make_shared<sketch::LiveSketch>(std::move(sketch));
}

std::vector<ExerciseGrader::Case> ExerciseGrader::cases(const std::string& secret) const {
  const sketch::Head& head = start_->sketch().head;
  HiddenNumbers hidden(secret + '/' + exercise_.name);
  std::vector<Case> all;
  std::string refusal;
  // Sketches have the seed of a run as an int.
  const auto hidden_seed = [&] { return hidden() >> 33; };
  const auto add = [&](const Shape& input, std::uint64_t seed, std::vector<sketch::Value> values) {
    Case one{.input = input, .seed = seed, .values = std::move(values), .reference = {}};
    ParamBox own = ParamBox::of(sketch::SketchParams{start_, one.values});
    try {
      one.reference = checked_run(*reference_, {}, own);
      one.reference.seed = seed;
      (void)sketch::result_shape(start_->sketch(), one.values, input);
      (void)reference_->output_shape(one.reference.params, reference_->input == Kind::none ? Shape{} : input);
      all.push_back(std::move(one));
    } catch (const UsageError& error) {  // The exercise does not take this shape, or these values.
      refusal = error.what();
    }
  };
  ParamBox stated = ParamBox::of(sketch::SketchParams{start_, sketch::default_values(head)});
  for (const auto& [name, value] : exercise_.check.run.sets)
    stated.assign(name, value);
  stated.check();
  for (const Shape& shape : graded_shapes(head.reads, hidden)) {
    add(shape, 1, sketch::default_values(head));
    add(shape, hidden_seed() | 1, stated.as<sketch::SketchParams>().values);
    std::vector<sketch::Value> values = sketch::default_values(head);
    choose_values(head, values, hidden);
    add(shape, hidden_seed() & ~std::uint64_t{1}, std::move(values));
  }
  if (all.empty()) throw UsageError(exercise_.name + " can be checked with no input: " + refusal);
  return all;
}

/// Compares the results on all inputs, up to the first one that differs.
Mark ExerciseGrader::equal(const std::shared_ptr<sketch::LiveSketch>& live, const GradeOptions& options) const {
  Mark mark;
  mark.name = "equal to " + std::string(reference_->name);
  const std::vector<Case> all = cases(options.secret);
  for (const Case& one : all) {
    sketch::MachineRun how;
    how.seed = one.seed;
    how.stop = options.stop;
    how.instructions = graded_instructions;
    how.block_instructions = graded_block_instructions;
    // A twin is told how many threads there are, and the machine finds out.
    how.threads = live->sketch().twin && options.threads == 0 ? max_threads() : options.threads;
    HostArray input = graded_input(one.input, one.seed);
    HostArray result(sketch::result_shape(live->sketch(), one.values, one.input));
    try {
      live->run(one.values, input.view(), result.view(), how);
    } catch (const Cancelled&) {
      throw;
    } catch (const Error& error) {
      mark.found = std::string(error.what()) + ", " + input_text(one.input);
      return mark;
    }
    // What a twin did to its input is not that of the reference.
    input = graded_input(one.input, one.seed);
    mark.found = difference(one.reference, input.view(), result.view(), options.stop);
    if (!mark.found.empty()) {
      mark.found += ", " + input_text(one.input);
      return mark;
    }
  }
  mark.passed = true;
  mark.found = std::to_string(all.size()) + " results are equal";
  return mark;
}

/// Adds the marks of the rules, and takes that of the result back if the counted run has another one.
void ExerciseGrader::count(const std::shared_ptr<sketch::LiveSketch>& live, const GradeOptions& options,
                           ExerciseGrade& grade) const {
  const LessonCheck& check = exercise_.check;
  const sketch::Head& head = live->sketch().head;
  ParamBox params = ParamBox::of(sketch::SketchParams{live, sketch::default_values(head)});
  for (const auto& [name, value] : check.run.sets)
    params.assign(name, value);
  ObserveRequest request;
  request.gpu = &warp::gpu_model(check.run.capability);
  request.instructions = graded_instructions;
  request.races = check.races;
  request.run.threads = options.threads;
  const Shape shape = counted_shape_of(head.reads, check.run.input);
  constexpr std::uint64_t seed = 1;
  const HostArray input = graded_input(shape, seed);
  const Observation found = observe_sketch(params, seed, request, input.view(), options.stop);
  ParamBox own = params;
  RunRequest reference = checked_run(*reference_, {}, own);
  reference.seed = seed;
  std::string race;
  for (const ObservedKernel& kernel : found.kernels)
    for (const warp::Fault& fault : kernel.study.launch.faults) {
      if (fault.kind != warp::Fault::Kind::Race || !check.races) throw Error(ExitCode::check_failed, fault.text);
      if (race.empty()) race = fault.text;
    }
  if (const std::string text = difference(reference, input.view(), found.output.view(), options.stop); !text.empty())
    throw Error(ExitCode::check_failed, text);
  for (std::size_t i = 0; i < check.rules.size(); ++i) {
    Mark& mark = grade.marks[i + 1];
    mark.because = check.rules[i].because;
    try {
      const std::optional<double> number =
          counted(check.rules[i], found, live->sketch().source, found.output.shape().items());
      mark.passed = number && fulfils(check.rules[i], *number);
      mark.found = number ? format_number(*number, 4) : "not known without machine code, which NVRTC makes";
    } catch (const Error& error) {
      mark.found = error.what();
    }
  }
  if (!check.races) return;
  grade.marks.back().passed = race.empty();
  grade.marks.back().found = race.empty() ? "none" : race;
}

ExerciseGrade ExerciseGrader::without_sketch(const std::string& reason) const {
  ExerciseGrade grade{.exercise = exercise_.name, .file = {}, .marks = {}};
  const auto add = [&](std::string name, const std::string& found) {
    grade.marks.push_back({.name = std::move(name), .passed = false, .found = found, .because = {}});
  };
  add("equal to " + std::string(reference_->name), reason);
  for (const CountRule& rule : exercise_.check.rules)
    add(words_of(rule), "not counted");
  if (exercise_.check.races) add("no races", "not counted");
  return grade;
}

ExerciseGrade ExerciseGrader::grade(const fs::path& file, const GradeOptions& options) const {
  ExerciseGrade grade = without_sketch("");
  grade.file = file;
  Mark& result = grade.marks.front();
  bool compiled = false;
  try {
    const std::shared_ptr<sketch::LiveSketch> live = read(file);
    if (live->sketch().twin)
      (void)live->twin(options.stop);
    else
      (void)live->kernels(options.stop);
    compiled = true;
    result = equal(live, options);
    // Nobody earns marks for doing something else quickly.
    if (result.passed && !live->sketch().twin) count(live, options, grade);
  } catch (const Cancelled&) {
    throw;
  } catch (const EnvironmentError& error) {
    if (!compiled && !compiles_sketches(start_->sketch().twin)) throw;
    result.passed = false;
    result.found = error.what();
  } catch (const Error& error) {
    result.passed = false;
    result.found = error.what();
  }
  // Messages name the place where the sketch was compiled, which is beside that of the lesson.
  const std::string place = (start_->sketch().file.parent_path() / file.filename()).string();
  for (Mark& mark : grade.marks)
    for (std::size_t at = mark.found.find(place); at != std::string::npos; at = mark.found.find(place, at + 1))
      mark.found.replace(at, place.size(), file.filename().string());
  return grade;
}

}  // namespace threadscape::app
