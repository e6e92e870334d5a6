#include "app/panels/timings/factor_line.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/session/timing_figures.h"
#include "app/ui/widgets.h"
#include "compute/registry/loops.h"

namespace threadscape::app {

namespace {

/// The number of runs of each work; the comparison of backends makes it as often.
constexpr int repetitions = 12;

/// The index of the OpenMP variant `loops`; none if the algorithm has no such variant.
std::optional<int> loops_index(const AlgorithmInfo& algorithm) {
  const auto variants = algorithm.variants_of(Backend::openmp);
  const auto found = std::ranges::find(variants, loops_variant.name, &Variant::name);
  return found == variants.end() ? std::nullopt : std::optional(static_cast<int>(found - variants.begin()));
}

/// The runs of a work with the present parameters; null without any.
const TimingHistory* runs_in(const TimingBook& book, const Work& work) {
  return work.backend == Backend::serial ? &book.statistics(Backend::serial)
                                         : book.statistics(work.backend, work.variant, work.threads);
}

/// The median of these runs; 0 without any but a warm-up.
double median_in(const TimingBook& book, const Work& work) {
  const TimingHistory* const runs = runs_in(book, work);
  return runs == nullptr ? 0.0 : runs->summary().median;
}

Work on_threads(Work work, int threads) {
  if (work.backend == Backend::openmp) work.threads = threads;
  return work;
}

Work as_loops(Work work, int variant) {
  work.variant = variant;
  return work;
}

std::string threads_of(const CpuFactor& factor) {
  if (factor.baseline.backend == Backend::openmp) return "threads";
  return std::to_string(factor.own.threads) + (factor.own.threads == 1 ? " thread" : " threads");
}

/// The product in a few words, for lines in which the sentence has no room.
std::string product_line(const Speedup& parts) {
  return factor_text(parts.over_baseline) + " = " + (parts.has_loops ? factor_text(parts.code) + " loops * " : "") +
         factor_text(parts.vectors) + " method, vectors * " + factor_text(parts.threads) + " threads";
}

/// Returns whether the present setting and B differ, and in backend, variant and threads alone.
bool differ_in_runs_alone(const Workspace& workspace) {
  const std::vector<SettingDifference> all = differences(workspace.setting(), workspace.slot.b());
  return !all.empty() && std::ranges::all_of(all, [](const SettingDifference& one) {
    return one.title == "Backend" || one.title == "Variant" || one.title == "Threads";
  });
}

bool is_emulated(const Work& work) {
  return work.device != nullptr && work.device->info().ordinal == gpu::emulated_ordinal;
}

/// The sentence of a factor of CUDA, whose runs are `own`; "" if a time is missing.
std::string sentence_of_cuda(const DeviceTimes& times, const std::string& name, const std::string& baseline,
                             const std::string& cpu) {
  const std::optional<DeviceSpeedup> parts = device_speedup_of(times);
  if (!parts) return "";
  return name + " is " + factor_text(parts->of_whole()) + " as fast as " + baseline + " = " +
         kernels_text(*parts, cpu) + " * " + factor_text(parts->transfers) +
         " (transfers to the device and the screen). Ratios of medians";
}

}  // namespace

std::string device_sentence(const Workspace& workspace) {
  const TimingBook& book = workspace.timings;
  const TimingHistory &cuda = book.statistics(Backend::cuda), &openmp = book.statistics(Backend::openmp);
  if (factor_to_serial(book, Backend::cuda) <= 0.0 || is_emulated(workspace.measured())) return "";
  const int threads = openmp.size() > 0 ? openmp[openmp.size() - 1].threads : 0;
  return sentence_of_cuda({.baseline = book.statistics(Backend::serial).summary().median,
                           .cpu = openmp.summary().median,
                           .kernels = cuda.summary(&StageTimes::compute_ms).median,
                           .whole = cuda.summary().median},
                          "CUDA", "serial",
                          "OpenMP, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"));
}

std::string device_sentence_of_a_and_b(const Workspace& workspace) {
  const Setting &a = workspace.setting(), &b = workspace.slot.b();
  const bool a_is_cuda = a.work.backend == Backend::cuda;
  if (a_is_cuda == (b.work.backend == Backend::cuda) || !differ_in_runs_alone(workspace) ||
      is_emulated(workspace.measured()))
    return "";
  const Work &on_gpu = a_is_cuda ? a.work : b.work, &on_cpu = a_is_cuda ? b.work : a.work;
  const TimingHistory* const cuda = workspace.timings.variant_statistics(Backend::cuda, on_gpu.variant);
  const TimingHistory* const other = runs_in(workspace.timings, on_cpu);
  if (cuda == nullptr || other == nullptr) return "";
  return sentence_of_cuda({.baseline = other->summary().median,
                           .kernels = cuda->summary(&StageTimes::compute_ms).median,
                           .whole = cuda->summary().median},
                          a_is_cuda ? "A" : "B", a_is_cuda ? "B" : "A", "");
}

