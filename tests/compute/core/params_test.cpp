#include "compute/core/params.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "compute/registry/algorithm_info.h"
#include "compute/registry/registry.h"
#include "generated/cuda_backend.h"

namespace threadscape {
namespace {

enum class Mode : int { plain, fancy };
constexpr std::array<std::string_view, 2> mode_names{"plain", "fancy"};

struct Params {
  int radius = 4;
  int side = 3;
  float sigma = 1.5f;
  bool absolute = false;
  Mode mode = Mode::plain;
  std::string file;
  std::vector<float> mask = std::vector<float>(9, 0.1f);

  static auto fields() {
    return std::tuple{Field{"radius", &Params::radius, 1, 32, "pixels", "window radius"},
                      Field{"side", &Params::side, 3, 9, "pixels", "of the mask", 2},
                      Field{"sigma", &Params::sigma, 0.1f, 10.0f, "pixels", "standard deviation"},
                      BoolField{"absolute", &Params::absolute, ""},
                      EnumField{"mode", &Params::mode, mode_names, ""},
                      TextField{"file", &Params::file, true, ""},
                      GridField{"mask", &Params::mask, &Params::side, -100.0f, 100.0f, "weights"}};
  }
  bool operator==(const Params&) const = default;
  void assigned(std::string_view field) {
    if (field == "side") mask.assign(static_cast<std::size_t>(side * side), 1.0f);
    if (field == "mask") side = mask.size() == 9 ? 3 : mask.size() == 25 ? 5 : 0;
  }
  [[nodiscard]] std::string problem() const { return side == 0 ? "mask must be 3x3 or 5x5" : ""; }
};

std::string refusal(ParamBox box, const std::string& field, const std::string& text) {
  const ParamBox before = box;
  try {
    box.assign(field, text);
  } catch (const UsageError& error) {
    EXPECT_EQ(box, before) << "a refused value must change nothing";
    return error.what();
  }
  return "";
}

TEST(Params, AssignsEveryType) {
  ParamBox box = ParamBox::of(Params{});
  box.assign("radius", "7");
  box.assign("sigma", " 2.5 ");
  box.assign("absolute", "on");
  box.assign("mode", "fancy");
  box.assign("file", "some file.png");
  box.assign("mask", "1,2,3, 4,5,6, -7,8.5,9e1");
  const auto& p = box.as<Params>();
  EXPECT_EQ(p.radius, 7);
  EXPECT_EQ(p.sigma, 2.5f);
  EXPECT_TRUE(p.absolute);
  EXPECT_EQ(p.mode, Mode::fancy);
  EXPECT_EQ(p.file, "some file.png");
  EXPECT_EQ(p.mask, (std::vector<float>{1, 2, 3, 4, 5, 6, -7, 8.5f, 90}));
}

TEST(Params, RefusalsNameParameterValueAndRange) {
  const ParamBox box = ParamBox::of(Params{});
  EXPECT_EQ(refusal(box, "radius", "33"), "parameter 'radius' refuses '33': 1..32 pixels");
  EXPECT_EQ(refusal(box, "side", "4"), "parameter 'side' refuses '4': 3..9 step 2 pixels");
  EXPECT_EQ(refusal(box, "mode", "odd"), "parameter 'mode' refuses 'odd': plain | fancy");
  EXPECT_EQ(refusal(box, "sigma", "nan"), "parameter 'sigma' refuses 'nan': 0.1..10 pixels");
  for (const char* text : {"", "4x", "1e3", "4.5", "0x10", "99999999999999999999", "--4", "nan", "4 5"})
    EXPECT_NE(refusal(box, "radius", text), "") << text;
  for (const char* text : {"", "inf", "-inf", "1e-9", "1,5", "abc"})
    EXPECT_NE(refusal(box, "sigma", text), "") << text;
  for (const char* text : {"", "2", "maybe", "TRUE"})
    EXPECT_NE(refusal(box, "absolute", text), "") << text;
}

TEST(Params, GridsMustBeSquaresOfNumbers) {
  const ParamBox box = ParamBox::of(Params{});
  for (const char* text : {"", "1,2,3", "1,2,3,4,5,6,7,8,", "1,2,3,4,nan,6,7,8,9", "1,2,3,4,inf,6,7,8,9",
                           "1,2,3,4,101,6,7,8,9", "1;2;3;4;5;6;7;8;9"})
    EXPECT_NE(refusal(box, "mask", text), "") << text;
}

TEST(Params, UnknownNamesListTheKnown) {
  EXPECT_EQ(refusal(ParamBox::of(Params{}), "raduis", "4"),
            "parameter 'raduis' is unknown: did you mean radius? Accepted are radius, side, sigma, absolute, mode, "
            "file, mask");
}

TEST(Params, DependentFieldsFollow) {
  ParamBox box = ParamBox::of(Params{});
  box.assign("side", "5");
  EXPECT_EQ(box.as<Params>().mask.size(), 25u);
  box.assign("mask", "1,1,1,1,1,1,1,1,1");
  EXPECT_EQ(box.as<Params>().side, 3);
  box.assign("mask", "1,1,1,1");
  EXPECT_THROW(box.check(), UsageError);
}

TEST(Params, TextReadsBackAsTheSameValue) {
  ParamBox box = ParamBox::of(Params{});
  box.assign("sigma", "0.1");
  box.assign("mask", "0.333333343,1,2,3,4,5,6,7,-8.25");
  ParamBox twin = ParamBox::of(Params{});
  for (const FieldRef& field : box.fields())
    twin.assign(field.name, to_text(field));
  EXPECT_EQ(twin, box);
}

TEST(Params, CopiesAreValues) {
  const ParamBox a = ParamBox::of(Params{});
  ParamBox b = a;
  b.assign("radius", "9");
  EXPECT_EQ(a.as<Params>().radius, 4);
  EXPECT_NE(a, b);
  struct Other {
    static auto fields() { return std::tuple{}; }
    bool operator==(const Other&) const = default;
  };
  EXPECT_NE(a, ParamBox::of(Other{}));
  EXPECT_THROW((void)a.as<Other>(), std::logic_error);
}

TEST(ParamsJson, RoundTrip) {
  ParamBox box = ParamBox::of(Params{});
  box.assign("mask", "1,2,3,4,5,6,7,8,0.1");
  box.assign("mode", "fancy");
  box.assign("file", "a \"quoted\" name");
  const std::string text = to_json(box);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json.at("mask").at(8).dump(), "0.1");
  EXPECT_EQ(json.at("mode"), "fancy");
  ParamBox twin = ParamBox::of(Params{});
  assign_json(twin, text);
  EXPECT_EQ(twin, box);
}

TEST(ParamsJson, OrderInTheFileDoesNotMatter) {
  // Assigning "side" resets the mask, so it must be assigned first, although it is the last key.
  ParamBox box = ParamBox::of(Params{});
  assign_json(box, R"({"mask": [[9, 8, 7], [6, 5, 4], [3, 2, 1]], "side": 3})");
  EXPECT_EQ(box.as<Params>().mask, (std::vector<float>{9, 8, 7, 6, 5, 4, 3, 2, 1}));
}

TEST(ParamsJson, AllOrNothing) {
  ParamBox box = ParamBox::of(Params{});
  const ParamBox before = box;
  for (const char* text :
       {"", "[]", "{", "null", R"({"radius": 9, "unknown": 1})", R"({"radius": 9, "sigma": 1000})",
        R"({"radius": 9.5})", R"({"radius": {}})", R"({"radius": null})", R"({"mask": [1, 2]})", R"({"mode": 1})"}) {
    EXPECT_THROW(assign_json(box, text), UsageError) << text;
    EXPECT_EQ(box, before) << text;
  }
}

TEST(Registry, SuggestsNearNames) {
  try {
    (void)find_algorithm("convoluton");
    FAIL() << "a misspelt name was accepted";
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()), "algorithm 'convoluton' is unknown: did you mean convolution?");
  }
  EXPECT_THROW((void)find_algorithm(""), UsageError);
}

