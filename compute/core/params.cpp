#include "compute/core/params.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

#include "compute/core/json_limits.h"
#include "compute/core/path_text.h"
#include "compute/core/suggestion.h"

namespace threadscape {

namespace {

using Json = nlohmann::ordered_json;  // The type keeps the order of the declaration.

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;  // clang deduces this itself from version 17 on

/// The shortest text that reads back as the same number; without an exponent where people would not write one.
template <class T>
std::string number_text(T value) {
  char buffer[64];
  std::to_chars_result result = std::to_chars(buffer, buffer + sizeof buffer, value);
  if constexpr (std::is_floating_point_v<T>) {
    const double size = std::abs(static_cast<double>(value));
    if (size >= 1e-4 && size < 1e9)
      result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  }
  return {buffer, result.ptr};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

/// The whole text as a number; nothing for anything else, NaN and infinities included.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  T value{};
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<bool> parse_bool(std::string_view text) {
  text = trimmed(text);
  for (const std::string_view yes : {"true", "1", "on", "yes"})
    if (text == yes) return true;
  for (const std::string_view no : {"false", "0", "off", "no"})
    if (text == no) return false;
  return std::nullopt;
}

[[noreturn]] void refuse(const FieldRef& field, std::string_view text) {
  constexpr std::size_t shown = 60;  // a mask can be long; the line stays one line
  std::string value(text.substr(0, shown));
  for (char& c : value)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  if (text.size() > shown) value += "...";
  const std::string what = "parameter '" + std::string(field.name) + "' refuses '" + value + "': ";
  if (const auto* choice = std::get_if<ChoiceValue>(&field.value))
    throw UsageError(what + suggestion_and_list(text, choice->choices));
  throw UsageError(what + accepted(field));
}

std::string range_text(const std::string& lo, const std::string& hi) {
  return lo + ".." + hi;
}

std::string grid_text(const std::vector<float>& values) {
  std::string text;
  for (const float value : values)
    text += (text.empty() ? "" : ",") + number_text(value);
  return text;
}

std::vector<float> parse_grid(const FieldRef& field, const GridValue& grid, std::string_view text) {
  std::vector<float> values;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const auto value = parse_number<float>(rest.substr(0, comma));
    if (!value || *value < grid.lo || *value > grid.hi) refuse(field, text);
    values.push_back(*value);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(values.size()))));
  if (side * side != values.size())
    throw UsageError("parameter '" + std::string(field.name) + "' has " + std::to_string(values.size()) +
                     " values, which is no square: 9 for 3x3, 25 for 5x5, 49 for 7x7, ...");
  return values;
}

}  // namespace

