// Tests that JSON from outside is refused before it can exhaust the stack. Each text ended the program before.

#include "compute/core/json_limits.h"

#include <gtest/gtest.h>

#include <string>

#include "compute/core/errors.h"
#include "compute/registry/registry.h"
#include "compute/registry/steps.h"

namespace threadscape {
namespace {

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i)
    all += text;
  return all;
}

TEST(JsonLimitsTest, DepthIsCounted) {
  const auto nested = [](int depth) { return repeated("[", depth) + repeated("]", depth); };
  EXPECT_NO_THROW(check_json_limits(nested(static_cast<int>(json_limits().depth))));
  EXPECT_THROW(check_json_limits(nested(static_cast<int>(json_limits().depth) + 1)), UsageError);
  EXPECT_THROW(check_json_limits(repeated("{\"a\":[", static_cast<int>(json_limits().depth))), UsageError);
  EXPECT_NO_THROW(check_json_limits(repeated("[],", 1000)));
}

TEST(JsonLimitsTest, BracketsInTextsAndCommentsDoNotCount) {
  const std::string brackets = repeated("[", 1000);
  EXPECT_NO_THROW(check_json_limits("{\"a\": \"" + brackets + "\"}"));
  EXPECT_NO_THROW(check_json_limits("{\"a\": \"\\\"" + brackets + "\"}"));
  EXPECT_NO_THROW(check_json_limits("// " + brackets + "\n{}"));
  EXPECT_NO_THROW(check_json_limits("/* " + brackets + " */ {}"));
  EXPECT_THROW(check_json_limits("\"text\" " + brackets), UsageError);
  EXPECT_THROW(check_json_limits("// line\n" + brackets), UsageError);
  EXPECT_THROW(check_json_limits("/**/" + brackets), UsageError);
  // What never ends is left to the parser.
  EXPECT_NO_THROW(check_json_limits("\"" + brackets));
  EXPECT_NO_THROW(check_json_limits("\"\\"));
  EXPECT_NO_THROW(check_json_limits("/* " + brackets));
  EXPECT_NO_THROW(check_json_limits("// " + brackets));
}

TEST(JsonLimitsTest, LongTextsAreRefused) {
  EXPECT_THROW(check_json_limits(std::string(static_cast<std::size_t>(json_limits().bytes) + 1, ' ')), UsageError);
}

TEST(JsonLimitsTest, ParametersAndStepsNestedDeeplyAreRefused) {
  const std::string brackets = repeated("[", 400'000);
  for (const char* name : {"convolution", "chain"}) {
    const AlgorithmInfo& algorithm = find_algorithm(name);
    for (const std::string& text : {brackets, "{\"size\": " + brackets, "{\"steps\": " + brackets,
                                    "{\"mask\": " + brackets + repeated("]", 400'000) + "}",
                                    "{\"steps\": " + brackets + repeated("]", 400'000) + "}"}) {
      ParamBox params = algorithm.defaults();
      EXPECT_THROW(assign_json(params, text), UsageError) << name << ": " << text.substr(0, 20);
      EXPECT_EQ(params, algorithm.defaults());
    }
  }
  EXPECT_THROW((void)steps_from_json(brackets + repeated("]", 400'000)), UsageError);
}

}  // namespace
}  // namespace threadscape
