#include "app/measure/json_node.h"

#include <nlohmann/json.hpp>

#include <algorithm>

#include "app/report/text.h"
#include "compute/core/errors.h"
#include "compute/core/json_limits.h"
#include "compute/io/text_file.h"

namespace threadscape::app {

namespace {

/// Shortens a message of nlohmann-json by its error number and position.
std::string complaint(const std::string& message) {
  const std::size_t dash = message.find(" - ");
  if (dash != std::string::npos) return message.substr(dash + 3);
  const std::size_t colon = message.rfind(": ");
  return colon == std::string::npos ? message : message.substr(colon + 2);
}

}  // namespace

std::string load_json_text(const std::filesystem::path& path) {
  try {
    return io::load_json_text(path);
  } catch (const UsageError& error) {
    throw UsageError("'" + path.string() + "': " + error.what());
  }
}

Json parse_json_text(std::string_view text, const std::string& file) {
  try {
    check_json_limits(text);
    return Json::parse(text, nullptr, /*allow_exceptions=*/true, /*ignore_comments=*/true);
  } catch (const UsageError& error) {
    throw UsageError(file + ": " + error.what());
  } catch (const Json::parse_error& error) {
    const std::string_view before = text.substr(0, std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0));
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t last = before.rfind('\n');
    const std::size_t column = before.size() - (last == std::string_view::npos ? 0 : last + 1) + 1;
    throw UsageError(file + ", line " + std::to_string(line) + ", column " + std::to_string(column) +
                     ": no JSON: " + complaint(error.what()));
  } catch (const Json::out_of_range& error) {  // A number that double does not hold, whose place is not stated.
    const std::string message = error.what();  // "[json.exception.out_of_range.406] number overflow ..."
    throw UsageError(file + ": no JSON: " + message.substr(message.find(' ') + 1));
  }
}

void JsonNode::fail(const std::string& what) const {
  throw UsageError(file_ + ": " + (place_.empty() ? "" : place_ + ": ") + what);
}

void JsonNode::allow(std::initializer_list<std::string_view> names) const {
  for (const auto& [name, member] : members())
    if (std::ranges::find(names, name) == names.end())
      fail("'" + name + "' is unknown: accepted are " + joined(names, " | "));
}

bool JsonNode::has(std::string_view name) const {
  return value_->is_object() && value_->contains(name);
}

JsonNode JsonNode::at(std::string_view name) const {
  if (!value_->is_object()) fail("an object is wanted: {...}");
  const auto found = value_->find(name);
  if (found == value_->end()) fail("'" + std::string(name) + "' is missing");
  return {*found, file_, (place_.empty() ? "" : place_ + ".") + std::string(name)};
}

std::vector<JsonNode> JsonNode::items() const {
  if (!value_->is_array() || value_->empty()) fail("a list is wanted that is not empty: [...]");
  std::vector<JsonNode> nodes;
  for (std::size_t i = 0; i < value_->size(); ++i)
    nodes.push_back({(*value_)[i], file_, place_ + "[" + std::to_string(i) + "]"});
  return nodes;
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const {
  if (!value_->is_object()) fail("an object is wanted: {...}");
  std::vector<std::pair<std::string, JsonNode>> nodes;
  for (const auto& [name, member] : value_->items())
    nodes.emplace_back(name, at(name));
  return nodes;
}

std::string JsonNode::text() const {
  if (!value_->is_string() || value_->get_ref<const std::string&>().empty())
    fail("a text is wanted that is not empty: \"...\"");
  return value_->get<std::string>();
}

bool JsonNode::boolean() const {
  if (!value_->is_boolean()) fail("true or false is wanted");
  return value_->get<bool>();
}

double JsonNode::number(double lo, double hi) const {
  if (!value_->is_number() || value_->get<double>() < lo || value_->get<double>() > hi)
    fail("a number is wanted, " + format_number(lo) + ".." + format_number(hi));
  return value_->get<double>();
}

int JsonNode::integer(int lo, int hi) const {
  if (!value_->is_number_integer() || value_->get<double>() < lo || value_->get<double>() > hi)
    fail("a whole number is wanted, " + std::to_string(lo) + ".." + std::to_string(hi));
  return value_->get<int>();
}

std::size_t JsonNode::choice(std::initializer_list<std::string_view> names) const {
  const std::string wanted = text();
  const auto* const found = std::ranges::find(names, wanted);
  if (found == names.end()) fail("'" + wanted + "' is unknown: accepted are " + joined(names, " | "));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace threadscape::app
