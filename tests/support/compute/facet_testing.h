#pragma once
// Small runs of every algorithm in the registry, for tests of what its facets promise.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/synthetic.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape::testing {

/// Assigns small values to the fields that say how much work there is. Returns whether the parameters are valid.
inline bool make_small(ParamBox& params) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> sizes{{{"count", "48"},
                                                                                        {"n", "4"},
                                                                                        {"pixels", "17"},
                                                                                        {"detector_distance", "100"},
                                                                                        {"voxels", "9"},
                                                                                        {"voxels_y", "7"},
                                                                                        {"voxels_z", "8"},
                                                                                        {"detector_pixels", "13"},
                                                                                        {"detector_rows", "11"},
                                                                                        {"source_distance", "200"},
                                                                                        {"iterations", "2"},
                                                                                        {"seams", "3"}}};
  for (const auto& [name, text] : sizes)
    for (const FieldRef& field : params.fields())
      if (field.name == name) params.assign(name, text);
  return params.problem().empty();
}

/// The defaults and the settings of the sweep of `verify`, made small.
inline std::vector<VerifySetting> small_settings(const AlgorithmInfo& info) {
  std::vector<VerifySetting> settings;
  for (VerifySetting& setting : verify_settings(info))
    if (make_small(setting.params)) settings.push_back(std::move(setting));
  return settings;
}

/// An input for small parameters: the algorithm's own, or an RGBA picture of 24 x 17 pixels.
inline HostArray small_input(const AlgorithmInfo& info, const ParamBox& params, std::uint64_t seed = 1) {
  if (info.own_input) return info.own_input->make(params, seed);
  if (info.input == Kind::none) return {};
  return make_synthetic(InputPattern::photo, {info.input, Element::u8, 4, 24, 17, 1}, seed);
}

/// Returns whether a run with these parameters takes this input.
inline bool takes(const AlgorithmInfo& info, const ParamBox& params, const HostArray& input) {
  try {
    (void)info.output_shape(params, input.shape());
    if (info.check_input) info.check_input(params, input.view());
  } catch (const UsageError&) {
    return false;
  }
  return true;
}

/// small_input(), if the algorithm makes and takes one with these parameters: not if they ask for a file, for example.
inline std::optional<HostArray> suitable_input(const AlgorithmInfo& info, const ParamBox& params) {
  try {
    HostArray input = small_input(info, params);
    if (takes(info, params, input)) return input;
  } catch (const UsageError&) {
  }
  return {};
}

inline HostArray run_serial(const AlgorithmInfo& info, const ParamBox& params, const HostArray& input) {
  return Runner()
      .run({.algorithm = &info, .params = params, .backend = Backend::serial, .seed = 1}, input.view())
      .output;
}

/// Where two results differ by more than the tolerance; "" if they do not.
inline std::string difference_of(const HostArray& expected, const HostArray& actual,
                                 const Tolerance& tolerance = Tolerance::exact()) {
  if (expected.shape() != actual.shape())
    return to_string(actual.shape()) + " instead of " + to_string(expected.shape());
  const auto mismatch = compare(expected.view(), actual.view(), tolerance);
  return mismatch ? to_string(*mismatch) : "";
}

}  // namespace threadscape::testing
