// Parses the text of a suite into a Suite. Whatever could fail during the measurement is tried here.

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <set>
#include <span>

#include "app/bench/bench_suite.h"
#include "app/measure/json_node.h"
#include "app/report/text.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace {

constexpr double max_seconds = 3600.0;
constexpr double any_number = std::numeric_limits<double>::max();

SamplingRule parse_rule(const JsonNode& node, SamplingRule rule) {
  if (node.has("reps")) rule.repetitions = node.at("reps").integer(1, 1000000);
  if (node.has("min_seconds")) rule.min_seconds = node.at("min_seconds").number(0.0, max_seconds);
  if (node.has("max_seconds")) rule.max_seconds = node.at("max_seconds").number(0.0, max_seconds);
  if (node.has("warm_up")) rule.warm_up_runs = node.at("warm_up").integer(0, 1000);
  return rule;
}

std::vector<std::string> parse_texts(const JsonNode& node) {
  std::vector<std::string> texts;
  for (const JsonNode& item : node.items())
    texts.push_back(item.text());
  return texts;
}

/// Parses "1024x768", or 1024 for a square.
Extent parse_size(const JsonNode& node) {
  const std::string text = node.value().is_number_integer() ? node.value().dump() : node.text();
  return node.located([&] { return parse_extent("size", text); });
}

/// Points that a series may have. Planning makes the parameters, the shapes and the label of each one, and measuring
/// one takes a tenth of a second at least.
constexpr double max_points = 10000;

/// Throws UsageError if the lists of a series multiply to more points than max_points. Nothing is made before.
void check_point_count(const JsonNode& series) {
  double points = 1.0;
  const auto multiply = [&points](const JsonNode& list) { points *= static_cast<double>(list.items().size()); };
  for (const std::string_view name : {"backends", "variants", "threads", "sizes", "channels"})
    if (series.has(name)) multiply(series.at(name));
  if (series.has("sweep"))
    for (const auto& member : series.at("sweep").members())
      multiply(member.second);
  if (points > max_points)
    series.fail("its lists make " + format_number(points) + " points: a series has at most " +
                format_number(max_points));
}

/// The parameters of every combination of the swept values. The last name varies fastest.
std::vector<ParamBox> parse_params(const JsonNode& group, const AlgorithmInfo& algorithm) {
  std::vector<Json> combinations{group.has("params") ? group.at("params").value() : Json::object()};
  if (!combinations.front().is_object()) group.at("params").fail("an object is wanted: {...}");
  const auto make = [&](const Json& values) {
    ParamBox params = algorithm.defaults();
    assign_json(params, values.dump());
    params.check();
    return params;
  };
  if (!group.has("sweep")) return {group.located([&] { return make(combinations.front()); })};

  for (const auto& member : group.at("sweep").members()) {
    const std::string& name = member.first;
    const JsonNode& values = member.second;
    if (combinations.front().contains(name)) values.fail("it is in params or in sweep twice");
    std::vector<Json> longer;
    for (const Json& combination : combinations)
      for (const JsonNode& value : values.items()) {
        longer.push_back(combination);
        longer.back()[name] = value.value();
        value.located([&] {
          ParamBox alone = algorithm.defaults();
          assign_json(alone, Json{{name, value.value()}}.dump());
        });
      }
    combinations = std::move(longer);
  }
  std::vector<ParamBox> params;
  for (const Json& combination : combinations)
    params.push_back(group.located([&] { return make(combination); }));
  return params;
}

void check_variants(const JsonNode& node, const SuiteGroup& group) {
  for (const JsonNode& item : node.items()) {
    const std::string name = item.text();
    std::string known;
    bool found = name == "default" || name == "all";
    for (const Backend backend : group.backends)
      for (const Variant& variant : group.algorithm->variants_of(backend)) {
        found = found || variant.name == name;
        known += (known.empty() ? "" : " | ") + std::string(variant.name);
      }
    if (!found) item.fail("no backend has a variant '" + name + "': accepted are default | all | " + known);
  }
}

