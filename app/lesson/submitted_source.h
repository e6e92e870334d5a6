#pragma once
// What a source of a learner may not do whatever it computes: change what is given, state another task, or read files
// of the machine that judges it.

#include <string>
#include <string_view>

#include "compute/sketch/head.h"

namespace threadscape::app {

/// The line of a start from which a learner writes, up to the line that ends the gap.
inline constexpr std::string_view gap_begins = "// gap:";
inline constexpr std::string_view gap_ends = "// end of gap";

/// Says which line differs between a start and a submission outside of the gaps of the start; "" if none does, or if
/// the start has no gap and may be changed everywhere. Blanks at the ends of lines do not count. Names a directive in a
/// gap, too, which could change what stands behind it.
[[nodiscard]] std::string changed_outside_gaps(std::string_view start, std::string_view submission);
/// Says what the head of a submission states otherwise than that of the start: the name, what is read and made,
/// parameters and needs; "" if these are equal. Launches, temporaries and the check may differ.
[[nodiscard]] std::string changed_task(const sketch::Head& start, const sketch::Head& submission);
/// Names a directive by which a source could include a file that is no header of the system or of sketches; "" if there
/// is none. Directives in comments count.
[[nodiscard]] std::string foreign_include(std::string_view source);

}  // namespace threadscape::app
