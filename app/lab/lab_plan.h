#pragma once
// What a sweep of the lab measures: the points that follow from what the user has chosen.

#include <string>
#include <string_view>
#include <vector>

#include "app/bench/bench_plan.h"
#include "app/session/work.h"

namespace threadscape::app {

enum class Vary : std::uint8_t { size, threads, threads_and_size, parameter, variants, backends, suite };
/// What varies, as the list in the window shows it.
[[nodiscard]] std::string_view name_of(Vary vary);
inline constexpr std::array all_of_vary{
    Vary::size, Vary::threads, Vary::threads_and_size, Vary::parameter, Vary::variants, Vary::backends, Vary::suite};

struct LabChoice {
  Vary vary = Vary::size;
  /// The values of what varies, separated by commas: widths or lengths, numbers of threads, values of the parameter.
  std::string values;
  std::string parameter;                           ///< Name of the parameter that varies.
  std::string suite;                               ///< Name of the suite that is measured.
  std::array<bool, 3> backends{true, true, true};  ///< Indexed by Backend.
  bool peers = false;       ///< If true, other libraries that compute the same are measured in turns.
  bool cold = false;        ///< If true, the caches of the CPU are emptied before every run on it.
  double precision = 0.03;  ///< Half width of the median's interval at which a point is complete.
};

/// Sets what varies: "size", "threads", "threads-and-size", "variants", "backends", "suite" with its name as value, or
/// a parameter by its name, before which "params." may stand where the name has another meaning: "params.size".
void choose_sweep(LabChoice& choice, const std::string& vary, const std::string& values);

/// The values that the field for them begins with: powers of two up to the hardware's threads, four sizes around that
/// of the loaded input, the accepted values of a choice, or four values within the range of a number.
[[nodiscard]] std::string usual_values(const LabChoice& choice, const Work& work, const Shape& loaded);
/// Names of the parameters that can vary: numbers and choices, no masks or files.
[[nodiscard]] std::vector<std::string> sweepable_parameters(const ParamBox& params);

/// The points of the sweep for the chosen algorithm and an input like the loaded one, whose shape may be of Kind::none
/// where nothing is loaded. Throws UsageError for values that nothing can run with, with the reason.
[[nodiscard]] std::vector<PlannedPoint> lab_points(const LabChoice& choice, const Work& work, const Shape& loaded);

}  // namespace threadscape::app
