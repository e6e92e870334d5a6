// Tests of what the window shows for morphology beside its result: painted elements and their text, previews,
// intermediate steps.

#include <filesystem>

#include "compute/algorithms/morphology/morphology/morphology.h"
#include "compute/io/pictures/image_file.h"
#include "compute/registry/registry.h"
#include "compute/registry/steps.h"
#include "compute/run/runner.h"
#include "tests/support/compute/neighbourhood_testing.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::testing {
namespace {

using morphology::painted_text;
using morphology::parse_painted;
using MorphologyParams = Morphology::Params;
using Operation = Morphology::Operation;
using Form = Morphology::Form;

HostArray run(const MorphologyParams& params, const HostArray& in, Backend backend = Backend::serial) {
  const RunRequest request{
      .algorithm = &find_algorithm("morphology"), .params = ParamBox::of(params), .backend = backend};
  return Runner().run(request, in.view()).output;
}

std::string problem_of(const std::string& text) {
  MorphologyParams params;
  params.shape = Form::file;
  params.element = text;
  return params.problem();
}

MorphologyParams painted(const std::string& text, Operation operation = Operation::erode) {
  MorphologyParams params;
  params.operation = operation;
  params.shape = Form::file;
  params.element = text;
  params.assigned("element");
  return params;
}

bool same(const Preview& a, const Preview& b) {
  return a.origin_x == b.origin_x && a.origin_y == b.origin_y && a.cells == b.cells &&
         difference(a.picture, b.picture).empty();
}

/// Every kind of element: forms, even sizes, origins, flat or not, for hit-or-miss, painted.
std::vector<MorphologyParams> many_elements() {
  std::vector<MorphologyParams> all;
  for (const Operation operation : {Operation::open, Operation::hitmiss})
    for (const bool flat : {true, false}) {
      MorphologyParams params;
      params.operation = operation;
      params.flat = flat;
      for (const Form form : {Form::rect, Form::cross, Form::ellipse, Form::disc, Form::diamond, Form::line})
        for (const auto& [width, height] : {std::pair{1, 1}, {4, 6}, {7, 3}}) {
          params.shape = form;
          params.width = width;
          params.height = height;
          params.origin_x = width > 2 ? 1 : -1;
          all.push_back(params);
        }
      params = painted("4x3:01x1/1xx0/0110", operation);
      params.flat = flat;
      all.push_back(params);
      params.element = "4x3:--00ff--/1020--01/aabbcc--";
      all.push_back(params);
    }
  return all;
}

// ---- Text

TEST(PaintedElement, TextIsRowsOfPixels) {
  const auto element = parse_painted("3x2:01x/110");
  EXPECT_EQ(element.width, 3);
  EXPECT_EQ(element.height, 2);
  EXPECT_EQ(element.origin_x, 1);
  EXPECT_EQ(element.origin_y, 1);
  EXPECT_EQ(element.part, (std::vector<std::uint8_t>{0, 1, 0, 1, 1, 0}));
  EXPECT_EQ(element.background, (std::vector<std::uint8_t>{1, 0, 0, 0, 0, 1}));
  EXPECT_TRUE(element.levels.empty());
  EXPECT_EQ(painted_text(element), "3x2:01x/110");
  EXPECT_EQ(painted_text(parse_painted("3x2:01x110")), "3x2:01x/110");

  const auto grey = parse_painted("2x2:00--/FF1a");
  EXPECT_EQ(grey.part, (std::vector<std::uint8_t>{1, 0, 1, 1}));
  EXPECT_EQ(grey.levels, (std::vector<float>{0, 0, 255, 26}));
  EXPECT_EQ(painted_text(grey), "2x2:00--/ff1a");
  EXPECT_EQ(painted_text(parse_painted("1x1:1")), "1x1:1");
  EXPECT_EQ(painted_text(parse_painted("1x1:01")), "1x1:01");
}

TEST(PaintedElement, PathsAreNoText) {
  for (const char* path : {"element.png", "3x3.png", "/tmp/3x3:111", "./3x3:111", "x3:1", "3x:1", "-3x3:1", "3x3", ""})
    EXPECT_FALSE(morphology::is_painted(path)) << path;
  EXPECT_TRUE(morphology::is_painted("3x3:"));
}

TEST(PaintedElement, BadTextIsExplained) {
  EXPECT_EQ(problem_of("3x3:010/111/010"), "");
  EXPECT_NE(problem_of("3x3:010/111/01").find("has 8 characters for its pixels; 9 (0, 1, x) or 18"), std::string::npos);
  EXPECT_NE(problem_of("3x3:").find("has 0 characters"), std::string::npos);
  EXPECT_NE(problem_of("3x3:010/121/010").find("has '2' at x 1, y 1; accepted are 0, 1 and x"), std::string::npos);
  EXPECT_NE(problem_of("2x1:00-0").find("has '-0' at x 1, y 0; accepted are 00..ff and --"), std::string::npos);
  EXPECT_NE(problem_of("0x3:").find("a side that is not 1..64"), std::string::npos);
  EXPECT_NE(problem_of("65x1:" + std::string(65, '1')).find("a side that is not 1..64"), std::string::npos);
  EXPECT_NE(problem_of("99999999999999x1:1").find("a side that is not 1..64"), std::string::npos);
  EXPECT_LT(problem_of("64x64:" + std::string(5000, '1')).size(), 200u);
  EXPECT_THROW((void)Morphology::element(painted("3x1:0x0")), UsageError);  // The element has no pixel.

  MorphologyParams outside = painted("3x3:111/111/111");
  outside.origin_x = 3;
  EXPECT_NE(outside.problem().find("origin_x=3 lies outside the element; 0..2"), std::string::npos);
}

TEST(PaintedElement, SetAndPresetGiveTheSameElement) {
  for (const char* text : {"3x2:01x/110", "2x2:00--/ff1a", "1x1:1"}) {
    ParamBox box = find_algorithm("morphology").defaults();
    box.assign("shape", "file");
    box.assign("element", text);
    ParamBox preset = find_algorithm("morphology").defaults();
    assign_json(preset, to_json(box));
    EXPECT_EQ(preset, box);
    EXPECT_EQ(preset.as<MorphologyParams>().element, text);
    const std::vector<Step> steps{{&find_algorithm("morphology"), box}};
    EXPECT_EQ(parse_steps(to_text(steps)), steps) << to_text(steps);
  }
}

TEST(PaintedElement, TextSetsTheSize) {
  ParamBox box = find_algorithm("morphology").defaults();
  box.assign("element", "5x2:11111/11111");
  EXPECT_EQ(box.as<MorphologyParams>().width, 3);  // The text is not in use yet.
  box.assign("shape", "file");
  EXPECT_EQ(box.as<MorphologyParams>().width, 5);
  EXPECT_EQ(box.as<MorphologyParams>().height, 2);
  EXPECT_EQ(box.as<MorphologyParams>().size, 5);
}

TEST(PaintedElement, SlidersResizeItAroundItsCentre) {
  ParamBox box = ParamBox::of(painted("3x3:010/111/01x"));
  auto& params = box.as<MorphologyParams>();
  params.width = 5;
  box.edited("width");
  EXPECT_EQ(params.element, "5x3:00100/01110/001x0");
  params.size = 2;
  box.edited("size");
  EXPECT_EQ(params.element, "2x2:01/11");
  params.origin_x = 0;
  params.height = 3;
  box.edited("height");
  EXPECT_EQ(params.element, "2x3:01/11/00");
  params.width = 4;
  box.edited("width");
  EXPECT_EQ(params.origin_x, 1);
  EXPECT_EQ(params.origin_y, -1);
  params.width = 200;
  box.edited("width");
  EXPECT_EQ(params.width, 64);
  EXPECT_EQ(params.problem(), "");
}

class PaintedElementFiles : public TestFolder {};

TEST_F(PaintedElementFiles, IsThatOfTheSamePicture) {
  const auto image = random_image<std::uint8_t>(40, 30, 3);
  const auto file = path("element.pgm");
  io::save_picture(file, grey_image(4, 3, {0, 255, 0, 255, 255, 255, 0, 0, 0, 255, 255, 0}).view(),
                   io::FileColour::grey);
  for (const Operation operation : {Operation::erode, Operation::dilate, Operation::close}) {
    EXPECT_EQ(
        difference(run(painted("4x3:0101/1100/0110", operation), image), run(painted(file.string(), operation), image)),
        "");
    for (const Backend backend : {Backend::serial, Backend::openmp}) {
      MorphologyParams text = painted("4x3:--ff--ff/ffff----/--ffff--", operation),
                       picture = painted(file.string(), operation);
      text.flat = picture.flat = false;
      EXPECT_EQ(difference(run(text, image, backend), run(picture, image, backend)), "");
    }
  }
}

TEST_F(PaintedElementFiles, PicturesAreReadAgainWhenTheyChange) {
  const auto file = path("element.pgm");
  const auto write = [&](int middle) {
    io::save_picture(file, grey_image(3, 1, {255, middle, 255}).view(), io::FileColour::grey);
  };
  const auto parts = [&] { return Morphology::element(painted(file.string())).part; };
  using Parts = std::vector<std::uint8_t>;
  write(255);
  EXPECT_EQ(parts(), (Parts{1, 1, 1}));
  const auto written = std::filesystem::last_write_time(file);
  write(0);
  std::filesystem::last_write_time(file, written);  // another file with an equal size and time is noticed as well
  EXPECT_EQ(parts(), (Parts{1, 0, 1}));
  io::save_picture(file, grey_image(2, 1, {255, 255}).view(), io::FileColour::grey);
  EXPECT_EQ(parts(), (Parts{1, 1}));
  std::filesystem::remove(file);
  EXPECT_THROW((void)parts(), EnvironmentError);
}

// ---- Preview

TEST(MorphologyPreview, ShowsPartsBackgroundAndLevels) {
  const Rgba8 nothing{0, 0, 0, 0}, white{255, 255, 255, 255}, black{0, 0, 0, 255};
  MorphologyParams params = painted("3x1:01x");
  params.origin_x = 2;
  const auto at = [&](int x) { return Morphology::preview(params).picture.image<Rgba8>()(x, 0); };
  EXPECT_EQ(at(0), nothing);
  EXPECT_EQ(at(1), white);
  EXPECT_EQ(at(2), nothing);
  EXPECT_EQ(Morphology::preview(params).origin_x, 2);
  EXPECT_EQ(Morphology::preview(params).cells, Preview::Cells::parts);
  params.operation = Operation::hitmiss;
  EXPECT_EQ(at(0), black);
  EXPECT_EQ(at(1), white);
  EXPECT_EQ(at(2), nothing);
  EXPECT_EQ(Morphology::preview(params).cells, Preview::Cells::parts_and_background);
  params = painted("3x1:--0840");
  params.flat = false;
  EXPECT_EQ(at(0), nothing);
  EXPECT_EQ(at(1), (Rgba8{8, 8, 8, 255}));
  EXPECT_EQ(Morphology::preview(params).cells, Preview::Cells::levels);
  EXPECT_NO_THROW((void)Morphology::preview(painted("2x1:00")));  // Without a pixel, while it is being painted.
  EXPECT_THROW((void)Morphology::preview(painted("2x1:0")), UsageError);
}

TEST(MorphologyPreview, PaintingItGivesIt) {
  for (const MorphologyParams& from : many_elements())
    for (const MorphologyParams& to : many_elements()) {
      if (Morphology::preview(from).cells != Morphology::preview(to).cells) continue;
      MorphologyParams params = to;
      const Preview wanted = Morphology::preview(from);
      Morphology::paint(params, wanted);
      ASSERT_EQ(params.problem(), "");
      ASSERT_TRUE(same(Morphology::preview(params), wanted)) << painted_text(Morphology::element(params));
    }
}

TEST(MorphologyPreview, PaintingNothingOrTheOriginKeepsTheForm) {
  for (const MorphologyParams& params : many_elements()) {
    MorphologyParams after = params;
    Morphology::paint(after, Morphology::preview(params));
    EXPECT_EQ(after.shape, params.shape);
    EXPECT_EQ(after.element, params.element);
  }
  MorphologyParams params;
  params.shape = Form::ellipse;
  params.width = params.height = 6;
  Preview preview = Morphology::preview(params);
  preview.origin_x = 0;
  Morphology::paint(params, preview);
  EXPECT_EQ(params.shape, Form::ellipse);
  EXPECT_EQ(params.origin_x, 0);
  EXPECT_EQ(params.origin_y, -1);  // The centre stays the centre when the size changes.
  preview.picture.image<Rgba8>()(0, 0) = {255, 255, 255, 255};
  Morphology::paint(params, preview);
  EXPECT_EQ(params.shape, Form::file);
  EXPECT_EQ(params.element.substr(0, 11), "6x6:100100/") << params.element;
}

TEST(MorphologyPreview, WhatIsOfNoMatterToHitOrMissSurvives) {
  MorphologyParams params = painted("3x1:01x");
  Preview preview = Morphology::preview(params);
  preview.picture.image<Rgba8>()(0, 0) = {255, 255, 255, 255};
  Morphology::paint(params, preview);
  EXPECT_EQ(params.element, "3x1:11x");
}

TEST(MorphologyPreview, LargeOnesAreNotPainted) {
  MorphologyParams params;
  params.size = params.width = params.height = 64;
  Preview largest = Morphology::preview(params);
  largest.picture.image<Rgba8>()(63, 63) = {0, 0, 0, 0};
  Morphology::paint(params, largest);
  EXPECT_TRUE(same(Morphology::preview(params), largest));
  params = {};
  params.size = params.width = params.height = 65;
  MorphologyParams after = params;
  EXPECT_THROW(Morphology::paint(after, Morphology::preview(params)), UsageError);
  EXPECT_EQ(after, params);
}

// ---- Steps

TEST(MorphologySteps, EndWithTheResult) {
  const auto image = random_image<std::uint8_t>(50, 31, 6);
  for (int i = 0; i < static_cast<int>(Morphology::operation_names.size()); ++i) {
    MorphologyParams params;
    params.operation = static_cast<Operation>(i);
    params.iterations = 3;
    const auto steps = Morphology::intermediates(params);
    ASSERT_GE(steps.size(), 2u);
    EXPECT_EQ(steps.back().second, params);
    for (const auto& [title, step] : steps)
      EXPECT_EQ(step.problem(), "") << title;
  }
  MorphologyParams once;
  once.operation = Operation::erode;
  EXPECT_EQ(Morphology::intermediates(once).size(), 1u);
}

TEST(MorphologySteps, LeadFromOneToTheNext) {
  const auto image = random_image<std::uint8_t>(50, 31, 6);
  MorphologyParams params;
  params.shape = Form::ellipse;
  params.width = 7;
  params.height = 5;
  params.iterations = 2;
  const auto then = [&](Operation operation, const HostArray& picture) {
    MorphologyParams next = params;
    next.operation = operation;
    return run(next, picture);
  };
  const auto step = [&](std::size_t i) { return run(Morphology::intermediates(params)[i].second, image); };
  params.operation = Operation::open;
  EXPECT_EQ(difference(then(Operation::dilate, step(0)), step(1)), "");
  params.operation = Operation::close;
  EXPECT_EQ(difference(then(Operation::erode, step(0)), step(1)), "");
  params.operation = Operation::tophat;
  EXPECT_EQ(difference(then(Operation::dilate, step(0)), step(1)), "");
  const auto top = step(2), opened = step(1);
  for (int y = 0; y < 31; ++y)
    for (int x = 0; x < 50; ++x)
      ASSERT_EQ(top.image<std::uint8_t>()(x, y),
                image.image<std::uint8_t>()(x, y) - opened.image<std::uint8_t>()(x, y));
  params.operation = Operation::erode;
  params.iterations = 1;
  const auto once = step(0);
  const auto twice = then(Operation::erode, once);
  params.iterations = 2;
  EXPECT_EQ(difference(once, step(0)), "");
  EXPECT_EQ(difference(twice, step(1)), "");
}

TEST(MorphologySteps, HitOrMissBeginsWithItsForeground) {
  HostArray image = random_image<std::uint8_t>(50, 31, 6);
  const auto pixels = image.image<std::uint8_t>();
  for (int y = 0; y < 31; ++y)
    for (int x = 0; x < 50; ++x)
      pixels(x, y) = pixels(x, y) > 80 ? 255 : 0;
  // Without background pixels the erosion is the result.
  const MorphologyParams params = painted("3x3:x1x/x11/xxx", Operation::hitmiss);
  const auto steps = Morphology::intermediates(params);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(difference(run(steps[0].second, image), run(steps[1].second, image)), "");
  EXPECT_TRUE(Morphology::intermediates(painted("element.png", Operation::hitmiss)).empty());
}

}  // namespace
}  // namespace threadscape::testing
