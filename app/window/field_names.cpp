#include "app/window/field_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace threadscape::app {

namespace {

// Names whose words alone would not say enough.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> titles{{
    {"fov", "Field of view"},
    {"map", "Map"},
    {"n", "Points 2^n + 1"},
    {"nonnegative", "Not negative"},
    {"pixel_error", "Error in pixels"},
    {"seed_grid", "Start heights"},
    {"sigma_range", "Sigma of values"},
    {"sigma_space", "Sigma in space"},
    {"voxel_size", "Voxel length x"},
    {"voxel_size_y", "Voxel length y"},
    {"voxel_size_z", "Voxel length z"},
    {"voxels", "Voxels in x"},
    {"voxels_y", "Voxels in y"},
    {"voxels_z", "Voxels in z"},
    {"detail_repeat", "Detail repeats"},
    {"sea_level", "Sea level"},
}};

constexpr std::size_t longest_value = 40;

/// The condition in words: "with Kind = one, two or three", "without a view matrix".
std::string condition_of(const EffectCondition& condition) {
  const std::string title = title_of(condition.parameter);
  if (condition.values == "true" || condition.values == "!") return "with \"" + title + "\"";
  if (condition.values == "false" || condition.values.empty()) return "without \"" + title + "\"";
  const bool excluded = condition.values.starts_with('!');
  std::string values(condition.values.substr(excluded ? 1 : 0));
  for (std::size_t bar = 0; (bar = values.find('|')) != std::string::npos;)
    values.replace(bar, 1, values.find('|', bar + 1) == std::string::npos ? " or " : ", ");
  return "with " + title + (excluded ? " other than " : " = ") + values;
}

}  // namespace

std::string title_of(std::string_view parameter) {
  const auto* const found = std::ranges::find(titles, parameter, [](const auto& entry) { return entry.first; });
  if (found != titles.end()) return std::string(found->second);
  std::string title(parameter);
  std::ranges::replace(title, '_', ' ');
  if (!title.empty()) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

std::string_view meaning_of_zero(const FieldRef& field) {
  constexpr std::string_view mark = "0 = ";
  // Of several meanings this is the one of the number 0, not the end of another number.
  std::size_t at = field.help.find(mark);
  while (at != std::string_view::npos && at > 0 && field.help[at - 1] != ' ')
    at = field.help.find(mark, at + 1);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = field.help.substr(at + mark.size());
  return rest.substr(0, rest.find_first_of(",;)"));
}

std::string script_text(const FieldRef& field) {
  return std::string(field.name) + "=" + to_text(field);
}

std::string tip_of(const FieldRef& field) {
  std::string text(field.help);
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  text += "\n\nAccepted: " + accepted(field);
  const std::string script = script_text(field);
  text += "\nIn scripts: --set " + (script.size() <= longest_value ? script : std::string(field.name) + "=...") +
          " (a click on the name copies it)";
  return text;
}

std::string reason_of(const EffectRule& rule) {
  if (rule.is_of_own_input())
    return "Without effect now: it is for the input that the algorithm makes itself, and a file is open.";
  std::string reason = "Without effect now: only " + condition_of(rule.only);
  if (!rule.or_else.parameter.empty()) reason += ", or " + condition_of(rule.or_else);
  return reason + ".";
}

}  // namespace threadscape::app
