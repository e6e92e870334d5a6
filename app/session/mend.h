#pragma once

#include <string>
#include <vector>

#include "app/session/log_book.h"
#include "app/session/sources.h"

namespace threadscape::app {

/// A parameter that can be changed so that a work runs which cannot run as it is.
struct Mend {
  std::string field;     ///< Name of the parameter.
  std::string title;     ///< Its name for people.
  std::string nearest;   ///< The value nearest to the present one that lets the work run; "" if that is the default.
  std::string standard;  ///< The default, which lets it run, too.
  friend bool operator==(const Mend&, const Mend&) = default;
};

/// The parameters of a work with a problem (find_problem()) that cure it alone, by their default or by a value between
/// that and the present one: numbers and choices that are not at their defaults. At most three, in the order of the
/// fields.
[[nodiscard]] std::vector<Mend> find_mends(const Work& work, const Sources& sources);

/// Buttons that set the parameter to the nearest value, if there is one, and to its default.
[[nodiscard]] std::vector<Offer> offers_of(const Mend& mend);

}  // namespace threadscape::app
