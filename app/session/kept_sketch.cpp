#include "app/session/kept_sketch.h"

#include <nlohmann/json.hpp>

#include "compute/core/errors.h"
#include "compute/sketch/head.h"

namespace threadscape::app {

namespace {

using Json = nlohmann::ordered_json;

/// Reads a member of the type of `value`, which stays as it is where there is none.
template <class T>
void read(const Json& object, const char* name, T& value) {
  if (const auto found = object.find(name); found != object.end()) value = found->get<T>();
}
void read(const Json& object, const char* name, std::optional<double>& value) {
  if (const auto found = object.find(name); found != object.end()) value = found->get<double>();
}
/// Reads an object as JSON.
void read_object(const Json& object, const char* name, std::string& value) {
  const auto found = object.find(name);
  if (found == object.end()) return;
  if (!found->is_object()) throw UsageError(std::string(name) + " is not an object");
  value = found->dump();
}

}  // namespace

std::string to_json(const KeptSketch& sketch) {
  std::size_t first = sketch.tries.size(), bytes = 0;
  while (first > 0 && (bytes += sketch.tries[first - 1].text.size()) <= max_kept_bytes)
    --first;
  Json root{{"file", sketch.file}, {"text", sketch.text}, {"changed", sketch.changed}};
  if (!sketch.params.empty()) root["params"] = Json::parse(sketch.params);
  for (std::size_t i = first; i < sketch.tries.size(); ++i) {
    const KeptSketch::Try& one = sketch.tries[i];
    Json entry{{"text", one.text}, {"check", one.check}, {"equal", one.equal}};
    if (!one.params.empty()) entry["params"] = Json::parse(one.params);
    if (one.instructions) entry["instructions"] = *one.instructions;
    if (one.sectors) entry["sectors"] = *one.sectors;
    root["tries"].push_back(std::move(entry));
  }
  if (const int shown = sketch.shown - static_cast<int>(first); sketch.shown >= 0 && shown >= 0) root["shown"] = shown;
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

KeptSketch parse_kept_sketch(std::string_view json) {
  KeptSketch sketch;
  try {
    const Json root = Json::parse(json);
    read(root, "file", sketch.file);
    read(root, "text", sketch.text);
    read(root, "changed", sketch.changed);
    read_object(root, "params", sketch.params);
    if (const auto tries = root.find("tries"); tries != root.end())
      for (const Json& entry : *tries) {
        if (!entry.is_object()) throw UsageError("a try is not an object");
        KeptSketch::Try& one = sketch.tries.emplace_back();
        read(entry, "text", one.text);
        read_object(entry, "params", one.params);
        read(entry, "instructions", one.instructions);
        read(entry, "sectors", one.sectors);
        read(entry, "check", one.check);
        read(entry, "equal", one.equal);
      }
    if (const auto shown = root.find("shown"); shown != root.end()) {
      const auto index = shown->get<double>();
      if (!(index >= 0 && index < static_cast<double>(sketch.tries.size()))) throw UsageError("shown is no try");
      sketch.shown = static_cast<int>(index);
    }
  } catch (const Json::exception& error) {
    throw UsageError(std::string("a sketch is a file, a text and tries: ") + error.what());
  }
  if (sketch.file.empty()) throw UsageError("the file of the sketch is missing");
  if (sketch.text.size() > sketch::max_sketch_bytes) throw UsageError("a sketch has at most 1 MiB");
  return sketch;
}

}  // namespace threadscape::app
