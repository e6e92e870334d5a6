#include "app/cli/commands/list.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

#include "app/cli/commands/list_tables.h"
#include "app/report/environment.h"
#include "app/report/text.h"
#include "compute/core/kind_info.h"
#include "compute/gpu/device.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;  // Clang deduces this itself from version 17 on.

std::string_view type_name(const FieldRef& field) {
  return std::visit(Overloaded{[](const IntValue&) { return "integer"; }, [](const FloatValue&) { return "number"; },
                               [](const BoolValue&) { return "bool"; }, [](const ChoiceValue&) { return "choice"; },
                               [](const TextValue& v) { return v.is_path ? "path" : "text"; },
                               [](const GridValue&) { return "grid"; }, [](const StepsValue&) { return "steps"; }},
                    field.value);
}

Json field_json(const FieldRef& field, const Json& defaults) {
  Json json{{"name", field.name}, {"type", type_name(field)}};
  std::visit(Overloaded{[&](const IntValue& v) {
                          json["minimum"] = v.lo;
                          json["maximum"] = v.hi;
                          if (v.step > 1) json["step"] = v.step;
                        },
                        [&](const FloatValue& v) {
                          json["minimum"] = v.lo;
                          json["maximum"] = v.hi;
                        },
                        [](const BoolValue&) {}, [&](const ChoiceValue& v) { json["choices"] = Json(v.choices); },
                        [](const TextValue&) {},
                        [&](const GridValue& v) {
                          json["minimum"] = v.lo;
                          json["maximum"] = v.hi;
                        },
                        [](const StepsValue&) {}},
             field.value);
  json["default"] = defaults.at(std::string(field.name));
  json["unit"] = field.unit;
  json["help"] = help_of(field);
  return json;
}

/// The reason why a backend of an algorithm cannot be used on this machine; "" if it can.
std::string absence(const AlgorithmInfo& algorithm, Backend backend) {
  if (backend != Backend::cuda) return {};
  if (const std::string& obstacle = gpu::devices().first().obstacle(); !obstacle.empty()) return obstacle;
  return algorithm.cuda ? "" : "this build has no CUDA code for it";
}

Json algorithm_json(const AlgorithmInfo& algorithm) {
  const ParamBox defaults = algorithm.defaults();
  const Json values = params_json(defaults);
  Json parameters = Json::array();
  for (const FieldRef& field : defaults.fields())
    parameters.push_back(field_json(field, values));
  Json backend_list = Json::array();
  for (const Backend backend : backends) {
    Json variants = Json::array();
    for (const Variant& variant : algorithm.variants_of(backend))
      variants.push_back({{"name", variant.name}, {"help", variant.help}});
    const std::string reason = absence(algorithm, backend);
    Json entry{{"name", name_of(backend)}, {"available", reason.empty()}, {"variants", variants}};
    if (!reason.empty()) entry["reason"] = reason;
    backend_list.push_back(entry);
  }
  return {{"name", algorithm.name},
          {"sixteen_bit_as_floats", algorithm.sixteen_bit_as_floats},
          {"title", algorithm.title},
          {"summary", algorithm.summary},
          {"source", algorithm.source},
          {"group", algorithm.group},
          {"input", name_of(algorithm.input)},
          {"output", name_of(algorithm.output)},
          {"exact", algorithm.tolerance.is_exact() && !algorithm.tolerance_of},
          {"parameters", parameters},
          {"backends", backend_list}};
}

std::string variant_text(const AlgorithmInfo& algorithm, Backend backend) {
  std::string text;
  for (const Variant& variant : algorithm.variants_of(backend))
    text += (text.empty() ? "" : ", ") + std::string(variant.name);
  const std::string reason = absence(algorithm, backend);
  return reason.empty() ? text : text + "  (not here: " + reason + ")";
}

}  // namespace

std::string describe_fields(const ParamBox& defaults) {
  std::vector<std::vector<std::string>> rows;
  for (const FieldRef& field : defaults.fields()) {
    std::string range = accepted(field);
    if (std::holds_alternative<GridValue>(field.value)) range = "comma-separated rows";
    rows.push_back({"  " + std::string(field.name), range, "default " + to_text(field), help_of(field)});
  }
  return rows.empty() ? "  none\n" : format_table(rows);
}

