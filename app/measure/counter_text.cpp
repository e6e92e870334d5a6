#include "app/measure/counter_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "app/report/text.h"

namespace threadscape::app {

namespace {

using cuda::CountedKernel;

/// Reasons of stalls with smaller shares are left out, and so are those behind the fourth.
constexpr double least_stall = 2.0;
constexpr std::size_t most_stalls = 4;

/// "4,194,304".
std::string whole(double count) {
  std::string digits = std::to_string(std::llround(count));
  for (std::size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits;
}

std::string percent(double share) {
  return (share == 0.0 ? "0" : format_number(share, 3)) + " %";
}

/// Joins parts of a sentence that are not empty.
std::string sentence(const std::string& begin, const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? begin + " " : ", ") + part;
  return text.empty() ? text : text + ".";
}

/// The text of a count, unless the GPU does not have it.
template <class Text>
std::string if_known(const CountedKernel& kernel, const char* name, const Text& text) {
  const std::optional<double> count = kernel.count(name);
  return count ? text(*count) : std::string();
}

/// "131,072 loads of 524,288 sectors (4.00 each)"; "" without any.
std::string requests(const CountedKernel& kernel, const std::string& operation) {
  const double all = kernel.count("global_" + operation + "_requests").value_or(0.0);
  const double sectors = kernel.count("global_" + operation + "_sectors").value_or(0.0);
  if (all <= 0.0) return {};
  return whole(all) + " " + operation + "s of " + whole(sectors) + " sectors (" + format_number(sectors / all, 3) +
         " each)";
}

/// "65,536 wavefronts of loads, 32,768 of them conflicts"; "" without any.
std::string wavefronts(const CountedKernel& kernel, const std::string& operation) {
  const double all = kernel.count("shared_" + operation + "_wavefronts").value_or(0.0);
  if (all <= 0.0) return {};
  return whole(all) + " wavefronts of " + operation + "s, " +
         whole(kernel.count("shared_" + operation + "_conflicts").value_or(0.0)) + " of them conflicts";
}

std::string stalls(const CountedKernel& kernel) {
  std::vector<std::pair<double, std::string>> shares;
  for (const cuda::StallReason& reason : cuda::stall_reasons())
    if (const auto found = kernel.stalls.find(std::string(reason.name));
        found != kernel.stalls.end() && found->second >= least_stall)
      shares.emplace_back(found->second, reason.title);
  std::ranges::stable_sort(shares, std::ranges::greater(), &std::pair<double, std::string>::first);
  if (shares.size() > most_stalls) shares.resize(most_stalls);
  std::vector<std::string> parts;
  for (const auto& [share, title] : shares)
    parts.push_back(title + " " + percent(share));
  return sentence("Its warps wait for", parts);
}

/// A figure of all launches of the kernels with this name: the quotient of two counts, or the mean of one.
struct Rate {
  const char* title;
  std::vector<std::string> parts, whole;  ///< Counts of which the sums are divided; without `whole` a mean.
  double factor;
  const char* unit;
};

const std::vector<Rate>& rates() {
  static const std::vector<Rate> all{{"sectors a load", {"global_load_sectors"}, {"global_load_requests"}, 1.0, ""},
                                     {"sectors a store", {"global_store_sectors"}, {"global_store_requests"}, 1.0, ""},
                                     {"conflicts of shared wavefronts",
                                      {"shared_load_conflicts", "shared_store_conflicts"},
                                      {"shared_load_wavefronts", "shared_store_wavefronts"},
                                      100.0,
                                      " %"},
                                     {"active lanes", {"active_lanes"}, {}, 1.0, ""},
                                     {"hits of L1", {"l1_hit_rate"}, {}, 1.0, " %"},
                                     {"hits of L2", {"l2_hit_rate"}, {}, 1.0, " %"}};
  return all;
}

std::optional<double> rate_of(const cuda::CountedRun& run, const std::string& name, const Rate& rate) {
  double parts = 0.0, whole = 0.0;
  for (const CountedKernel& kernel : run.kernels) {
    if (kernel.name != name) continue;
    const double weight = rate.whole.empty() ? kernel.launches : 1.0;
    for (const std::string& count : rate.parts) {
      const std::optional<double> value = kernel.count(count);
      if (!value) return {};
      parts += weight * *value;
    }
    if (rate.whole.empty()) whole += weight;
    for (const std::string& count : rate.whole)
      whole += kernel.count(count).value_or(0.0);
  }
  return whole > 0.0 ? std::optional(rate.factor * parts / whole) : std::nullopt;
}

}  // namespace

std::vector<std::string> beside_sentences(const cuda::CountedRun& gpu, const cuda::CountedRun& cpu) {
  std::vector<std::string> sentences;
  std::set<std::string> told;
  for (const CountedKernel& kernel : gpu.kernels) {
    if (!told.insert(kernel.name).second) continue;
    std::vector<std::string> parts;
    for (const Rate& rate : rates()) {
      const std::optional<double> measured = rate_of(gpu, kernel.name, rate), counted = rate_of(cpu, kernel.name, rate);
      const auto text = [&](double value) { return (value == 0.0 ? "0" : format_number(value, 3)) + rate.unit; };
      if (measured && counted) parts.push_back(text(*measured) + " (" + text(*counted) + ") " + rate.title);
    }
    if (std::string found = sentence(kernel.name + " on the GPU (and counted here):", parts); !found.empty())
      sentences.push_back(std::move(found));
  }
  return sentences;
}

std::vector<std::string> counter_sentences(const cuda::CountedRun& run) {
  std::vector<std::string> sentences;
  const auto add = [&sentences](std::string text) {
    if (!text.empty()) sentences.push_back(std::move(text));
  };
  for (const CountedKernel& kernel : run.kernels) {
    const auto figure = [&kernel](const char* name, const auto& text) { return if_known(kernel, name, text); };
    add(sentence("The GPU counted for " + kernel.name +
                     (kernel.launches > 1 ? " in " + std::to_string(kernel.launches) + " launches" : "") + ":",
                 {figure("warp_instructions", [](double n) { return whole(n) + " warp instructions"; }),
                  figure("active_lanes", [](double n) { return format_number(n, 3) + " of 32 lanes active"; }),
                  figure("divergent_branches", [](double n) { return whole(n) + " divergent branches"; }),
                  figure("occupancy", [](double n) { return "an occupancy of " + percent(n); })}));
    constexpr double mega = 1e6;
    const auto megabytes = [](double bytes) { return format_number(bytes / mega, 3) + " MB"; };
    add(sentence("Its global memory:",
                 {requests(kernel, "load"), requests(kernel, "store"),
                  figure("l1_hit_rate", [](double n) { return "L1 hits " + percent(n); }),
                  figure("l2_hit_rate", [](double n) { return "L2 hits " + percent(n); }),
                  figure("l2_bytes", [&](double n) { return megabytes(n) + " through L2"; }),
                  figure("dram_read_bytes", [&](double n) { return megabytes(n) + " read from DRAM"; }),
                  figure("dram_write_bytes", [&](double n) { return megabytes(n) + " written to it"; })}));
    add(sentence("Its shared memory:", {wavefronts(kernel, "load"), wavefronts(kernel, "store")}));
    add(stalls(kernel));
  }
  if (run.left_out > 0) add("The GPU did not count " + std::to_string(run.left_out) + " later launches.");
  if (std::string why = run.why_none; !why.empty()) {
    why.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(why.front())));
    add(why + ".");
  }
  return sentences;
}

}  // namespace threadscape::app
