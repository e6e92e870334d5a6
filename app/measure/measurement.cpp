#include "app/measure/measurement.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "compute/core/kind_info.h"
#include "compute/core/timings.h"
#include "compute/registry/steps.h"

namespace threadscape::app {

namespace {

/// The value of a field as labels show it.
std::string label_text(const FieldRef& field) {
  if (std::holds_alternative<GridValue>(field.value)) return to_json(field);
  const auto* const steps = std::get_if<StepsValue>(&field.value);
  if (steps == nullptr) return to_text(field);
  std::string names;
  for (const Step& step : *steps->steps)
    if (step.on) names += (names.empty() ? "" : "+") + std::string(step.algorithm->name);
  return names;
}

bool has_values(const Workload& what, const Workload& other) {
  return what.input.element == other.input.element && what.input.channels == other.input.channels;
}

/// The words of the label of a row. Numbers belong to the word before them ("openmp 2"), and so does the "x" of a
/// number of channels ("u8 x 4").
std::vector<std::string> words_of(const std::string& label) {
  std::vector<std::string> words;
  std::istringstream stream(label);
  for (std::string word; stream >> word;) {
    const bool number = word.find_first_not_of("0123456789") == std::string::npos;
    if (!words.empty() && (number || word == "x"))
      words.back() += " " + word;
    else
      words.push_back(word);
  }
  if (words.empty()) words.emplace_back();
  return words;
}

}  // namespace

std::optional<double> Parameter::number() const {
  char* end = nullptr;
  const double value = std::strtod(json.c_str(), &end);
  if (json.empty() || *end != '\0') return {};
  return value;
}

std::string_view Parameter::short_text() const {
  constexpr std::size_t max_length = 16;
  const bool steps = json != text && json.starts_with('[');
  return text.size() <= max_length || steps ? std::string_view(text) : std::string_view();
}

std::vector<Parameter> parameters_of(const ParamBox& params) {
  std::vector<Parameter> all;
  for (const FieldRef& field : params.fields())
    all.push_back({.name = std::string(field.name), .json = to_json(field), .text = label_text(field)});
  return all;
}

std::string Workload::size_text() const {
  std::string text = std::to_string(shape().width);
  if (shape().height > 1 || shape().depth > 1) text += "x" + std::to_string(shape().height);
  return shape().depth > 1 ? text + "x" + std::to_string(shape().depth) : text;
}

const Parameter* Workload::find(std::string_view name) const {
  const auto found = std::ranges::find(params, name, &Parameter::name);
  return found == params.end() ? nullptr : &*found;
}

bool operator==(const Workload& a, const Workload& b) {
  return a.algorithm == b.algorithm && a.params == b.params && a.input == b.input && a.file == b.file;
}

double median_of(const std::vector<double>& samples) {
  return samples.empty() ? 0.0 : summarize(samples).median;
}

double Measurement::gigabytes() const {
  const double median = samples.median();
  return median > 0.0 ? counts.bytes / median / 1e6 : 0.0;
}

double Measurement::giga_items() const {
  const double median = samples.median();
  const Shape& counted = what.output.kind == Kind::scalar ? what.input : what.output;
  return median > 0.0 ? static_cast<double>(counted.items()) / median / 1e6 : 0.0;
}

std::string Measurement::key() const {
  // The parameters are sorted, because another version may write them in another order.
  std::vector<std::string> params;
  for (const Parameter& param : what.params)
    params.push_back(param.name + "=" + param.json);
  std::ranges::sort(params);
  std::string text = what.algorithm + "\n" + std::string(name_of(where.backend)) + "\n" + where.variant + "\n" +
                     where.peer + "\n" + std::to_string(where.threads) + "\n" + what.size_text() + " " +
                     numbers_of(what) + " " + what.file + (samples.caches == "cold" ? " cold\n" : "\n");
  for (const std::string& param : params)
    text += param + "\n";
  return text;
}

std::string numbers_of(const Workload& what) {
  return std::string(name_of(what.input.element)) + " x " + std::to_string(what.input.channels);
}

std::string varied_params(const Measurement& row, const std::vector<const Measurement*>& rows) {
  std::string text;
  for (const Parameter& param : row.what.params) {
    const bool differs = std::ranges::any_of(rows, [&](const Measurement* other) {
      const Parameter* const same = other->what.find(param.name);
      return other->what.algorithm == row.what.algorithm && same != nullptr && *same != param;
    });
    if (differs && !param.short_text().empty()) text += " " + param.name + "=" + std::string(param.short_text());
  }
  return text;
}

std::vector<std::string> row_labels(const std::vector<const Measurement*>& rows) {
  std::vector<std::string> labels;
  for (const Measurement* row : rows) {
    const Target& where = row->where;
    std::string label = row->what.algorithm + varied_params(*row, rows) + " " + row->what.size_text() + " ";
    if (std::ranges::any_of(rows, [row](const Measurement* other) {
          return other->what.algorithm == row->what.algorithm && !has_values(other->what, row->what);
        }))
      label += numbers_of(row->what) + " ";
    label += where.peer.empty() ? std::string(name_of(where.backend)) : where.peer;
    if (where.variant != "default" && where.peer.empty()) label += " " + where.variant;
    if (where.backend == Backend::openmp) label += " " + std::to_string(where.threads);
    if (row->samples.caches == "cold") label += " cold";
    labels.push_back(std::move(label));
  }
  return labels;
}

std::vector<std::string> short_labels(const std::vector<std::string>& labels) {
  std::vector<std::vector<std::string>> split;
  for (const std::string& label : labels)
    split.push_back(words_of(label));
  const auto has = [](const std::vector<std::string>& words, const std::string& word) {
    return std::ranges::find(words, word) != words.end();
  };
  std::vector<std::string> shortened;
  for (const std::vector<std::string>& words : split) {
    std::string label = words.front();
    for (std::size_t i = 1; i < words.size(); ++i) {
      const auto lacks = [&](const std::vector<std::string>& other) { return !has(other, words[i]); };
      const auto differs = [&](const std::vector<std::string>& other) {
        return other.front() == words.front() && lacks(other);
      };
      const auto alike =
          std::ranges::count_if(split, [&](const auto& other) { return other.front() == words.front(); });
      if (alike > 1 ? std::ranges::any_of(split, differs) : std::ranges::any_of(split, lacks))
        label += " " + words[i].substr(words[i].find('=') + 1);
    }
    shortened.push_back(std::move(label));
  }
  return shortened;
}

}  // namespace threadscape::app
