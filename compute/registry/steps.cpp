#include "compute/registry/steps.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "compute/core/json_limits.h"
#include "compute/registry/registry.h"

namespace threadscape {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view space = " \t\r\n";

std::string quoted(const std::string& value) {
  if (!value.empty() && value.find_first_of(" \t\r\n|\"\\") == std::string::npos) return value;
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

/// Splits the text into steps at bars, and each step into words at spaces; quotes are resolved.
std::vector<std::vector<std::string>> split_words(std::string_view text) {
  std::vector<std::vector<std::string>> steps(1);
  std::string word;
  bool in_word = false, in_quotes = false;
  const auto end_word = [&] {
    if (in_word) steps.back().push_back(std::move(word));
    word.clear();
    in_word = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_quotes) {
      if (c == '\\' && i + 1 < text.size())
        word += text[++i];
      else if (c == '"')
        in_quotes = false;
      else
        word += c;
    } else if (c == '"') {
      in_word = in_quotes = true;
    } else if (c == '|') {
      end_word();
      steps.emplace_back();
    } else if (space.find(c) != std::string_view::npos) {
      end_word();
    } else {
      in_word = true;
      word += c;
    }
  }
  if (in_quotes) throw UsageError("steps: a double quote is not closed");
  end_word();
  return steps;
}

Step parse_step(const std::vector<std::string>& words) {
  Step step;
  std::size_t at = 0;
  if (words[at] == "off") {
    step.on = false;
    if (++at == words.size()) throw UsageError("an algorithm is wanted after 'off'");
  }
  step.algorithm = &find_algorithm(words[at]);
  step.params = step.algorithm->defaults();
  for (++at; at < words.size(); ++at) {
    const std::size_t equals = words[at].find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError("name=value is wanted, not '" + words[at] + "' (steps are separated by |)");
    step.params.assign(words[at].substr(0, equals), words[at].substr(equals + 1));
  }
  return step;
}

Step step_from_json(const Json& json) {
  if (json.is_string()) {
    const auto words = split_words(json.get<std::string>());
    if (words.size() != 1 || words.front().empty()) throw UsageError("one algorithm per text is wanted");
    return parse_step(words.front());
  }
  if (!json.is_object() || !json.contains("algorithm") || !json["algorithm"].is_string())
    throw UsageError("an object with \"algorithm\" is wanted");
  for (const auto& [key, value] : json.items())
    if (key != "algorithm" && key != "on" && key != "params")
      throw UsageError("'" + key + "' is unknown: algorithm, on, params");
  Step step;
  step.algorithm = &find_algorithm(json["algorithm"].get<std::string>());
  step.params = step.algorithm->defaults();
  if (json.contains("on")) {
    if (!json["on"].is_boolean()) throw UsageError("\"on\" is true or false");
    step.on = json["on"].get<bool>();
  }
  if (json.contains("params")) assign_json(step.params, json["params"].dump());
  return step;
}

/// Calls `read()`. If it throws a UsageError, puts the number of the step in front of its message.
template <class Read>
Step numbered(std::size_t index, const Read& read) {
  try {
    return read();
  } catch (const UsageError& error) {
    throw UsageError("step " + std::to_string(index + 1) + ": " + error.what());
  }
}

/// The assignments that change the default parameters into those of the step, in the order of declaration, as text: "
/// size=5 preset=custom". An assignment may change other fields, so fields that have their value already are left out.
/// If these assignments do not reproduce the parameters, all fields are assigned.
std::string params_text(const Step& step) {
  std::string few, all;
  ParamBox reached = step.algorithm->defaults();
  const std::vector<FieldRef> fields = step.params.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string value = to_text(fields[i]);
    const std::string text = " " + std::string(fields[i].name) + "=" + quoted(value);
    all += text;
    if (to_text(reached.fields()[i]) == value) continue;
    reached.assign(fields[i].name, value);
    few += text;
  }
  return reached == step.params ? few : all;
}

}  // namespace

bool is_filter(const AlgorithmInfo& algorithm) {
  if (algorithm.input != Kind::image || algorithm.output != Kind::image) return false;
  const ParamBox defaults = algorithm.defaults();
  return std::ranges::none_of(defaults.fields(),
                              [](const FieldRef& field) { return std::holds_alternative<StepsValue>(field.value); });
}

std::string to_text(std::span<const Step> steps) {
  std::string text;
  for (const Step& step : steps) {
    if (!text.empty()) text += " | ";
    if (!step.on) text += "off ";
    text += step.algorithm->name;
    text += params_text(step);
  }
  return text;
}

std::vector<Step> parse_steps(std::string_view text) {
  std::vector<Step> steps;
  if (text.find_first_not_of(space) == std::string_view::npos) return steps;
  for (const std::vector<std::string>& words : split_words(text))
    steps.push_back(numbered(steps.size(), [&] {
      if (words.empty()) throw UsageError("an algorithm is wanted");
      return parse_step(words);
    }));
  return steps;
}

std::string steps_to_json(std::span<const Step> steps) {
  Json array = Json::array();
  for (const Step& step : steps)
    array.push_back(
        {{"algorithm", step.algorithm->name}, {"on", step.on}, {"params", Json::parse(to_json(step.params))}});
  return array.dump();
}

std::vector<Step> steps_from_json(std::string_view json) {
  check_json_limits(json);
  const Json array = Json::parse(json, nullptr, /*allow_exceptions=*/false, /*ignore_comments=*/true);
  if (!array.is_array()) throw UsageError("steps in JSON are an array");
  std::vector<Step> steps;
  for (const Json& item : array)
    steps.push_back(numbered(steps.size(), [&] { return step_from_json(item); }));
  return steps;
}

constinit const StepsText steps_text{
    .to_text = [](const std::vector<Step>& steps) { return to_text(steps); },
    .to_json = [](const std::vector<Step>& steps) { return steps_to_json(steps); },
    .assign_text = [](std::vector<Step>& steps, std::string_view text) { steps = parse_steps(text); },
    .text_of_json = [](std::string_view json) { return to_text(steps_from_json(json)); }};

}  // namespace threadscape