void parse_inputs(const JsonNode& node, SuiteGroup& group) {
  if (!has_sizes(*group.algorithm)) {
    for (const std::string_view name : {"sizes", "channels"})
      if (node.has(name)) node.at(name).fail(std::string(group.algorithm->name) + " has no sizes beside its params");
    group.sizes = {{1, 1}};
    group.channels = {1};
    return;
  }
  for (const JsonNode& item : node.at("sizes").items())
    group.sizes.push_back(parse_size(item));
  group.channels = {1};
  if (node.has("channels")) {
    group.channels.clear();
    for (const JsonNode& item : node.at("channels").items()) {
      group.channels.push_back(item.integer(1, 4));
      if (group.channels.back() != 1 && group.channels.back() != 4) item.fail("1 = grey or 4 = RGBA");
    }
  }
}

/// Makes every shape and fills in every label once, so that an error is found here, not after an hour of measuring.
void try_points(const JsonNode& node, const SuiteGroup& group) {
  for (const ParamBox& unsized_params : group.params)
    for (const Extent& size : group.sizes)
      for (const int channels : group.channels) {
        const ParamBox params = node.located([&] { return sized_params(*group.algorithm, unsized_params, size); });
        BenchPoint point{
            .request = RunRequest{.algorithm = group.algorithm, .params = params}, .input = {}, .output = {}};
        point.input = node.located([&] { return input_shape(*group.algorithm, params, size, channels); });
        point.output = node.located([&] { return group.algorithm->output_shape(params, point.input); });
        const Measurement row = row_of(point);
        node.at("label").located([&] { return expand(group.label, row, group.case_label); });
        if (node.has("case")) node.at("case").located([&] { return expand(group.case_label, row, ""); });
      }
}

SuiteGroup parse_group(const JsonNode& node, const SamplingRule& rule) {
  node.allow({"name", "label", "case", "algorithm", "params", "sweep", "backends", "variants", "threads", "sizes",
              "channels", "reps", "min_seconds", "max_seconds", "warm_up"});
  check_point_count(node);
  SuiteGroup group;
  group.name = node.at("name").text();
  group.label = node.at("label").text();
  if (node.has("case")) group.case_label = node.at("case").text();
  const JsonNode algorithm = node.at("algorithm");
  const std::string algorithm_name = algorithm.text();
  group.algorithm = &algorithm.located([&]() -> const AlgorithmInfo& { return find_algorithm(algorithm_name); });
  group.params = parse_params(node, *group.algorithm);
  for (const JsonNode& item : node.at("backends").items()) {
    const std::string name = item.text();
    group.backends.push_back(item.located([&] { return parse_backend(name); }));
  }
  group.variants = {"default"};
  if (node.has("variants")) {
    check_variants(node.at("variants"), group);
    group.variants = parse_texts(node.at("variants"));
  }
  group.threads = {0};
  if (node.has("threads")) {
    group.threads.clear();
    for (const JsonNode& item : node.at("threads").items())
      group.threads.push_back(item.integer(0, 4096));
  }
  parse_inputs(node, group);
  group.rule = parse_rule(node, rule);
  try_points(node, group);
  return group;
}

/// A position on an axis as text. Numbers are written as JSON writes them.
std::string parse_position(const JsonNode& node) {
  if (node.value().is_number()) return node.value().dump();
  return node.text();
}

DocumentLine parse_document(const JsonNode& node) {
  node.allow({"label", "points"});
  DocumentLine line{.label = node.at("label").text(), .points = {}};
  for (const JsonNode& point : node.at("points").items()) {
    const std::vector<JsonNode> pair = point.items();
    if (pair.size() != 2) point.fail("a pair is wanted: [x, y]");
    line.points.emplace_back(parse_position(pair[0]), pair[1].number(1e-12, any_number));
  }
  return line;
}

/// The first point of a group, as far as it is needed to check labels.
Measurement first_of(const SuiteGroup& group) {
  return {.what = {.algorithm = {}, .params = parameters_of(group.params.front())}, .where = {}};
}

