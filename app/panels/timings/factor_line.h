#pragma once
// A line that says what a factor between two runs on the CPU is made of, by the medians of the window, or offers to
// measure that.

#include <optional>
#include <string>
#include <vector>

#include "app/analysis/speedup.h"
#include "app/shell/desk.h"

namespace threadscape::app {

/// How many times as fast `own`, a run of openmp, is as `baseline`, which differs in backend, variant and threads
/// alone.
struct CpuFactor {
  Work baseline, own;
  std::string baseline_name, own_name;  ///< What sentences call them: "serial", "OpenMP", "A".
};

/// The factor of openmp to serial that the bars show: of the variant and the threads with which openmp ran last. None
/// before both have run.
[[nodiscard]] std::optional<CpuFactor> shown_factor(const Workspace& workspace);
/// The factor between the present setting, A, and B, if they differ in backend, variant and threads alone and neither
/// runs on CUDA.
[[nodiscard]] std::optional<CpuFactor> factor_of_a_and_b(const Workspace& workspace);

/// The times of the last runs of B in milliseconds, without a warm-up, that the window has made since B was kept, for
/// the parts of its factor.
[[nodiscard]] std::vector<double> times_of_b(const TimingBook& book, const CpuFactor& factor);
/// The parts by the medians of the window; none before all of them have run.
[[nodiscard]] std::optional<Speedup> split_factor(const TimingBook& book, const CpuFactor& factor);
/// The runs that the parts need, as LiveView::compare_works() takes them, without `present`.
[[nodiscard]] std::vector<Work> works_of_parts(const CpuFactor& factor, const Work& present);

/// The parts as a sentence without its full stop, which names the baseline.
[[nodiscard]] std::string factor_sentence(const CpuFactor& factor, const Speedup& parts);
/// What the factor of CUDA in the bars, on a GPU, is made of, as a sentence without its full stop: what OpenMP, the
/// kernels alone and the transfers have in it. "" before serial and CUDA have run, and on the emulated device, whose
/// times are not those of a GPU. Without a run of OpenMP the first part is left out.
[[nodiscard]] std::string device_sentence(const Workspace& workspace);
/// What the factor between the present setting, A, and B is made of, as device_sentence() says it, if one of them runs
/// on CUDA and they differ in backend, variant and threads alone.
[[nodiscard]] std::string device_sentence_of_a_and_b(const Workspace& workspace);

/// Draws a text in grey, wrapped at this width, with a tip.
void draw_grey_line(const std::string& text, const std::string& tip, float width);
/// Draws the sentence of the parts if it fits into one line of this width, otherwise their product, with the sentence
/// as its tip; or a link that measures them.
void draw_factor_line(Desk& desk, const CpuFactor& factor, float width);

}  // namespace threadscape::app
