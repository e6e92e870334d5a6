#pragma once
// Reads JSON that people write: every error message names the file and the place in it.

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "app/report/environment.h"
#include "compute/core/errors.h"

namespace threadscape::app {

/// Reads the text of a JSON file. Throws EnvironmentError if it cannot be read, and UsageError if it is beyond the
/// limits of depth and length.
[[nodiscard]] std::string load_json_text(const std::filesystem::path& path);
/// Parses JSON, in which comments are allowed. Throws UsageError with `file`, line and column if the text is no JSON.
[[nodiscard]] Json parse_json_text(std::string_view text, const std::string& file);

/// A value in a JSON file together with its path, such as "series[1].params". All functions that read throw UsageError.
class JsonNode {
 public:
  JsonNode(const Json& value, std::string file) : value_(&value), file_(std::move(file)) {}

  /// Throws UsageError with the file, the path and this text.
  [[noreturn]] void fail(const std::string& what) const;
  [[nodiscard]] const Json& value() const { return *value_; }

  /// Throws if the value is no object, or has members with names that are not in the list.
  void allow(std::initializer_list<std::string_view> names) const;
  [[nodiscard]] bool has(std::string_view name) const;
  /// The member with this name. Throws if there is none.
  [[nodiscard]] JsonNode at(std::string_view name) const;
  /// The values of an array. Throws if it is empty.
  [[nodiscard]] std::vector<JsonNode> items() const;
  /// The names and values of an object.
  [[nodiscard]] std::vector<std::pair<std::string, JsonNode>> members() const;

  [[nodiscard]] std::string text() const;  ///< The value as text. Throws if it is empty.
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] double number(double lo, double hi) const;
  [[nodiscard]] int integer(int lo, int hi) const;
  /// The index of the text in `names`. Throws if it is none of them.
  [[nodiscard]] std::size_t choice(std::initializer_list<std::string_view> names) const;

  /// Calls `f`. If it throws a UsageError, puts the file and the path in front of its message; `f` must read no nodes,
  /// because those name their own place.
  template <class F>
  decltype(auto) located(F f) const {
    try {
      return f();
    } catch (const UsageError& error) {
      fail(error.what());
    }
  }

 private:
  JsonNode(const Json& value, std::string file, std::string place)
      : value_(&value), file_(std::move(file)), place_(std::move(place)) {}

  const Json* value_;
  std::string file_, place_;
};

}  // namespace threadscape::app