bool is_logarithmic(const JsonNode& node, std::string_view name) {
  return node.has(name) && node.at(name).choice({"linear", "log"}) == 1;
}

void parse_x(const JsonNode& node, const std::vector<SuiteGroup>& groups, SuitePlot& plot) {
  plot.x = node.text();
  for (const SuiteGroup& group : groups) {
    if (!draws(plot, group.name)) continue;
    node.located([&] { return fact_text(plot.x, first_of(group), group.case_label); });
    if (plot.x == "case" && group.case_label.empty()) node.fail("the series '" + group.name + "' has no case");
  }
}

/// Parses what a plot shows on the y axis, and what its speed-ups refer to.
void parse_y(const JsonNode& node, const std::vector<SuiteGroup>& groups, SuitePlot& plot) {
  constexpr std::array<std::string_view, 5> quantities{"milliseconds", "speedup", "efficiency", "gigabytes_per_second",
                                                       "operations_per_second"};
  const std::string y = node.at("y").text();
  plot.y = static_cast<PlotY>(std::ranges::find(quantities, y) - quantities.begin());
  if (plot.y == PlotY::figure) {
    plot.figure = find_figure(y);
    if (plot.figure == nullptr)
      node.at("y").fail("'" + y + "' is unknown: accepted are " + joined(quantities, " | ") + " | " +
                        joined(figure_names(), " | "));
    if (node.has("transfers")) node.at("transfers").fail("a figure of reports is that of the computation");
  }
  if (node.has("transfers"))
    plot.transfers = static_cast<PlotTransfers>(node.at("transfers").choice({"without", "with", "beside"}));
  const bool relative = plot.y == PlotY::speedup || plot.y == PlotY::efficiency;
  if (relative != node.has("over"))
    node.fail(relative ? "'over' is missing: the line that the speed-up refers to" : "'over' is for speed-ups only");
  if (node.has("over_threads")) {
    if (plot.y != PlotY::speedup) node.at("over_threads").fail("it is for speed-ups only");
    plot.over_all_threads = node.at("over_threads").choice({"one", "all"}) == 1;
  }
  if (relative) {
    plot.over = node.at("over").text();
    for (const SuiteGroup& group : groups)
      if (draws(plot, group.name)) node.at("over").located([&] { return expand(plot.over, first_of(group), ""); });
  }
}

SuitePlot parse_plot(const JsonNode& node, const std::vector<SuiteGroup>& groups) {
  node.allow({"title", "x", "x_label", "y", "transfers", "over", "over_threads", "style", "x_scale", "y_scale",
              "series", "document", "fit"});
  SuitePlot plot;
  plot.title = node.at("title").text();
  if (node.has("series")) {
    for (const JsonNode& item : node.at("series").items()) {
      plot.groups.push_back(item.text());
      std::vector<std::string> known;
      std::ranges::transform(groups, std::back_inserter(known), &SuiteGroup::name);
      if (std::ranges::find(known, plot.groups.back()) == known.end())
        item.fail("there is no series '" + plot.groups.back() + "': accepted are " + joined(known, " | "));
    }
  }
  parse_x(node.at("x"), groups, plot);
  if (node.has("x_label")) plot.x_label = node.at("x_label").text();
  parse_y(node, groups, plot);
  plot.bars = node.has("style") && node.at("style").choice({"lines", "bars"}) == 1;
  plot.log_x = is_logarithmic(node, "x_scale");
  plot.log_y = is_logarithmic(node, "y_scale");
  if (node.has("fit")) {
    (void)node.at("fit").choice({"transfer"});
    plot.fit = true;
    if (plot.x != "size" || plot.y != PlotY::milliseconds || plot.bars)
      node.at("fit").fail("it is for lines of milliseconds over the size");
  }
  if (node.has("document"))
    for (const JsonNode& item : node.at("document").items())
      plot.documents.push_back(parse_document(item));
  return plot;
}