TEST(Registry, EveryRowIsComplete) {
  ASSERT_FALSE(algorithms().empty());
  for (const AlgorithmInfo& algorithm : algorithms()) {
    SCOPED_TRACE(algorithm.name);
    EXPECT_EQ(&find_algorithm(algorithm.name), &algorithm);
    EXPECT_FALSE(algorithm.title.empty());
    EXPECT_FALSE(algorithm.summary.empty());
    EXPECT_FALSE(algorithm.source.empty());
    EXPECT_TRUE(algorithm.serial && algorithm.openmp);
    EXPECT_EQ(algorithm.cuda != nullptr, TS_HAS_CUDA != 0);
    EXPECT_EQ(algorithm.defaults().problem(), "");
    for (const Backend backend : backends) {
      EXPECT_EQ(algorithm.variant_index(backend, ""), 0);
      EXPECT_THROW((void)algorithm.variant_index(backend, "no such variant"), UsageError);
      for (const Variant& variant : algorithm.variants_of(backend))
        EXPECT_EQ(
            algorithm.variants_of(backend)[static_cast<std::size_t>(algorithm.variant_index(backend, variant.name))]
                .name,
            variant.name);
    }
    // Presets and the window write all parameters as JSON and read them back.
    ParamBox twin = algorithm.defaults();
    assign_json(twin, to_json(algorithm.defaults()));
    EXPECT_EQ(twin, algorithm.defaults());
  }
}

TEST(Backend, NamesReadBack) {
  for (const Backend backend : backends)
    EXPECT_EQ(parse_backend(name_of(backend)), backend);
  EXPECT_THROW((void)parse_backend("opencl"), UsageError);
}

TEST(Params, TitlesAreForPeople) {
  EXPECT_EQ(title_of("divide_by"), "Divide by");
  EXPECT_EQ(title_of({.name = "size", .unit = "", .help = "", .value = BoolValue{nullptr}}), "Size");
  EXPECT_EQ(title_of({.name = "n", .unit = "", .help = "", .value = BoolValue{nullptr}, .title = "Points"}), "Points");
}

TEST(Params, HelpSaysWhatZeroStandsFor) {
  int width = 0;
  FieldRef field{.name = "width", .unit = "", .help = "of the result", .value = IntValue{&width, 0, 9, 1, 9}};
  EXPECT_EQ(help_of(field), "of the result");
  field.zero = "unchanged";
  EXPECT_EQ(help_of(field), "of the result; 0 = unchanged");
}

}  // namespace
}  // namespace threadscape
