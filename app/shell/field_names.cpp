#include "app/shell/field_names.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace threadscape::app {

namespace {

constexpr std::size_t longest_value = 40;

/// The name for people of a parameter among `fields`.
std::string title_among(const std::vector<FieldRef>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &FieldRef::name);
  return found == fields.end() ? title_of(name) : title_of(*found);
}

/// The condition in words: "with Kind = one, two or three", "without a view matrix".
std::string condition_of(const EffectCondition& condition, const std::vector<FieldRef>& fields) {
  const std::string title = title_among(fields, condition.parameter);
  if (condition.values == "true" || condition.values == "!") return "with \"" + title + "\"";
  if (condition.values == "false" || condition.values.empty()) return "without \"" + title + "\"";
  const bool excluded = condition.values.starts_with('!');
  std::string values(condition.values.substr(excluded ? 1 : 0));
  for (std::size_t bar = 0; (bar = values.find('|')) != std::string::npos;)
    values.replace(bar, 1, values.find('|', bar + 1) == std::string::npos ? " or " : ", ");
  return "with " + title + (excluded ? " other than " : " = ") + values;
}

}  // namespace

std::string script_text(const FieldRef& field) {
  return std::string(field.name) + "=" + to_text(field);
}

std::string tip_of(const FieldRef& field) {
  std::string text = help_of(field);
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  text += "\n\nAccepted: " + accepted(field);
  const std::string script = script_text(field);
  text += "\nIn scripts: --set " + (script.size() <= longest_value ? script : std::string(field.name) + "=...") +
          " (a click on the name copies it)";
  return text;
}

std::string reason_of(const EffectRule& rule, const ParamBox& params) {
  if (rule.is_of_own_input())
    return "Without effect now: it is for the input that the algorithm makes itself, and a file is open.";
  const std::vector<FieldRef> fields = params.fields();
  std::string reason = "Without effect now: only " + condition_of(rule.only, fields);
  if (!rule.or_else.parameter.empty()) reason += ", or " + condition_of(rule.or_else, fields);
  return reason + ".";
}

}  // namespace threadscape::app
