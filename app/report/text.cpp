#include "app/report/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace threadscape::app {

std::string format_table(const std::vector<std::vector<std::string>>& rows, std::size_t first_number_column) {
  if (rows.empty()) return {};
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    const std::size_t counted = row.size() < widths.size() ? std::max<std::size_t>(row.size(), 1) - 1 : widths.size();
    for (std::size_t i = 0; i < counted; ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t width = i < widths.size() ? widths[i] : 0;
      const std::string space(width - std::min(width, row[i].size()), ' ');
      line += (i == 0 ? "" : "  ") + (i >= first_number_column ? space + row[i] : row[i] + space);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string format_number(double value, int digits) {
  if (!std::isfinite(value)) return "n/a";
  const int magnitude = value == 0.0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", std::clamp(digits - 1 - magnitude, 0, 9), value);
  return text;
}

std::string format_exact(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

std::string format_bytes(std::size_t bytes) {
  static constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  auto value = static_cast<double>(bytes);
  for (; value >= 1024.0 && unit + 1 < units.size(); ++unit)
    value /= 1024.0;
  return format_number(value, value >= 1000.0 ? 4 : 3) + " " + units[unit];
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace threadscape::app
