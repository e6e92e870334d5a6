#include "app/ui/value_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace threadscape::app {

namespace {

using Name = std::pair<std::string_view, std::string_view>;

/// What the terms of the field are written like; the rest follows the rule of value_title().
constexpr auto known = std::to_array<Name>({
    {"argmin", "Place of the minimum"},
    {"beer_lambert", "Beer-Lambert law"},
    {"blackhat", "Black hat"},
    {"blinn-phong", "Blinn-Phong"},
    {"blinn_phong", "Blinn-Phong"},
    {"by_mode", "As the mode says"},
    {"close", "Closing"},
    {"cohen_sutherland", "Cohen-Sutherland"},
    {"dilate", "Dilation"},
    {"double", "64-bit floats"},
    {"dp", "Dynamic programming"},
    {"erode", "Erosion"},
    {"float", "32-bit floats"},
    {"front_to_back", "Front to back"},
    {"hitmiss", "Hit or miss"},
    {"int32", "32-bit integers"},
    {"int64", "64-bit integers"},
    {"kuwahara", "Kuwahara"},
    {"l1", "L1 norm"},
    {"l2", "L2 norm"},
    {"liang_barsky", "Liang-Barsky"},
    {"max", "Maximum"},
    {"min", "Minimum"},
    {"open", "Opening"},
    {"open_reconstruct", "Opening by reconstruction"},
    {"rect", "Rectangle"},
    {"salt_pepper", "Salt and pepper"},
    {"scan_line", "Scan line"},
    {"shepp_logan", "Shepp-Logan"},
    {"tophat", "Top hat"},
    {"uint32", "32-bit unsigned integers"},
    {"x", "x"},
    {"xorwow_seeded", "XORWOW, seeded"},
    {"y", "y"},
    {"z", "z"},
    {"z_buffer", "Z-buffer"},
});

/// Abbreviations, which are written in capital letters.
constexpr std::array<std::string_view, 14> capitals{"avx2", "avx512", "cub",  "dp4a", "fdk", "fft",  "gpu",
                                                    "hsv",  "rgb",    "simd", "sirt", "tma", "wmma", "xorwow"};

}  // namespace

std::string value_title(std::string_view name) {
  if (const auto* const found = std::ranges::find(known, name, &Name::first); found != known.end())
    return std::string(found->second);
  std::string title;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('_', at), name.size());
    std::string word(name.substr(at, end - at));
    const bool capital = std::ranges::find(capitals, word) != capitals.end();
    for (char& c : word)
      if (capital || (title.empty() && &c == word.data()))
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    title += (title.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return title;
}

}  // namespace threadscape::app
