#include "app/lesson/count_rule.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "compute/core/errors.h"
#include "compute/core/suggestion.h"

namespace threadscape::app {

namespace {

using KernelCounts = warp::Counts;

/// A figure that is the sum of one or two counts, for kernels and for lines.
struct SummedFigure {
  std::string_view name, words;
  std::uint64_t KernelCounts::*first;
  std::uint64_t KernelCounts::*second = nullptr;
};

constexpr std::array summed{
    SummedFigure{"warp_instructions", "instructions that warps issue", &KernelCounts::warp_instructions},
    SummedFigure{"global_load_requests", "load requests to global memory", &KernelCounts::global_load_requests},
    SummedFigure{"global_load_sectors", "sectors of 32 bytes that are loaded", &KernelCounts::global_load_sectors},
    SummedFigure{"global_store_requests", "store requests to global memory", &KernelCounts::global_store_requests},
    SummedFigure{"global_store_sectors", "sectors of 32 bytes that are stored", &KernelCounts::global_store_sectors},
    SummedFigure{"global_sectors", "sectors that are loaded and stored", &KernelCounts::global_load_sectors,
                 &KernelCounts::global_store_sectors},
    SummedFigure{"shared_wavefronts", "passes over the banks of shared memory", &KernelCounts::shared_load_wavefronts,
                 &KernelCounts::shared_store_wavefronts},
    SummedFigure{"shared_conflicts", "passes that bank conflicts add", &KernelCounts::shared_load_conflicts,
                 &KernelCounts::shared_store_conflicts},
    SummedFigure{"divergent_branches", "branches that lanes of a warp take and others do not",
                 &KernelCounts::divergent_branches},
    SummedFigure{"atomics", "atomic operations of warps", &KernelCounts::atomics},
    SummedFigure{"atomic_collisions", "lanes whose atomic operation waits for another of their warp",
                 &KernelCounts::atomic_collisions},
    SummedFigure{"thread_instructions", "instructions of PTX of single threads", &KernelCounts::thread_instructions},
    SummedFigure{"ptx_instructions", "instructions of PTX of warps", &KernelCounts::ptx_instructions},
};

/// What a kernel, but no line, has. The ranks are those of the cases of kernel_figure().
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> of_kernels{{
    {"values", "values of the result"},
    {"launches", "launches of kernels"},
    {"blocks", "blocks of all launches"},
    {"warps", "warps of all launches"},
    {"threads", "threads of all launches"},
    {"active_lanes", "lanes of an instruction that are active, of 32"},
    {"registers", "registers of a thread, the most of all kernels"},
    {"occupancy", "percent of the warps that a multiprocessor holds, the least of all kernels"},
}};

const SummedFigure* summed_figure(std::string_view name) {
  const auto found = std::ranges::find(summed, name, &SummedFigure::name);
  return found == summed.end() ? nullptr : &*found;
}

void require_figure(std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto& [figure, words] : lesson_figures())
    known.push_back(figure);
  if (std::ranges::find(known, name) == known.end())
    throw UsageError("there is no figure '" + std::string(name) + "': " + suggestion_and_list(name, known, ", "));
}

/// Takes the next word, or the next text between quotation marks, from the front; "" at the end.
std::string take_word(std::string_view& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  text.remove_prefix(std::min(begin, text.size()));
  if (text.starts_with('"')) {
    const std::size_t end = text.find('"', 1);
    if (end == std::string_view::npos)
      throw UsageError("a text without its second quotation mark: " + std::string(text));
    std::string word(text.substr(1, end - 1));
    text.remove_prefix(end + 1);
    if (word.empty()) throw UsageError("a text between quotation marks is empty");
    return word;
  }
  const std::size_t end = std::min(text.find_first_of(" \t\n"), text.size());
  std::string word(text.substr(0, end));
  text.remove_prefix(end);
  return word;
}

/// Takes FIGURE or FIGURE per FIGURE. Puts the word behind it into `next`.
Ratio take_ratio(std::string_view& text, std::string& next) {
  Ratio ratio;
  ratio.figure = take_word(text);
  require_figure(ratio.figure);
  next = take_word(text);
  if (next != "per") return ratio;
  ratio.per = take_word(text);
  require_figure(ratio.per);
  next = take_word(text);
  return ratio;
}

std::string spaced(std::string_view name) {
  std::string words(name);
  std::ranges::replace(words, '_', ' ');
  return words;
}

/// A number without superfluous zeros.
std::string number_text(double number) {
  std::array<char, 32> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), result.ptr};
}

