// Reads the text of session files.

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/session/moving_file.h"
#include "app/session/session_file.h"
#include "compute/core/kind_info.h"
#include "compute/core/machine.h"
#include "compute/core/path_text.h"
#include "compute/registry/registry.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

/// A value in a session file with its place, for messages.
class Node {
 public:
  Node(const Json& value, std::string place) : value_(value), place_(std::move(place)) {}

  [[noreturn]] void fail(const std::string& what) const { throw UsageError(place_ + ": " + what); }
  [[nodiscard]] const Json& value() const { return value_; }
  void require_object(std::initializer_list<std::string_view> names) const {
    if (!value_.is_object()) fail("is not an object");
    for (const auto& [name, value] : value_.items())
      if (names.size() > 0 && std::ranges::find(names, name) == names.end()) fail("unknown field '" + name + "'");
  }
  [[nodiscard]] std::optional<Node> find(const char* name) const {
    const auto found = value_.find(name);
    if (found == value_.end()) return {};
    return Node(*found, place_ + ", " + name);
  }
  [[nodiscard]] std::vector<std::pair<std::string, Node>> members() const {
    require_object({});
    std::vector<std::pair<std::string, Node>> all;
    for (const auto& [name, value] : value_.items())
      all.emplace_back(name, Node(value, place_ + ", " + name));
    return all;
  }
  [[nodiscard]] std::string text() const {
    if (!value_.is_string()) fail("is not a text");
    return value_.get<std::string>();
  }
  [[nodiscard]] int integer(int lo, int hi) const {
    const double number = value_.is_number() ? value_.get<double>() : std::numeric_limits<double>::quiet_NaN();
    if (!(number >= lo && number <= hi) || number != static_cast<int>(number))
      fail("is not a whole number from " + std::to_string(lo) + " to " + std::to_string(hi));
    return static_cast<int>(number);
  }
  /// Calls `f` and puts the place in front of its errors.
  template <class F>
  decltype(auto) located(F f) const {
    try {
      return f();
    } catch (const UsageError& error) {
      fail(error.what());
    }
  }

 private:
  const Json& value_;
  std::string place_;
};

ParamBox read_params(const Node& node, const AlgorithmInfo& algorithm, const fs::path& folder) {
  ParamBox params = algorithm.defaults();
  node.require_object({});
  node.located([&] { assign_json(params, node.value().dump()); });
  for_each_path(params, [&folder](std::string& text) {
    std::error_code unknown;
    const bool relative = !is_drawn(text) && !fs::path(text).is_absolute();
    if (relative && fs::exists(folder / text, unknown)) text = (folder / text).string();
  });
  return params;
}

SessionView read_view(const Node& node) {
  node.require_object({"scene", "show", "panel", "settings"});
  SessionView view;
  if (const auto scene = node.find("scene")) view.scene = scene->text();
  if (const auto show = node.find("show")) view.show = show->text();
  if (const auto panel = node.find("panel")) view.panel = panel->text();
  if (const auto settings = node.find("settings"))
    for (const auto& [name, values] : settings->members()) {
      values.require_object({});
      view.settings[name] = values.value().dump();
    }
  return view;
}

io::VolumeReading read_volume(const Node& node) {
  node.require_object({"axis", "water"});
  io::VolumeReading reading;
  if (const auto axis = node.find("axis")) {
    const auto known = std::ranges::find(io::volume_axis_names, axis->text());
    if (known == io::volume_axis_names.end()) axis->fail("is none of auto, 1, 2 and 3");
    reading.axis = static_cast<io::VolumeAxis>(known - io::volume_axis_names.begin());
  }
  if (const auto water = node.find("water")) {
    if (!water->value().is_number() || !(water->value().get<double>() > 0)) water->fail("is not a number above 0");
    reading.water = water->value().get<double>();
  }
  return reading;
}

void read_run(const Node& root, Session& session) {
  if (const auto backend = root.find("backend")) {
    const std::string name = backend->text();
    const auto known = std::ranges::find_if(backends, [&name](Backend each) { return name_of(each) == name; });
    if (known == std::end(backends)) backend->fail("'" + name + "' is none of serial, openmp and cuda");
    session.backend = *known;
  }
  if (const auto variant = root.find("variant"))
    session.variant =
        variant->located([&] { return session.algorithm->variant_index(session.backend, variant->text()); });
  if (const auto threads = root.find("threads"))
    session.threads = std::min(threads->integer(0, 1 << 20), max_threads());
  if (const auto seed = root.find("seed")) {
    if (!seed->value().is_number_unsigned()) seed->fail("is not a whole number from 0 on");
    session.seed = seed->value().get<std::uint64_t>();
  }
  if (const auto step = root.find("step")) session.intermediate = step->integer(1, 1 << 20) - 1;
}

}  // namespace

Session parse_session(const std::string& text, const fs::path& folder, const std::string& name) {
  Json json;
  try {
    json = Json::parse(text, nullptr, /*allow_exceptions=*/true, /*ignore_comments=*/true);
  } catch (const Json::exception& error) {
    throw UsageError(name + ": no JSON: " + error.what());
  }
  const Node root(json, name);
  if (!json.is_object() || !json.contains("threadscape"))
    root.fail("no session: \"threadscape\": 1 is missing, which the window writes into its sessions");
  if (const int version = root.find("threadscape")->integer(1, 1 << 20); version > session_version)
    root.fail("is of version " + std::to_string(version) + " of the format, and this program reads version " +
              std::to_string(session_version) + ": a later release reads it");
  root.require_object({"threadscape", "algorithm", "params", "backend", "variant", "threads", "seed", "step", "inputs",
                       "volume", "view", "sketch", "others"});
  const auto algorithm = root.find("algorithm");
  if (!algorithm) root.fail("\"algorithm\" is missing");
  Session session;
  session.algorithm = algorithm->located([&] { return &find_algorithm(algorithm->text()); });
  session.params = session.algorithm->defaults();
  if (const auto params = root.find("params")) session.params = read_params(*params, *session.algorithm, folder);
  read_run(root, session);
  if (const auto inputs = root.find("inputs"))
    for (const auto& [kind, path] : inputs->members()) {
      const Kind of =
          path.located([&kind = kind] { return static_cast<Kind>(&find_kind(kind) - &info_of(Kind::none)); });
      if (of == Kind::none) path.fail("is no kind of data that a file holds");
      const fs::path input(path_of_text(path.text()));
      const bool stands_alone = input.is_absolute() || absolute_name(input) == input;
      session.inputs[of] = stands_alone ? input : folder / input;
    }
  if (const auto volume = root.find("volume")) session.volume = read_volume(*volume);
  if (const auto view = root.find("view")) session.view = read_view(*view);
  if (const auto sketch = root.find("sketch")) {
    session.sketch = sketch->located([&] { return parse_kept_sketch(sketch->value().dump()); });
    const fs::path file(path_of_text(session.sketch->file));
    session.sketch->file = (file.is_absolute() ? file : folder / file).string();
  }
  if (const auto others = root.find("others"))
    for (const auto& [other, params] : others->members()) {
      const AlgorithmInfo& info =
          params.located([&other = other]() -> const AlgorithmInfo& { return find_algorithm(other); });
      session.others.emplace_back(&info, read_params(params, info, folder));
    }
  return session;
}

}  // namespace threadscape::app
