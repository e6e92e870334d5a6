// Mutants of the program's sketches: an operator or a number is changed, or a barrier is left out, and a comparison or
// the machine of warps has to show it.
//
// tests/data/sketches has what NVRTC 13.0 makes of assets/sketches with --fmad=false, without comments, empty lines and
// places in sources. A mutant counts if it fails, or gives another result, for any of its inputs: of up to ten, of
// several sizes and two patterns. It is caught if that is so for an input of the first two sizes.

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/core/resources.h"
#include "compute/core/synthetic.h"
#include "compute/sketch/kernels.h"
#include "tests/support/compute/host_arrays.h"
#include "tests/support/test_paths.h"

namespace threadscape::sketch {
namespace {

constexpr const char* names[] = {"bitonic_shared",
                                 "blur",
                                 "convolution_shared",
                                 "diamond_square",
                                 "erosion",
                                 "histogram",
                                 "reduce_1",
                                 "reduce_6",
                                 "reduce_7",
                                 "scan",
                                 "seam_cost",
                                 "siddon",
                                 "sobel",
                                 "transpose_padded"};

/// A linear congruential generator with the constants of Knuth's MMIX.
struct Generator {
  std::uint64_t state = 48;
  std::size_t below(std::uint64_t limit) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>((state >> 33) % limit);
  }
};

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A result, or why there is none.
struct Outcome {
  std::vector<std::byte> result;
  std::string failure;
  bool operator==(const Outcome&) const = default;
};

/// A sketch with the inputs that its mutants run on.
class Subject {
 public:
  explicit Subject(const std::string& name)
      : sketch_(make_sketch(text_of((asset_folder() / "sketches" / (name + ".cu")).string()), name + ".cu")),
        values_(default_values(sketch_.head)) {
    std::string line;
    std::ifstream file(test_dir() + "/data/sketches/" + name + ".ptx");
    while (std::getline(file, line))
      lines.push_back(line);
    make_inputs();
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      originals_.push_back(outcome(lines.size(), "", i));
  }

  [[nodiscard]] std::size_t inputs() const { return inputs_.size(); }
  /// The number of inputs that have the first two sizes.
  [[nodiscard]] std::size_t tried() const { return sketch_.head.reads.kind == Kind::none ? 2 : 4; }
  /// Why the sketch itself fails with an input; "" if it does not.
  [[nodiscard]] const std::string& failure(std::size_t input) const { return originals_[input].failure; }
  /// True if a changed line changes what the sketch does with an input.
  [[nodiscard]] bool differs(std::size_t changed, const std::string& line, std::size_t input) const {
    return outcome(changed, line, input) != originals_[input];
  }

  std::vector<std::string> lines;  ///< Lines of PTX.

 private:
  struct Input {
    HostArray data;
    std::vector<Value> values;
  };

  void make_inputs() {
    const DataType& reads = sketch_.head.reads;
    if (reads.kind == Kind::none) {
      // The first parameter is the size.
      for (const int size : {4, 5, 1, 2, 3}) {
        Input& input = inputs_.emplace_back();
        input.values = values_;
        input.values[0].integer = size;
      }
      return;
    }
    // A large size and a small one come first.
    constexpr std::int64_t sizes[][3] = {{2048, 1, 1}, {1, 1, 1}, {256, 1, 1}, {1000, 1, 1}, {100, 1, 1},
                                         {70, 37, 1},  {1, 9, 1}, {33, 64, 1}, {32, 32, 1},  {64, 3, 1},
                                         {16, 12, 14}, {1, 1, 5}, {9, 20, 9}};
    for (const auto& [width, height, depth] : sizes) {
      const int axes = depth > 1 ? 3 : height > 1 ? 2 : 1;
      if (axes != (reads.kind == Kind::volume ? 3 : reads.kind == Kind::image ? 2 : 1)) continue;
      Shape shape{.kind = reads.kind, .element = reads.element, .channels = reads.channels};
      shape.width = width;
      shape.height = height;
      shape.depth = depth;
      try {
        (void)result_shape(sketch_, values_, shape);
      } catch (const UsageError&) {
        continue;  // Some sketches take powers of two alone.
      }
      for (const InputPattern pattern : {InputPattern::photo, InputPattern::noise})
        inputs_.push_back({make_synthetic(pattern, shape, 3), values_});
    }
  }

  [[nodiscard]] Outcome outcome(std::size_t changed, const std::string& line, std::size_t number) const {
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i)
      text += (i == changed ? line : lines[i]) + "\n";
    const Input& input = inputs_[number];
    try {
      const auto kernels = kernels_of(sketch_, {.ptx = text, .cubin = {}, .compiler = {}, .names = {}});
      const Shape shape = input.data.shape();
      const Plan plan = make_plan(sketch_, input.values, shape, result_shape(sketch_, input.values, shape), 5);
      const Arena arena(plan.bytes);
      if (shape.kind != Kind::none) copy(input.data.view(), plan.buffer("in").view(arena));
      MachineRun run;
      run.threads = 1;
      run.seed = 5;
      run.instructions = run.block_instructions = 3'000'000;
      run.launch = [](warp::LaunchRequest request) {
        request.options.global_races = true;
        return warp::launch(request);
      };
      run_on_machine(sketch_, *kernels, input.values, plan, arena, run);
      HostArray result(plan.buffer("out").shape);
      copy(plan.buffer("out").view(arena), result.view());
      return {testing::packed_bytes(std::as_const(result).view()), ""};
    } catch (const Error& error) {
      return {{}, error.what()};
    }
  }

