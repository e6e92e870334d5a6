#pragma once
// Reading JSON that people write: every complaint names the file and the place in it.

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "app/report/environment.h"

namespace threadscape::app {

/// Throws UsageError with line and column for text that is no JSON. Comments are allowed. `file` is for the message.
[[nodiscard]] Json parse_json_text(std::string_view text, const std::string& file);

/// A value in a JSON file and the way to it: "series[1].params". All members throw UsageError.
class JsonNode {
 public:
  JsonNode(const Json& value, std::string file) : value_(&value), file_(std::move(file)) {}

  [[noreturn]] void fail(const std::string& what) const;
  [[nodiscard]] const Json& value() const { return *value_; }

  /// Refuses members of this object that are not in the list, and anything that is no object.
  void allow(std::initializer_list<std::string_view> names) const;
  [[nodiscard]] bool has(std::string_view name) const;
  /// A member; it must be there.
  [[nodiscard]] JsonNode at(std::string_view name) const;
  /// The values of an array that is not empty.
  [[nodiscard]] std::vector<JsonNode> items() const;
  /// Names and values of an object.
  [[nodiscard]] std::vector<std::pair<std::string, JsonNode>> members() const;

  [[nodiscard]] std::string text() const;  ///< not empty
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] double number(double lo, double hi) const;
  [[nodiscard]] int integer(int lo, int hi) const;
  /// Index of the text in `names`.
  [[nodiscard]] std::size_t choice(std::initializer_list<std::string_view> names) const;

  /// Runs `f`, which reads no nodes, and puts the file and the place in front of the UsageError that it throws.
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
