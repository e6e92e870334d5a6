#include "app/analysis/line_why.h"

#include <algorithm>
#include <cmath>

#include "app/report/text.h"

namespace threadscape::app {

namespace {

/// The line with the largest figure, and the sum over all lines.
struct Largest {
  std::size_t kernel = 0;
  int line = 0;
  warp::Counts counts;
  double figure = 0, sum = 0;
};

template <class F>
Largest largest(const std::vector<KernelCounts>& kernels, const F& figure_of) {
  Largest found;
  for (std::size_t kernel = 0; kernel < kernels.size(); ++kernel)
    for (const auto& [line, counts] : kernels[kernel].lines) {
      const double figure = figure_of(counts);
      found.sum += figure;
      if (figure <= found.figure) continue;
      found.kernel = kernel;
      found.line = line;
      found.counts = counts;
      found.figure = figure;
    }
  return found;
}

std::string grouped(double count) {
  std::string digits = std::to_string(std::llround(count));
  for (std::size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits;
}

/// A whole number as it is, others with three digits.
std::string plain(double value) {
  return value == std::floor(value) ? grouped(value) : format_number(value, 3);
}

double real(std::uint64_t count) {
  return static_cast<double>(count);
}

/// "245,760 of 253,952", or "all 245,760".
std::string share(const Largest& found) {
  return found.figure == found.sum ? "all " + grouped(found.sum) : grouped(found.figure) + " of " + grouped(found.sum);
}

/// Adds sentences that begin with a line.
class Sentences {
 public:
  explicit Sentences(const std::vector<KernelCounts>& kernels) : kernels_(kernels) {}
  void add(const Largest& found, const std::string& text) {
    all.push_back({.text = kernels_[found.kernel].file + ":" + std::to_string(found.line) + " " + text,
                   .kernel = found.kernel,
                   .line = found.line});
  }
  std::vector<LineSentence> all;

 private:
  const std::vector<KernelCounts>& kernels_;
};

void conflicts(const std::vector<KernelCounts>& kernels, Sentences& sentences) {
  const auto wavefronts = [](const warp::Counts& c) {
    return real(c.shared_load_wavefronts + c.shared_store_wavefronts);
  };
  const Largest found =
      largest(kernels, [](const warp::Counts& c) { return real(c.shared_load_conflicts + c.shared_store_conflicts); });
  if (found.figure == 0 || found.sum < LineWhyLimits::conflicts * largest(kernels, wavefronts).sum) return;
  const double all = wavefronts(found.counts);
  sentences.add(found, "makes " + share(found) + " bank conflicts: " + plain(all / (all - found.figure)) +
                           " times the wavefronts that it needs (counted).");
}

void sectors(const std::vector<KernelCounts>& kernels, std::uint64_t warp::Counts::*touched,
             std::uint64_t warp::Counts::*bytes, const std::string& verb, Sentences& sentences) {
  const auto filled = [bytes](const warp::Counts& c) { return std::ceil(real(c.*bytes) / 32); };
  const double needed = largest(kernels, filled).sum,
               all = largest(kernels, [touched](const warp::Counts&c) { return real(c.*touched); }).sum;
  if (all == 0 || all < LineWhyLimits::sectors * needed) return;
  const Largest found =
      largest(kernels, [&](const warp::Counts& c) { return std::max(0.0, real(c.*touched) - filled(c)); });
  if (found.figure == 0) return;
  Largest of_line = found;
  of_line.figure = real(found.counts.*touched);
  of_line.sum = all;
  sentences.add(found, verb + " " + share(of_line) + " sectors of 32 bytes, where its bytes would fill " +
                           grouped(filled(found.counts)) + " (counted).");
}

void idle_lanes(const std::vector<KernelCounts>& kernels, Sentences& sentences) {
  warp::Counts total;
  for (const KernelCounts& kernel : kernels)
    for (const auto& [line, counts] : kernel.lines)
      total += counts;
  const double lanes = total.active_lanes();
  if (lanes == 0 || lanes >= LineWhyLimits::lanes) return;
  const Largest found = largest(kernels, [](const warp::Counts& c) {
    return std::max(0.0, 32 * real(c.ptx_instructions) - real(c.thread_instructions));
  });
  sentences.add(found, "runs with " + plain(found.counts.active_lanes()) +
                           " of 32 lanes: " + std::to_string(std::lround(100 * found.figure / found.sum)) +
                           " % of the idle lanes (counted).");
}

void collisions(const std::vector<KernelCounts>& kernels, Sentences& sentences) {
  const Largest found = largest(kernels, [](const warp::Counts& c) { return real(c.atomic_collisions); });
  const double atomics = largest(kernels, [](const warp::Counts& c) { return real(c.atomics); }).sum;
  if (found.figure == 0 || found.sum < LineWhyLimits::collisions * atomics) return;
  sentences.add(found, "makes " + share(found) + " collisions of atomic operations, " +
                           plain(found.figure / real(found.counts.atomics)) + " each (counted).");
}

void instructions(const std::vector<KernelCounts>& kernels, Sentences& sentences) {
  const Largest found = largest(kernels, [](const warp::Counts& c) { return real(c.warp_instructions); });
  if (found.figure > 0) sentences.add(found, "executes " + share(found) + " warp instructions (modelled).");
}

}  // namespace

std::vector<LineSentence> line_why(const std::vector<KernelCounts>& kernels) {
  using C = warp::Counts;
  Sentences sentences(kernels);
  conflicts(kernels, sentences);
  sectors(kernels, &C::global_load_sectors, &C::global_load_bytes, "loads", sentences);
  sectors(kernels, &C::global_store_sectors, &C::global_store_bytes, "stores", sentences);
  idle_lanes(kernels, sentences);
  collisions(kernels, sentences);
  instructions(kernels, sentences);
  return std::move(sentences.all);
}

}  // namespace threadscape::app