std::uint64_t warps_of(const ObservedKernel& kernel) {
  return (kernel.block.count() + 31) / 32 * kernel.study.launch.blocks;
}

/// A figure of of_kernels, over the kernels.
std::optional<double> kernel_figure(std::string_view name, const std::vector<const ObservedKernel*>& kernels,
                                    std::int64_t values) {
  const auto rank = std::ranges::find(of_kernels, name, [](const auto& row) { return row.first; }) - of_kernels.begin();
  double sum = 0, lanes = 0, most = 0, least = std::numeric_limits<double>::max();
  if (rank == 0) return static_cast<double>(values);
  for (const ObservedKernel* const kernel : kernels) {
    const warp::Study& study = kernel->study;
    const auto instructions = static_cast<double>(study.launch.total.ptx_instructions);
    if (rank == 1) sum += static_cast<double>(kernel->launches);
    if (rank == 2) sum += static_cast<double>(study.launch.blocks);
    if (rank == 3) sum += static_cast<double>(warps_of(*kernel));
    if (rank == 4) sum += static_cast<double>(study.launch.blocks * kernel->block.count());
    if (rank == 5) sum += instructions;
    if (rank == 5) lanes += static_cast<double>(study.launch.total.thread_instructions);
    if (rank == 6 && !study.registers) return {};
    if (rank == 6) most = std::max(most, static_cast<double>(*study.registers));
    if (rank == 7 && !study.occupancy.registers_known) return {};
    if (rank == 7) least = std::min(least, 100.0 * study.occupancy.fraction);
  }
  if (rank == 5) return sum == 0 ? 0 : lanes / sum;
  if (rank == 7) return least;
  return rank == 6 ? most : sum;
}

/// The numbers of the lines of a source that contain a text.
std::set<int> lines_with(std::string_view source, std::string_view text) {
  std::set<int> numbers;
  for (int number = 1; !source.empty(); ++number) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    if (source.substr(0, end).find(text) != std::string_view::npos) numbers.insert(number);
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return numbers;
}

/// The counts of a kernel that a rule asks for: all of them, or those of its lines.
KernelCounts counts_of(const ObservedKernel& kernel, const std::optional<std::set<int>>& lines) {
  if (!lines) return kernel.study.launch.total;
  KernelCounts sum;
  for (const warp::LineCounts& line : kernel.study.launch.lines) {
    const auto& files = kernel.module->files;
    const bool known = line.file > 0 && line.file < static_cast<int>(files.size());
    const bool header =
        known && std::filesystem::path(files[static_cast<std::size_t>(line.file)]).filename() == "threadscape.h";
    if (!header && lines->contains(line.line)) sum += line.counts;
  }
  return sum;
}

}  // namespace

Ratio parse_ratio(std::string_view text) {
  std::string next;
  Ratio ratio = take_ratio(text, next);
  if (!next.empty()) throw UsageError("'" + next + "' behind a figure; a figure is NAME or NAME per NAME");
  return ratio;
}