std::string title_of(std::string_view name) {
  std::string title(name);
  std::ranges::replace(title, '_', ' ');
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

std::string title_of(const FieldRef& field) {
  return field.title.empty() ? title_of(field.name) : std::string(field.title);
}

std::string help_of(const FieldRef& field) {
  std::string help(field.help);
  if (!field.zero.empty()) help += (help.empty() ? "0 = " : "; 0 = ") + std::string(field.zero);
  return help;
}

std::string to_text(const FieldRef& field) {
  return std::visit(
      Overloaded{[](const IntValue& v) { return number_text(*v.value); },
                 [](const FloatValue& v) { return number_text(*v.value); },
                 [](const BoolValue& v) { return std::string(*v.value ? "true" : "false"); },
                 [](const ChoiceValue& v) { return std::string(v.choices[static_cast<std::size_t>(v.get())]); },
                 [](const TextValue& v) { return *v.value; }, [](const GridValue& v) { return grid_text(*v.values); },
                 [](const StepsValue& v) { return v.text->to_text(*v.steps); }},
      field.value);
}

std::string accepted(const FieldRef& field) {
  std::string text =
      std::visit(Overloaded{[](const IntValue& v) {
                              return range_text(number_text(v.lo), number_text(v.hi)) +
                                     (v.step > 1 ? " step " + number_text(v.step) : "");
                            },
                            [](const FloatValue& v) { return range_text(number_text(v.lo), number_text(v.hi)); },
                            [](const BoolValue&) { return std::string("true | false"); },
                            [](const ChoiceValue& v) {
                              std::string all;
                              for (const std::string_view choice : v.choices)
                                all += (all.empty() ? "" : " | ") + std::string(choice);
                              return all;
                            },
                            [](const TextValue& v) { return std::string(v.is_path ? "a path" : "text"); },
                            [](const GridValue& v) {
                              return "comma-separated rows of a square, each value " +
                                     range_text(number_text(v.lo), number_text(v.hi));
                            },
                            [](const StepsValue&) {
                              return std::string("algorithms with their parameters: median size=5 | off sobel | ...");
                            }},
                 field.value);
  if (!field.unit.empty()) text += " " + std::string(field.unit);
  return text;
}

void assign_text(const FieldRef& field, std::string_view text) {
  std::visit(Overloaded{[&](const IntValue& v) {
                          const auto value = parse_number<int>(text);
                          const bool fits = value && *value >= v.lo && *value <= v.hi;
                          if (!fits || (v.step > 1 && (*value - v.lo) % v.step != 0)) refuse(field, text);
                          *v.value = *value;
                        },
                        [&](const FloatValue& v) {
                          const auto value = parse_number<float>(text);
                          if (!value || *value < v.lo || *value > v.hi) refuse(field, text);
                          *v.value = *value;
                        },
                        [&](const BoolValue& v) {
                          const auto value = parse_bool(text);
                          if (!value) refuse(field, text);
                          *v.value = *value;
                        },
                        [&](const ChoiceValue& v) {
                          for (std::size_t i = 0; i < v.choices.size(); ++i)
                            if (v.choices[i] == trimmed(text)) return v.set(static_cast<int>(i));
                          refuse(field, text);
                        },
                        [&](const TextValue& v) { v.value->assign(text); },
                        [&](const GridValue& v) { *v.values = parse_grid(field, v, text); },
                        [&](const StepsValue& v) { v.text->assign_text(*v.steps, text); }},
             field.value);
}

void ParamBox::assign(std::string_view name, std::string_view text) {
  std::vector<std::string_view> known;
  for (const FieldRef& field : fields()) {
    if (field.name == name) {
      assign_text(field, text);
      held_->assigned(name);
      return;
    }
    known.push_back(field.name);
  }
  throw UsageError("parameter '" + std::string(name) +
                   "' is unknown: " + (known.empty() ? "there are none" : suggestion_and_list(name, known, ", ")));
}

void ParamBox::check() const {
  if (const std::string what = problem(); !what.empty()) throw UsageError(what);
}

namespace {

Json json_of(const FieldRef& field) {
  // Through the shortest text, so that 0.1f is written as 0.1 and not as 0.10000000149011612.
  const auto number = [](float value) { return Json::parse(number_text(value)); };
  return std::visit(Overloaded{[](const IntValue& v) { return Json(*v.value); },
                               [&](const FloatValue& v) { return number(*v.value); },
                               [](const BoolValue& v) { return Json(*v.value); },
                               [&](const ChoiceValue&) { return Json(to_text(field)); },
                               [](const TextValue& v) { return Json(v.is_path ? text_of_path(*v.value) : *v.value); },
                               [&](const GridValue& v) {
                                 Json values = Json::array();
                                 for (const float value : *v.values)
                                   values.push_back(number(value));
                                 return values;
                               },
                               [](const StepsValue& v) { return Json::parse(v.text->to_json(*v.steps)); }},
                    field.value);
}

}  // namespace

std::string to_json(const FieldRef& field) {
  return json_of(field).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string to_json(const ParamBox& params) {
  Json object = Json::object();
  for (const FieldRef& field : params.fields())
    object[std::string(field.name)] = json_of(field);
  return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

namespace {

/// A JSON value as --set would give it; arrays (also arrays of rows) become comma-separated.
std::string text_of(std::string_view key, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) return number_text(value.get<double>());
  if (value.is_array()) {
    std::string text;
    for (const Json& part : value)
      text += (text.empty() ? "" : ",") + text_of(key, part);
    return text;
  }
  throw UsageError("parameter '" + std::string(key) + "' is neither a number, a text, true, false nor an array");
}

}  // namespace

void assign_json(ParamBox& params, std::string_view json) {
  check_json_limits(json);
  const Json object = Json::parse(json, nullptr, /*allow_exceptions=*/false, /*ignore_comments=*/true);
  if (!object.is_object()) throw UsageError("parameters in JSON must be one object: {\"name\": value, ...}");
  ParamBox changed = params;  // Changes are made to a copy, so that an error leaves `params` unchanged.
  const std::vector<FieldRef> fields = changed.fields();
  for (const auto& [key, value] : object.items()) {
    const bool known = std::ranges::any_of(fields, [&name = key](const FieldRef& field) { return field.name == name; });
    if (!known) changed.assign(key, "");  // The call throws and lists the known names.
  }
  // In the order of the declaration: a field that others depend on comes before them, whatever the file's order.
  for (const FieldRef& field : fields) {
    const auto found = object.find(std::string(field.name));
    if (found == object.end()) continue;
    const auto* steps = std::get_if<StepsValue>(&field.value);
    const auto* words = std::get_if<TextValue>(&field.value);
    const std::string text =
        steps != nullptr && found->is_array() ? steps->text->text_of_json(found->dump()) : text_of(field.name, *found);
    changed.assign(field.name, words != nullptr && words->is_path ? path_of_text(text) : text);
  }
  params = std::move(changed);
}

}  // namespace threadscape