std::string describe_parameters(const AlgorithmInfo& algorithm) {
  std::string text =
      std::string(algorithm.name) + ": " + std::string(algorithm.summary) + "\n\nParameters (--set name=value):\n";
  text += describe_fields(algorithm.defaults());
  text += "\nVariants (--variant name; the first is the default):\n";
  for (const Backend backend : backends)
    text += "  " + std::string(name_of(backend)) + ": " + variant_text(algorithm, backend) + "\n";
  return text;
}

namespace {

struct ListOptions {
  std::vector<std::string> algorithms;  ///< Names of the algorithms to describe; empty = all.
  bool json = false;
  bool files = false;     ///< The formats of files instead of algorithms.
  bool commands = false;  ///< The commands instead of algorithms.
};

/// What an algorithm takes and makes, how exact it is, and where it comes from.
std::string describe_nature(const AlgorithmInfo& algorithm) {
  const bool exact = algorithm.tolerance.is_exact() && !algorithm.tolerance_of;
  std::vector<std::vector<std::string>> rows{
      {"  title", std::string(algorithm.title)},
      {"  group", std::string(algorithm.group)},
      {"  input", std::string(info_of(algorithm.input).user_name) +
                      (algorithm.own_input ? ", made by the algorithm where no file is given" : "")},
      {"  output", std::string(info_of(algorithm.output).user_name)},
      {"  results", exact ? "equal to the bit on all backends and variants"
                          : "equal within a tolerance, which `threadscape verify` checks"},
      {"  source", std::string(algorithm.source)}};
  if (algorithm.sixteen_bit_as_floats)
    rows.push_back({"  16 bit", "computed with floats, and rounded to 16 bits at the end"});
  return format_table(rows);
}

/// The names and explanations of the variants of each backend that has more than one.
std::string describe_variants(const AlgorithmInfo& algorithm) {
  std::string text;
  for (const Backend backend : backends) {
    const std::span<const Variant> variants = algorithm.variants_of(backend);
    if (variants.size() < 2) continue;
    text += "\nVariants of " + std::string(name_of(backend)) + ":\n";
    std::vector<std::vector<std::string>> rows;
    for (const Variant& variant : variants)
      rows.push_back({"  " + std::string(variant.name), std::string(variant.help)});
    text += format_table(rows);
  }
  return text;
}

std::string algorithms_text(const ListOptions& options) {
  const std::vector<const AlgorithmInfo*> chosen = find_algorithms(options.algorithms);
  std::string text;
  Json all = Json::array();
  for (const AlgorithmInfo* algorithm : chosen) {
    if (options.json) {
      all.push_back(algorithm_json(*algorithm));
      continue;
    }
    text += (text.empty() ? "" : "\n\n") + describe_parameters(*algorithm);
    if (!options.algorithms.empty())
      text += describe_variants(*algorithm) + "\nNature:\n" + describe_nature(*algorithm);
  }
  return options.json ? dump({{"algorithms", all}}) : text;
}

std::string listed(const ListOptions& options) {
  if (options.files) return options.json ? dump(files_json()) : files_text();
  if (options.commands) return options.json ? dump(commands_json()) : commands_text();
  return algorithms_text(options);
}

}  // namespace

CommandAction set_up_list(CLI::App& app, FindDevices /*unused*/) {
  const auto options = std::make_shared<ListOptions>();
  CLI::Option* const names =
      app.add_option("algorithms", options->algorithms,
                     "Algorithms to describe in full, with variants, input, output and source (default: a list of all)")
          ->type_name("NAME");
  CLI::Option* const files =
      app.add_flag("--files", options->files, "List the formats of files that are read and written")->excludes(names);
  app.add_flag("--commands", options->commands, "List the commands; with --json their options and examples, too")
      ->excludes(names)
      ->excludes(files);
  app.add_flag("--json", options->json, "As JSON");
  app.footer(
      "Examples:\n"
      "  threadscape list\n"
      "  threadscape list sobel\n"
      "  threadscape list --json sobel median\n"
      "  threadscape list --files");
  return [options] {
    std::fputs(listed(*options).c_str(), stdout);
    return static_cast<int>(ExitCode::done);
  };
}

}  // namespace threadscape::app
