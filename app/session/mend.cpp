#include "app/session/mend.h"

#include <cmath>
#include <functional>
#include <optional>
#include <variant>

#include "app/session/validation.h"

namespace threadscape::app {

namespace {

constexpr std::size_t max_mends = 3;

/// A value of `field` next to `bad` for which `runs` is true, found by halving the way from `good`, for which it is.
/// Values whose way back to `good` is interrupted by others that do not run are not found, which is no harm: what is
/// returned has run.
template <class T>
T nearest_value(T good, T bad, T finest, const std::function<bool(T)>& runs) {
  for (int i = 0; i < 40 && std::abs(bad - good) > finest; ++i) {
    const T middle = good + (bad - good) / 2;
    (runs(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace

std::vector<Mend> find_mends(const Work& work, const Sources& sources) {
  std::vector<Mend> mends;
  const ParamBox defaults = work.algorithm->defaults();
  const std::vector<FieldRef> fields = work.params.fields(), standards = defaults.fields();
  const auto runs_with = [&](std::string_view name, const std::string& value) {
    Work changed = work;
    try {
      changed.params.assign(name, value);
    } catch (const Error&) {  // Not every number is on the grid of the field.
      return false;
    }
    return find_problem(changed, sources).empty();
  };
  for (std::size_t i = 0; i < fields.size() && mends.size() < max_mends; ++i) {
    const FieldRef& field = fields[i];
    if (std::holds_alternative<GridValue>(field.value) || std::holds_alternative<StepsValue>(field.value)) continue;
    const std::string standard = to_text(standards[i]);
    if (to_text(field) == standard || !runs_with(field.name, standard)) continue;
    Mend mend{std::string(field.name), title_of(field), {}, standard};
    if (const auto* whole = std::get_if<IntValue>(&field.value)) {
      const auto value_at = [&](int step) { return std::to_string(whole->lo + step * whole->step); };
      const auto step_of = [&](const IntValue& value) { return (*value.value - whole->lo) / whole->step; };
      const int found = nearest_value<int>(step_of(std::get<IntValue>(standards[i].value)), step_of(*whole), 1,
                                           [&](int step) { return runs_with(field.name, value_at(step)); });
      if (runs_with(field.name, value_at(found))) mend.nearest = value_at(found);
    } else if (const auto* real = std::get_if<FloatValue>(&field.value)) {
      const float good = *std::get<FloatValue>(standards[i].value).value;
      const auto text_of = [](float value) {
        FloatValue bound{&value, value, value};
        return to_text(FieldRef{"", "", "", bound});
      };
      const float found = nearest_value<float>(good, *real->value, std::abs(*real->value - good) * 1e-3f,
                                               [&](float value) { return runs_with(field.name, text_of(value)); });
      if (runs_with(field.name, text_of(found))) mend.nearest = text_of(found);
    }
    if (mend.nearest == standard) mend.nearest.clear();
    mends.push_back(std::move(mend));
  }
  return mends;
}

std::vector<Offer> offers_of(const Mend& mend) {
  const auto offer = [&](const std::string& label, const std::string& value) {
    return Offer{Offer::Action::set_parameter, label, mend.field + "=" + value};
  };
  std::vector<Offer> offers;
  if (!mend.nearest.empty()) offers.push_back(offer(mend.title + " " + mend.nearest, mend.nearest));
  offers.push_back(offer("Reset " + mend.title, mend.standard));
  return offers;
}

}  // namespace threadscape::app