/// Throws UsageError if two points of a line have the same position on the x axis, which happens if neither label nor
/// case contains a parameter that is swept.
void require_places(const JsonNode& node, const SuitePlot& plot, const std::vector<PlannedPoint>& points) {
  std::set<std::pair<std::string, std::string>> taken;
  for (const PlannedPoint& planned : points)
    for (const SeriesTag& tag : planned.point.series) {
      if (!draws(plot, tag.group)) continue;
      const std::string place = fact_text(plot.x, row_of(planned.point), tag.case_label);
      if (!taken.insert({tag.label, place}).second)
        node.fail("line '" + tag.label + "' has two points at '" + place + "': the label must tell them apart");
    }
}

/// Returns whether a series is of an algorithm that this program does not have, or of variants that none of its
/// backends has.
bool is_absent(const Json& series) {
  if (!series.is_object() || !series.contains("algorithm") || !series.at("algorithm").is_string()) return false;
  const auto name = series.at("algorithm").get<std::string>();
  const auto algorithm = std::ranges::find(algorithms(), name, &AlgorithmInfo::name);
  if (algorithm == algorithms().end()) return true;
  if (!series.contains("variants") || !series.at("variants").is_array()) return false;
  return std::ranges::any_of(series.at("variants"), [&](const Json& variant) {
    if (!variant.is_string()) return false;
    const auto wanted = variant.get<std::string>();
    return wanted != "default" && wanted != "all" &&
           std::ranges::none_of(algorithm->variants, [&](std::span<const Variant> known) {
             return std::ranges::find(known, wanted, &Variant::name) != known.end();
           });
  });
}

}  // namespace

Suite make_suite(const Json& definition, const std::string& name, const std::string& file) {
  Suite suite;
  suite.name = name;
  suite.definition = std::make_shared<const Json>(definition);
  const JsonNode root(*suite.definition, file);
  root.allow({"title", "source", "note", "reps", "min_seconds", "max_seconds", "warm_up", "series", "plots"});
  suite.title = root.at("title").text();
  suite.source = root.at("source").text();
  if (root.has("note")) suite.note = root.at("note").text();
  const SamplingRule rule = parse_rule(root, {});
  for (const JsonNode& item : root.at("series").items()) {
    suite.groups.push_back(parse_group(item, rule));
    const auto& added = suite.groups.back().name;
    if (std::ranges::count(suite.groups, added, &SuiteGroup::name) > 1) item.fail("the name '" + added + "' is taken");
  }
  const std::vector<PlannedPoint> points = plan(suite, {});
  for (const JsonNode& item : root.at("plots").items()) {
    suite.plots.push_back(parse_plot(item, suite.groups));
    require_places(item, suite.plots.back(), points);
  }
  return suite;
}

Suite make_reported_suite(const Json& definition, const std::string& name, const std::string& file) {
  Json known = definition;
  std::set<std::string> absent;
  const auto remove_absent = [&absent](Json& names) {
    std::erase_if(names.get_ref<Json::array_t&>(),
                  [&](const Json& item) { return item.is_string() && absent.contains(item.get<std::string>()); });
    return names.empty();
  };
  const auto is_list = [](const Json& of, const char* member) {
    return of.is_object() && of.contains(member) && of.at(member).is_array();
  };
  if (is_list(known, "series"))
    std::erase_if(known["series"].get_ref<Json::array_t&>(), [&](const Json& series) {
      const bool gone = is_absent(series);
      if (gone && series.contains("name") && series.at("name").is_string())
        absent.insert(series.at("name").get<std::string>());
      return gone;
    });
  if (!absent.empty() && is_list(known, "plots"))
    std::erase_if(known["plots"].get_ref<Json::array_t&>(),
                  [&](Json& plot) { return is_list(plot, "series") && remove_absent(plot["series"]); });
  return make_suite(known, name, file);
}

bool is_suite(std::string_view json, const std::string& file) {
  const Json value = parse_json_text(json, file);
  return value.is_object() && value.contains("series") && value.contains("plots");
}

Suite parse_suite(std::string_view json, const std::string& name, const std::string& file) {
  return make_suite(parse_json_text(json, file), name, file);
}

}  // namespace threadscape::app
