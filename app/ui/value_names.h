#pragma once
// Names for people of the values that parameters choose from and of variants, whose names in scripts are code.

#include <string>
#include <string_view>

namespace threadscape::app {

/// "Blinn-Phong" for blinn_phong, "Z-buffer" for z_buffer, "Open reconstruct" for a name that nothing else is known of.
[[nodiscard]] std::string value_title(std::string_view name);

}  // namespace threadscape::app
