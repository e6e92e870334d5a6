#pragma once
// The parameters that few need, which the panel folds away below the others.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/params.h"

namespace threadscape::app {

/// The names of the advanced parameters of an algorithm; empty for one with few parameters, which need no sections.
[[nodiscard]] std::span<const std::string_view> advanced_names(std::string_view algorithm);

/// The advanced parameters of an algorithm while its panel is drawn.
class AdvancedFields {
 public:
  /// `standard` has the default values, and `needed` tells of fields that have to be seen now.
  AdvancedFields(std::string_view algorithm, const ParamBox& standard, std::function<bool(const FieldRef&)> needed)
      : names_(advanced_names(algorithm)), standard_(standard), needed_(std::move(needed)) {}

  [[nodiscard]] bool any() const { return !names_.empty(); }
  [[nodiscard]] bool has(const FieldRef& field) const;
  /// Returns true if one of the fields has to be seen now.
  [[nodiscard]] bool needed(const std::vector<FieldRef>& fields) const;
  /// "Advanced", followed by the number of advanced fields that differ from their defaults if there are some.
  [[nodiscard]] std::string title(const std::vector<FieldRef>& fields) const;

 private:
  std::span<const std::string_view> names_;
  ParamBox standard_;
  std::function<bool(const FieldRef&)> needed_;
};

}  // namespace threadscape::app