CountRule parse_count_rule(std::string_view text) {
  CountRule rule;
  std::string word;
  rule.ratio = take_ratio(text, word);
  if (word == "<=")
    rule.relation = CountRule::Relation::at_most;
  else if (word == ">=")
    rule.relation = CountRule::Relation::at_least;
  else if (word == "==")
    rule.relation = CountRule::Relation::equal;
  else
    throw UsageError("'" + word + "' behind a figure; a condition is FIGURE [per FIGURE] <= NUMBER, or with >= or ==");
  word = take_word(text);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), rule.limit);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(rule.limit) || rule.limit < 0)
    throw UsageError("'" + word + "' is no number from 0 on");
  for (word = take_word(text); !word.empty(); word = take_word(text)) {
    std::string* const to = word == "kernel"    ? &rule.kernel
                            : word == "line"    ? &rule.line
                            : word == "because" ? &rule.because
                                                : nullptr;
    if (to == nullptr)
      throw UsageError("'" + word + "' behind a condition; there are kernel NAME, line \"TEXT\" and because \"TEXT\"");
    if (!to->empty()) throw UsageError("'" + word + "' stands twice behind a condition");
    *to = take_word(text);
    if (to->empty()) throw UsageError("nothing stands behind '" + word + "'");
  }
  if (!rule.line.empty())
    for (const std::string& name : {rule.ratio.figure, rule.ratio.per})
      if (!name.empty() && name != "values" && summed_figure(name) == nullptr)
        throw UsageError("lines have no " + spaced(name) + ", only kernels have");
  return rule;
}

std::string words_of(const Ratio& ratio) {
  return spaced(ratio.figure) + (ratio.figure == "occupancy" ? " in percent" : "") +
         (ratio.per.empty() ? "" : " per " + spaced(ratio.per));
}

std::string words_of(const CountRule& rule) {
  constexpr std::array<std::string_view, 3> relations{"at most ", "at least ", "exactly "};
  std::string text = words_of(rule.ratio) + " " + std::string(relations[static_cast<std::size_t>(rule.relation)]) +
                     number_text(rule.limit);
  if (!rule.kernel.empty()) text += " in the kernel " + rule.kernel;
  if (!rule.line.empty()) text += " in lines with '" + rule.line + "'";
  return text;
}

std::vector<std::pair<std::string_view, std::string_view>> lesson_figures() {
  std::vector<std::pair<std::string_view, std::string_view>> all;
  for (const SummedFigure& figure : summed)
    all.emplace_back(figure.name, figure.words);
  all.insert(all.end(), of_kernels.begin(), of_kernels.end());
  return all;
}

std::optional<double> counted(const CountRule& rule, const Observation& observation, std::string_view source,
                              std::int64_t values) {
  std::vector<const ObservedKernel*> kernels;
  for (const ObservedKernel& kernel : observation.kernels)
    if (rule.kernel.empty() || kernel.name == rule.kernel || kernel.name.starts_with(rule.kernel + "("))
      kernels.push_back(&kernel);
  if (kernels.empty()) throw Error(ExitCode::check_failed, "no kernel " + rule.kernel + " was launched");
  std::optional<std::set<int>> lines;
  if (!rule.line.empty()) {
    lines = lines_with(source, rule.line);
    if (lines->empty()) throw Error(ExitCode::check_failed, "no line has the text '" + rule.line + "'");
  }
  if (rule.numbered_line > 0) lines = std::set<int>{rule.numbered_line};
  KernelCounts sum;
  for (const ObservedKernel* const kernel : kernels)
    sum += counts_of(*kernel, lines);
  const auto number = [&](const std::string& name) -> std::optional<double> {
    const SummedFigure* const figure = summed_figure(name);
    if (figure == nullptr) return kernel_figure(name, kernels, values);
    return static_cast<double>(sum.*figure->first) +
           (figure->second == nullptr ? 0.0 : static_cast<double>(sum.*figure->second));
  };
  const std::optional<double> above = number(rule.ratio.figure);
  if (rule.ratio.per.empty() || !above) return above;
  const std::optional<double> below = number(rule.ratio.per);
  if (!below) return {};
  // Nothing per nothing is nothing: a kernel without loads has no sectors per load.
  return *below == 0 ? 0.0 : *above / *below;
}

bool fulfils(const CountRule& rule, double number) {
  const double slack = rule.ratio.per.empty() ? 0.0 : 1e-6 * std::max(1.0, rule.limit);
  if (rule.relation == CountRule::Relation::at_most) return number <= rule.limit + slack;
  if (rule.relation == CountRule::Relation::at_least) return number >= rule.limit - slack;
  return std::abs(number - rule.limit) <= slack;
}

}  // namespace threadscape::app