  Sketch sketch_;
  std::vector<Value> values_;
  std::vector<Input> inputs_;
  std::vector<Outcome> originals_;
};

/// Words of PTX that become others.
constexpr std::pair<std::string_view, std::string_view> operators[] = {
    {"add.s", "sub.s"},       {"sub.s", "add.s"},       {"max.s", "min.s"},       {"min.s", "max.s"},
    {"max.u", "min.u"},       {"min.u", "max.u"},       {"max.f", "min.f"},       {"min.f", "max.f"},
    {"and.b", "or.b"},        {"or.b", "and.b"},        {"xor.b", "and.b"},       {"shl.b32", "shr.u32"},
    {"shr.u32", "shl.b32"},   {"shr.s32", "shr.u32"},   {"setp.lt.", "setp.le."}, {"setp.le.", "setp.lt."},
    {"setp.gt.", "setp.ge."}, {"setp.ge.", "setp.gt."}, {"setp.eq.", "setp.ne."}, {"setp.ne.", "setp.eq."},
    {"add.rn.f", "sub.rn.f"}, {"sub.rn.f", "add.rn.f"}, {"mul.rn.f", "add.rn.f"}, {"mul.lo.s", "add.s"},
    {"and.pred", "or.pred"},  {"or.pred", "and.pred"}};

enum class Mutation { Operator, Number, Barrier };
constexpr std::string_view names_of_mutations[] = {"operators", "numbers", "barriers"};

/// A changed line, or nothing where it cannot be changed in the chosen way.
std::optional<std::pair<std::string, Mutation>> mutant_of(std::string line, Generator& generator) {
  if (line.starts_with("bar.")) return {{"", Mutation::Barrier}};
  if (generator.below(2) == 0) {
    // The last operand, if it is a number.
    const std::size_t at = line.rfind(", "), end = line.rfind(';');
    if (at == std::string::npos || end == std::string::npos) return {};
    const std::string operand = line.substr(at + 2, end - at - 2);
    if (operand.empty() || operand.find_first_not_of("-0123456789") != std::string::npos) return {};
    line.replace(at + 2, operand.size(), std::to_string(std::stoll(operand) + (generator.below(2) == 0 ? 1 : -1)));
    return {{line, Mutation::Number}};
  }
  for (const auto& [from, to] : operators) {
    if (!line.starts_with(from)) continue;
    line.replace(0, from.size(), to);
    return {{line, Mutation::Operator}};
  }
  return {};
}

TEST(SketchMutants, AreCaught) {
  std::vector<Subject> subjects;
  for (const char* name : names) {
    const Subject& subject = subjects.emplace_back(name);
    ASSERT_GE(subject.inputs(), subject.tried()) << name;
    for (std::size_t i = 0; i < subject.inputs(); ++i)
      EXPECT_EQ(subject.failure(i), "") << name << ", input " << i;
  }
  constexpr int wanted = 200;
  Generator generator;
  std::set<std::pair<std::size_t, std::string>> seen;
  int effective[3] = {}, caught[3] = {}, equivalent[3] = {};
  while (effective[0] + effective[1] + effective[2] < wanted) {
    const std::size_t which = generator.below(std::size(names));
    const Subject& subject = subjects[which];
    const std::size_t at = generator.below(subject.lines.size());
    const auto mutant = mutant_of(subject.lines[at], generator);
    if (!mutant || !seen.insert({which * 10000 + at, mutant->first}).second) continue;
    const auto& [line, mutation] = *mutant;
    std::size_t input = 0;
    while (input < subject.inputs() && !subject.differs(at, line, input))
      ++input;
    const auto kind = static_cast<std::size_t>(mutation);
    ++(input < subject.inputs() ? effective : equivalent)[kind];
    if (input < subject.tried()) ++caught[kind];
    if (input >= subject.tried() && input < subject.inputs())
      std::printf("not caught: %s, line %zu: %s -> %s\n", names[which], at + 1, subject.lines[at].c_str(),
                  line.c_str());
  }
  std::printf("%-10s %10s %10s %12s\n", "mutants", "caught", "of", "equivalent");
  for (std::size_t kind = 0; kind < 3; ++kind)
    std::printf("%-10s %10d %10d %12d\n", std::string(names_of_mutations[kind]).c_str(), caught[kind], effective[kind],
                equivalent[kind]);
  EXPECT_GE((caught[0] + caught[1] + caught[2]) * 100, wanted * 95);
  EXPECT_EQ(caught[2], effective[2]);
  EXPECT_GE(effective[2], 5);
}

}  // namespace
}  // namespace threadscape::sketch