std::optional<CpuFactor> shown_factor(const Workspace& workspace) {
  const TimingHistory& runs = workspace.timings.statistics(Backend::openmp);
  if (factor_to_serial(workspace.timings, Backend::openmp) <= 0.0) return std::nullopt;
  const TimingSample& last = runs[runs.size() - 1];
  CpuFactor factor{
      .baseline = workspace.measured(), .own = workspace.measured(), .baseline_name = "serial", .own_name = "OpenMP"};
  if (factor.baseline.backend != Backend::serial) factor.baseline.variant = 0;
  factor.baseline.backend = Backend::serial;
  factor.own.backend = Backend::openmp;
  factor.own.variant = last.variant;
  factor.own.threads = last.threads;
  return factor;
}

std::optional<CpuFactor> factor_of_a_and_b(const Workspace& workspace) {
  const Setting &a = workspace.setting(), &b = workspace.slot.b();
  if (!differ_in_runs_alone(workspace) || a.work.backend == Backend::cuda || b.work.backend == Backend::cuda)
    return std::nullopt;
  CpuFactor factor{
      .baseline = workspace.measured(), .own = workspace.measured(), .baseline_name = "B", .own_name = "A"};
  factor.baseline.backend = b.work.backend;
  factor.baseline.variant = b.work.variant;
  factor.baseline.threads = b.work.threads;
  if (factor.own.backend == Backend::serial) {
    std::swap(factor.baseline, factor.own);
    std::swap(factor.baseline_name, factor.own_name);
  }
  if (factor.own.backend == Backend::serial) return std::nullopt;  // Two variants of serial differ in method alone.
  return factor;
}

std::vector<double> times_of_b(const TimingBook& book, const CpuFactor& factor) {
  constexpr std::size_t enough = 30;  // More runs change no verdict that is worth reading.
  std::vector<double> times;
  const TimingHistory* const runs = runs_in(book, factor.own_name == "B" ? factor.own : factor.baseline);
  if (runs == nullptr) return times;
  for (std::size_t i = runs->size() - std::min(runs->size(), enough); i < runs->size(); ++i)
    if (!(*runs)[i].warm_up) times.push_back((*runs)[i].times.total_ms());
  return times;
}

std::optional<Speedup> split_factor(const TimingBook& book, const CpuFactor& factor) {
  SpeedupTimes times{.baseline = median_in(book, factor.baseline),
                     .baseline_one = median_in(book, on_threads(factor.baseline, 1)),
                     .own_one = median_in(book, on_threads(factor.own, 1)),
                     .own = median_in(book, factor.own)};
  const auto loops = loops_index(*factor.own.algorithm);
  if (loops && factor.baseline.backend == Backend::serial) {
    times.loops_one = median_in(book, on_threads(as_loops(factor.own, *loops), 1));
    times.loops = median_in(book, as_loops(factor.own, *loops));
    if (times.loops_one <= 0.0) return std::nullopt;
  }
  return speedup_of(times);
}

std::vector<Work> works_of_parts(const CpuFactor& factor, const Work& present) {
  std::vector<Work> works;
  const auto add = [&](const Work& work) {
    if (work != present && std::ranges::find(works, work) == works.end()) works.push_back(work);
  };
  add(factor.own);  // It runs last, so that the bars keep showing it.
  add(factor.baseline);
  add(on_threads(factor.baseline, 1));
  add(on_threads(factor.own, 1));
  const auto loops = loops_index(*factor.own.algorithm);
  if (loops && factor.baseline.backend == Backend::serial) {
    add(as_loops(factor.own, *loops));
    add(on_threads(as_loops(factor.own, *loops), 1));
  }
  return works;
}

std::string factor_sentence(const CpuFactor& factor, const Speedup& parts) {
  std::string text = factor.own_name + " is " + factor_text(parts.over_baseline) + " as fast as " +
                     factor.baseline_name + " = " + product_text(parts, threads_of(factor));
  if (parts.loop_threads > 0.0) text += "; threads alone: " + factor_text(parts.loop_threads) + " (loops)";
  return text + ". Ratios of medians";
}

void draw_grey_line(const std::string& text, const std::string& tip, float width) {
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  ImGui::TextDisabled("%s", text.c_str());
  ImGui::PopTextWrapPos();
  if (ImGui::IsItemHovered()) tooltip(tip);
}

void draw_factor_line(Desk& desk, const CpuFactor& factor, float width) {
  const Workspace& workspace = desk.workspace();
  if (const std::optional<Speedup> parts = split_factor(workspace.timings, factor)) {
    const std::string whole = factor_sentence(factor, *parts);
    const auto fits = [width](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x <= width; };
    const std::string text = fits(whole) ? whole : product_line(*parts);
    draw_grey_line(text, whole, width);
    return;
  }
  const bool busy = desk.live().comparing() || !workspace.problem().empty();
  ImGui::BeginDisabled(busy);
  const bool clicked = ImGui::TextLink((shortened("What is the factor made of?", width) + "##factor").c_str());
  ImGui::EndDisabled();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    tooltip("Measures what the factor of " + factor.own_name + " to " + factor.baseline_name +
            " is made of: the same loops, the method with its vectors, and threads, twelve runs each");
  if (clicked) desk.live().compare_works(workspace, works_of_parts(factor, workspace.measured()), repetitions);
}

}  // namespace threadscape::app
