// Mutants of kernels: an operator or a number is changed, or a barrier or fence removed, and the machine has to show
// it.
//
// A mutant is caught if a run on one input, of 1000 words, has a fault or another result than the original. It counts
// as equivalent if that is so for no input at all: of four lengths, one word and whole blocks among them, with two
// kinds of values each. The barriers and fences of the kernels are all needed, so that there each mutant has to be
// caught. tests/data/warp/mutants.ptx is what NVRTC 13.0 makes of mutants.cu.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "compute/warp/machine.h"
#include "tests/support/test_paths.h"

namespace threadscape::warp {
namespace {

struct Input {
  std::uint32_t length;
  std::uint32_t range;  ///< Values are smaller.
};
constexpr Input inputs[] = {{1000, 1U << 20}, {1000, 5}, {1, 1U << 20},   {1, 5},
                            {384, 1U << 20},  {384, 5},  {131, 1U << 20}, {131, 5}};

/// A linear congruential generator with the constants of Knuth's MMIX.
struct Generator {
  std::uint64_t state = 48;
  std::uint32_t below(std::uint64_t limit) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>((state >> 33) % limit);
  }
};

struct Outcome {
  std::vector<std::uint32_t> out;
  bool fault = false;
  bool differs(const Outcome& original) const { return fault || out != original.out; }
};

Outcome outcome(const std::string& text, const std::string& kernel, const Input& input) {
  Outcome result;
  const Module module = parse_ptx(text);
  Generator generator;
  std::vector<std::uint32_t> in(input.length);
  for (std::uint32_t& value : in)
    value = generator.below(input.range);
  const std::uint32_t blocks = (input.length + 127) / 128;
  // The words that are written: one for each block, a histogram of 16, the blocks behind two, or all.
  result.out.assign(kernel == "reduce"       ? blocks
                    : kernel == "histogram"  ? 16
                    : kernel == "last_block" ? 2 + blocks
                                             : input.length,
                    0);
  const Allocation memory[] = {
      {.name = "out",
       .address = 0x10000,
       .memory = reinterpret_cast<std::byte*>(result.out.data()),
       .bytes = result.out.size() * 4},
      {.name = "in", .address = 0x20000, .memory = reinterpret_cast<std::byte*>(in.data()), .bytes = in.size() * 4}};
  LaunchRequest request{.module = &module,
                        .kernel = kernel,
                        .grid = {blocks, 1, 1},
                        .block = {128, 1, 1},
                        .arguments = std::vector<std::byte>(24),
                        .memory = memory};
  const std::uint64_t arguments[] = {0x10000, 0x20000, input.length};
  std::memcpy(request.arguments.data(), arguments, sizeof arguments);
  request.options.threads = 1;
  request.options.per_instruction = false;
  request.options.global_races = true;
  request.options.limits.instructions = request.options.limits.block_instructions = 100'000;
  const LaunchResult launched = launch(request);
  result.fault = !launched.faults.empty() || !launched.stopped.empty();
  return result;
}

/// Words of PTX that become others.
constexpr std::pair<std::string_view, std::string_view> operators[] = {
    {"add.s32", "sub.s32"},      {"sub.s32", "add.s32"},   {"max.s32", "min.s32"},   {"min.s32", "max.s32"},
    {"and.b32", "or.b32"},       {"or.b32", "and.b32"},    {"xor.b32", "and.b32"},   {"shl.b32", "shr.u32"},
    {"shr.u32", "shl.b32"},      {"setp.lt.", "setp.le."}, {"setp.le.", "setp.lt."}, {"setp.gt.", "setp.ge."},
    {"setp.ge.", "setp.gt."},    {"setp.eq.", "setp.ne."}, {"setp.ne.", "setp.eq."}, {"add.s64", "sub.s64"},
    {"mad.lo.s32", "mul.lo.s32"}};

enum class Mutation { Operator, Number, Barrier };

/// Changes a line in one of the ways that it has; false if it has none.
bool mutate(std::string& line, Generator& generator, Mutation& how) {
  if (line.starts_with("\tbar.sync") || line.starts_with("\tmembar")) {
    line.clear();
    how = Mutation::Barrier;
    return true;
  }
  const bool chooses_number = generator.below(2) == 0;
  if (chooses_number) {
    // The last operand, if it is a number.
    const std::size_t at = line.rfind(", ");
    const std::size_t end = line.rfind(';');
    if (at == std::string::npos || end == std::string::npos || line.find(".loc") != std::string::npos) return false;
    const std::string operand = line.substr(at + 2, end - at - 2);
    if (operand.find_first_not_of("-0123456789") != std::string::npos) return false;
    line.replace(at + 2, operand.size(), std::to_string(std::stoll(operand) + (generator.below(2) == 0 ? 1 : -1)));
    how = Mutation::Number;
    return true;
  }
  for (const auto& [from, to] : operators) {
    const std::size_t at = line.find(from);
    if (at == std::string::npos || (from == "mad.lo.s32" && line.find(", 0") != std::string::npos)) continue;
    line.replace(at, from.size(), to);
    // A multiplication has one operand less.
    if (from == "mad.lo.s32") line.replace(line.rfind(','), std::string::npos, ";");
    how = Mutation::Operator;
    return true;
  }
  return false;
}

TEST(WarpMutants, AreCaught) {
  std::ifstream file(test_dir() + "/data/warp/mutants.ptx");
  std::vector<std::string> lines, kernel_of;
  std::string kernel;
  for (std::string line; std::getline(file, line);) {
    if (const std::size_t at = line.find(".entry "); at != std::string::npos)
      kernel = line.substr(at + 7, line.find('(') - at - 7);
    kernel_of.push_back(kernel);
    lines.push_back(line);
  }
  const auto text_with = [&](std::size_t changed, const std::string& line) {
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i)
      text += (i == changed ? line : lines[i]) + "\n";
    return text;
  };
  std::map<std::string, std::vector<Outcome>> originals;
  for (const char* name : {"reduce", "scan", "stencil", "histogram", "sort", "last_block", "transpose"})
    for (const Input& input : inputs) {
      originals[name].push_back(outcome(text_with(lines.size(), ""), name, input));
      EXPECT_FALSE(originals[name].back().fault) << name << " of " << input.length;
    }
  Generator generator;
  std::set<std::string> seen;
  int effective = 0, caught = 0, equivalent = 0, barriers = 0;
  while (seen.size() < 200) {
    const std::uint32_t at = generator.below(lines.size());
    std::string line = lines[at];
    Mutation how{};
    if (!mutate(line, generator, how) || !seen.insert(std::to_string(at) + line).second) continue;
    const std::string text = text_with(at, line),
                      where = kernel_of[at] + ", PTX line " + std::to_string(at + 1) + ": " + line;
    const std::vector<Outcome>& expected = originals.at(kernel_of[at]);
    const bool found = outcome(text, kernel_of[at], inputs[0]).differs(expected[0]);
    if (how == Mutation::Barrier) {
      ++barriers;
      EXPECT_TRUE(found) << where;
    }
    bool changes = found;
    for (std::size_t i = 1; i < std::size(inputs) && !changes; ++i)
      changes = outcome(text, kernel_of[at], inputs[i]).differs(expected[i]);
    effective += changes ? 1 : 0;
    caught += found ? 1 : 0;
    equivalent += changes ? 0 : 1;
    if (changes && !found) std::printf("not caught: %s\n", where.c_str());
  }
  std::printf("%d mutants: %d caught of %d that change a result, race or fail; %d equivalent; %d without a barrier\n",
              200, caught, effective, equivalent, barriers);
  EXPECT_GE(barriers, 20);
  EXPECT_GE(caught * 100, effective * 95);
  EXPECT_LE(equivalent, 60);
}

}  // namespace
}  // namespace threadscape::warp
