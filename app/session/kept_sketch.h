#pragma once
// A sketch that is open in the window, as sessions keep it: what was written, and what was found.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace threadscape::app {

struct KeptSketch {
  struct Try {
    std::string text;
    std::string params;  ///< JSON; "" for the defaults.
    std::optional<double> instructions, sectors;
    std::string check;
    bool equal = false;
    bool operator==(const Try&) const = default;
  };

  std::string file;      ///< The path; an existing file has the text that was saved last.
  std::string text;      ///< What the editor shows.
  bool changed = false;  ///< The text was not saved.
  std::string params;    ///< JSON of the chosen parameters; "" before the first run.
  std::vector<Try> tries;
  int shown = -1;  ///< Index of the shown try.
  bool operator==(const KeptSketch&) const = default;
};

/// The bytes of texts that tries of a session have at most: the oldest tries are left out.
inline constexpr std::size_t max_kept_bytes = std::size_t{2} << 20;

/// The sketch as JSON, without the oldest tries if all have too much text.
[[nodiscard]] std::string to_json(const KeptSketch& sketch);
/// The inverse of to_json(). Throws UsageError for a text that is no such JSON.
[[nodiscard]] KeptSketch parse_kept_sketch(std::string_view json);

}  // namespace threadscape::app
