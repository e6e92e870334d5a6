// Morphology: cases with known results, algebraic laws, brute force, and results of SciPy, scikit-image and OpenCV.

#include "compute/algorithms/morphology/morphology/morphology.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "compute/core/synthetic.h"
#include "compute/io/pictures/image_file.h"
#include "tests/support/compute/neighbourhood_testing.h"
#include "tests/support/compute/test_files.h"
#include "tests/support/test_paths.h"

namespace threadscape::testing {
namespace {

using MorphologyParams = Morphology::Params;
using Operation = Morphology::Operation;
using Form = Morphology::Form;

/// Runs with the scratch memory that the algorithm asks for. `variant` is one of OpenMP.
HostArray apply(Backend backend, const MorphologyParams& params, const HostArray& in, int threads = 1,
                int variant = 0) {
  Morphology::check_input(params, in.view());
  HostArray out(Morphology::output_shape(params, in.shape()));
  std::memset(out.data(), 0xa5, out.pitch() * static_cast<std::size_t>(in.shape().height));
  HostScratch scratch;
  scratch.reset(Morphology::scratch_bytes(params, in.shape(), backend, variant));
  HostRun run;
  run.in = in.view();
  run.out = out.view();
  run.scratch = &scratch;
  run.threads = threads;
  run.variant = variant;
  (backend == Backend::serial ? Morphology::serial : Morphology::openmp)(params, run);
  return out;
}
/// Serial's result, after comparing all variants of OpenMP with it.
HostArray apply(const MorphologyParams& params, const HostArray& in) {
  HostArray expected = apply(Backend::serial, params, in);
  for (const int threads : {1, 3})
    for (int variant = 0; variant < static_cast<int>(Morphology::openmp_variants.size()); ++variant)
      EXPECT_EQ(difference(expected, apply(Backend::openmp, params, in, threads, variant)), "")
          << Morphology::openmp_variants[static_cast<std::size_t>(variant)].name << ", " << threads << " threads";
  return expected;
}

MorphologyParams params_of(Operation operation, Form shape, int width, int height) {
  MorphologyParams params;
  params.operation = operation;
  params.shape = shape;
  params.width = width;
  params.height = height;
  return params;
}
MorphologyParams with(MorphologyParams params, Operation operation) {
  params.operation = operation;
  return params;
}

int at(const HostArray& image, int x, int y) {
  return image.image<std::uint8_t>()(x, y);
}
HostArray map(const HostArray& image, const auto& f) {
  HostArray result(image.shape());
  for (int y = 0; y < static_cast<int>(image.shape().height); ++y)
    for (int x = 0; x < static_cast<int>(image.shape().width); ++x)
      result.image<std::uint8_t>()(x, y) = static_cast<std::uint8_t>(f(at(image, x, y)));
  return result;
}
/// Returns whether f(a, b) holds at every pixel.
bool everywhere(const HostArray& a, const HostArray& b, const auto& f) {
  for (int y = 0; y < static_cast<int>(a.shape().height); ++y)
    for (int x = 0; x < static_cast<int>(a.shape().width); ++x)
      if (!f(at(a, x, y), at(b, x, y))) return false;
  return true;
}

/// All forms, with even sizes and origins off the centre.
std::vector<MorphologyParams> some_elements() {
  std::vector<MorphologyParams> all;
  for (const Form form : {Form::rect, Form::cross, Form::ellipse, Form::disc, Form::diamond, Form::line})
    for (const auto& [width, height] : {std::pair{3, 3}, {4, 6}, {1, 5}, {9, 2}, {12, 13}}) {
      MorphologyParams params = params_of(Operation::erode, form, width, height);
      params.angle = 30.0f;
      all.push_back(params);
      params.origin_x = 0;
      params.origin_y = height - 1;
      all.push_back(params);
    }
  return all;
}

// ---- Elements

std::vector<std::string> rows_of(const morphology::StructuringElement& element) {
  std::vector<std::string> rows;
  for (int y = 0; y < element.height; ++y) {
    rows.emplace_back();
    for (int x = 0; x < element.width; ++x)
      rows.back() += element.part[element.index(x, y)] ? '1' : '0';
  }
  return rows;
}

TEST(MorphologyElement, DiscDiamondAndLine) {
  const auto disc = Morphology::element(params_of(Operation::erode, Form::disc, 9, 9));
  for (int y = -4; y <= 4; ++y)
    for (int x = -4; x <= 4; ++x)
      EXPECT_EQ(disc.part[disc.index(x + 4, y + 4)] != 0, x * x + y * y <= 16);
  const auto diamond = Morphology::element(params_of(Operation::erode, Form::diamond, 7, 7));
  for (int y = -3; y <= 3; ++y)
    for (int x = -3; x <= 3; ++x)
      EXPECT_EQ(diamond.part[diamond.index(x + 3, y + 3)] != 0, std::abs(x) + std::abs(y) <= 3);
  MorphologyParams line = params_of(Operation::erode, Form::line, 5, 5);
  using Rows = std::vector<std::string>;
  EXPECT_EQ(rows_of(Morphology::element(line)), (Rows{"00000", "00000", "11111", "00000", "00000"}));
  line.angle = 45.0f;
  EXPECT_EQ(rows_of(Morphology::element(line)), (Rows{"00001", "00010", "00100", "01000", "10000"}));
  line.angle = 90.0f;
  EXPECT_EQ(rows_of(Morphology::element(line)), (Rows{"00100", "00100", "00100", "00100", "00100"}));
  line.angle = 180.0f;
  EXPECT_EQ(rows_of(Morphology::element(line)), (Rows{"00000", "00000", "11111", "00000", "00000"}));
}

/// The discs have the numbers of pixels of the structuring elements of source document 000, whose pictures they equal.
TEST(MorphologyElement, MidpointDiscsAreThoseOfTheDocument) {
  for (const auto& [size, pixels] : {std::pair{1, 1}, {3, 5}, {5, 21}, {11, 97}, {31, 749}}) {
    const auto disc = Morphology::element(params_of(Operation::erode, Form::midpoint_disc, size, size));
    EXPECT_EQ(std::ranges::count(disc.part, 1), pixels) << size;
  }
  using Rows = std::vector<std::string>;
  const auto rows = [](int width, int height) {
    return rows_of(Morphology::element(params_of(Operation::erode, Form::midpoint_disc, width, height)));
  };
  EXPECT_EQ(rows(3, 3), (Rows{"010", "111", "010"}));
  EXPECT_EQ(rows(5, 5), (Rows{"01110", "11111", "11111", "11111", "01110"}));
  EXPECT_EQ(rows(11, 11)[0], "00011111000");
  EXPECT_EQ(rows(11, 11)[3], "11111111111");
  EXPECT_EQ(rows(4, 4), (Rows{"0110", "1111", "1111", "0110"}));
  EXPECT_EQ(rows(1, 3), (Rows{"1", "1", "1"}));
}

TEST(MorphologyElement, NoFormIsEmptyAndOriginsLieInside) {
  for (const Form form :
       {Form::rect, Form::cross, Form::ellipse, Form::disc, Form::midpoint_disc, Form::diamond, Form::line})
    for (int width = 1; width <= 12; ++width)
      for (int height = 1; height <= 12; ++height) {
        MorphologyParams params = params_of(Operation::erode, form, width, height);
        params.angle = 70.0f;
        auto element = Morphology::element(params);
        EXPECT_EQ(element.origin_x, width / 2);
        EXPECT_EQ(element.origin_y, height / 2);
        params.origin_x = width;
        EXPECT_THROW((void)Morphology::element(params), UsageError);
        EXPECT_NE(params.problem(), "");
      }
}

TEST(MorphologyElement, ShippedOnesAreTheForms) {
  for (const auto& [form, name] : {std::pair{Form::rect, "rect"}, {Form::cross, "cross"}, {Form::ellipse, "ellipse"}})
    for (const int size : {3, 5, 7, 9, 11}) {
      MorphologyParams file;
      file.shape = Form::file;
      file.element =
          source_dir() + "/assets/elements/" + name + "_" + std::to_string(size) + "x" + std::to_string(size) + ".pgm";
      EXPECT_EQ(rows_of(Morphology::element(file)),
                rows_of(Morphology::element(params_of(Operation::erode, form, size, size))));
    }
}

// ---- Operations

TEST(Morphology, OnePixelBecomesTheElementAndItsReflection) {
  std::vector<int> black(15 * 11, 0);
  black[5 * 15 + 7] = 200;
  const auto dot = grey_image(15, 11, black), hole = map(dot, [](int v) { return 255 - v; });
  for (const MorphologyParams& params : some_elements()) {
    if (params.width > 9 || params.height > 5) continue;
    const auto element = Morphology::element(params);
    const auto dilated = apply(with(params, Operation::dilate), dot), eroded = apply(params, hole);
    for (int y = 0; y < 11; ++y)
      for (int x = 0; x < 15; ++x) {
        const auto inside = [&](int dx, int dy) {
          const int ex = dx + element.origin_x, ey = dy + element.origin_y;
          return ex >= 0 && ey >= 0 && ex < element.width && ey < element.height && element.part[element.index(ex, ey)];
        };
        // A dilation turns a dot into the element; an erosion turns a hole into the element's reflection.
        ASSERT_EQ(at(dilated, x, y), inside(x - 7, y - 5) ? 200 : 0);
        ASSERT_EQ(at(eroded, x, y), inside(7 - x, 5 - y) ? 55 : 255);
      }
  }
}

TEST(Morphology, Laws) {
  const auto image = random_image<std::uint8_t>(41, 29, 5);
  const auto above = map(image, [](int v) { return std::min(255, v + v % 3); });
  const auto complement = [](int v) { return 255 - v; };
  for (MorphologyParams params : some_elements())
    for (const Border border : {Border::zero, Border::wrap}) {
      params.border = border;
      const auto opened = apply(with(params, Operation::open), image);
      const auto closed = apply(with(params, Operation::close), image);
      EXPECT_EQ(difference(opened, apply(with(params, Operation::open), opened)), "");
      EXPECT_EQ(difference(closed, apply(with(params, Operation::close), closed)), "");
      EXPECT_TRUE(everywhere(opened, image, std::less_equal{}));
      EXPECT_TRUE(everywhere(image, closed, std::less_equal{}));
      for (const Operation operation : {Operation::erode, Operation::dilate, Operation::open, Operation::close})
        EXPECT_TRUE(everywhere(apply(with(params, operation), image), apply(with(params, operation), above),
                               std::less_equal{}));
      // An erosion by the element is a dilation of the complement by the reflected element.
      if (params.shape == Form::line || params.origin_x >= 0) continue;
      MorphologyParams reflected = with(params, Operation::dilate);
      // Elements with odd sides are their own reflection.
      if (params.width % 2 == 0 || params.height % 2 == 0) continue;
      EXPECT_EQ(difference(map(apply(params, image), complement), apply(reflected, map(image, complement))), "");
    }
}

TEST(Morphology, DifferencesOfOtherOperations) {
  const auto image = random_image<std::uint8_t>(50, 31, 6);
  for (const MorphologyParams& params :
       {params_of(Operation::gradient, Form::ellipse, 7, 5), params_of(Operation::gradient, Form::rect, 4, 3)}) {
    const auto eroded = apply(with(params, Operation::erode), image),
               dilated = apply(with(params, Operation::dilate), image);
    const auto opened = apply(with(params, Operation::open), image),
               closed = apply(with(params, Operation::close), image);
    const auto gradient = apply(params, image), top = apply(with(params, Operation::tophat), image),
               bottom = apply(with(params, Operation::blackhat), image);
    for (int y = 0; y < 31; ++y)
      for (int x = 0; x < 50; ++x) {
        ASSERT_EQ(at(gradient, x, y), at(dilated, x, y) - at(eroded, x, y));
        ASSERT_EQ(at(top, x, y), at(image, x, y) - at(opened, x, y));
        ASSERT_EQ(at(bottom, x, y), at(closed, x, y) - at(image, x, y));
      }
  }
}

TEST(Morphology, ThresholdsCommute) {
  const auto image = random_image<std::uint8_t>(33, 21, 7);
  const MorphologyParams params = params_of(Operation::open, Form::disc, 6, 5);
  const auto opened = apply(params, image);
  for (const int level : {1, 60, 128, 200, 255}) {
    const auto cut = [&](int v) { return v >= level ? 255 : 0; };
    EXPECT_EQ(difference(map(opened, cut), apply(params, map(image, cut))), "");
  }
}

TEST(Morphology, IterationsAreRepetitions) {
  const auto image = random_image<Rgba8>(61, 40, 8);
  for (MorphologyParams params : some_elements())
    for (const Border border : {Border::zero, Border::mirror})
      for (const Operation operation : {Operation::erode, Operation::dilate}) {
        params.border = border;
        params.operation = operation;
        params.iterations = 1;
        const auto once = apply(params, image), twice = apply(params, once), thrice = apply(params, twice);
        params.iterations = 3;
        ASSERT_EQ(difference(thrice, apply(params, image)), "");
      }
}

TEST(Morphology, LargeElements) {
  for (const Form form : {Form::rect, Form::ellipse, Form::diamond, Form::line})
    for (const auto& [width, height] : {std::pair{255, 2}, {40, 45}, {3, 70}}) {
      MorphologyParams params = params_of(Operation::open, form, width, height);
      params.angle = 20.0f;
      for (const Border border : {Border::zero, Border::reflect}) {
        params.border = border;
        (void)apply(params, random_image<std::uint8_t>(260, 71, 4));
      }
    }
}

TEST(Morphology, LongRowsOfWidePixels) {
  for (const int width : {16, 17, 18, 19, 101})
    for (const int height : {8, 9, 14, 40}) {  // Heights of 9 and more use max_of_transposed().
      const MorphologyParams params = params_of(Operation::close, Form::rect, width, height);
      (void)apply(params, random_image<Rgba8>(131, 83, 21));
      (void)apply(params, random_image<float>(131, 83, 22));
    }
}

TEST(Morphology, TypesAndAlpha) {
  const auto check = []<class Pixel>(Pixel) {
    const auto image = random_image<Pixel>(37, 23, 10);
    for (const Operation operation : {Operation::close, Operation::gradient, Operation::open_reconstruct})
      for (const bool flat : {true, false}) {
        MorphologyParams params = params_of(operation, Form::disc, 5, 4);
        params.flat = flat;
        const auto result = apply(params, image);
        if constexpr (std::is_class_v<Pixel>) {
          for (int y = 0; y < 23; ++y)
            for (int x = 0; x < 37; ++x)
              ASSERT_EQ(result.template image<Pixel>()(x, y).a, image.template image<Pixel>()(x, y).a);
        }
      }
  };
  check(Rgba8{});
  check(std::uint16_t{});
  check(Rgba16{});
}

TEST(Morphology, FloatsAreOrderedToTheBit) {
  HostArray image(Shape::image(Element::f32, 1, 4, 1));
  float* row = image.image<float>().row(0);
  row[0] = 0.0f;
  row[1] = -0.0f;
  row[2] = 3.5f;
  row[3] = -2.0f;
  const auto low = apply(params_of(Operation::erode, Form::rect, 3, 1), image);
  const auto high = apply(params_of(Operation::dilate, Form::rect, 3, 1), image);
  EXPECT_TRUE(std::signbit(low.image<float>()(0, 0)));
  EXPECT_FALSE(std::signbit(high.image<float>()(0, 0)));
  EXPECT_EQ(high.image<float>()(3, 0), 3.5f);
}

TEST(Morphology, AHoleOfNaNsComesBackAsItWas) {
  for (const float nan : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN()}) {
    HostArray image(Shape::image(Element::f32, 1, 12, 10));
    for (int y = 0; y < 10; ++y)
      for (int x = 0; x < 12; ++x)
        image.image<float>()(x, y) = x >= 3 && x < 8 && y >= 2 && y < 7 ? nan : 0.5f;
    const auto holes = [](const HostArray& in) {
      int count = 0;
      for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 12; ++x) {
          const float value = in.image<float>()(x, y);
          count += std::isnan(value) ? 1 : 0;
          EXPECT_TRUE(std::isnan(value) || value == 0.5f) << value << " at " << x << ", " << y;
        }
      return count;
    };
    const auto holes_after = [&](Operation operation) {
      return holes(apply(params_of(operation, Form::rect, 3, 3), image));
    };
    const bool sign = std::signbit(nan);
    EXPECT_EQ(holes_after(Operation::erode), sign ? 7 * 7 : 3 * 3) << "a window of NaNs alone gives a NaN";
    EXPECT_EQ(holes_after(Operation::dilate), sign ? 3 * 3 : 7 * 7);
    EXPECT_EQ(difference(apply(params_of(Operation::open, Form::rect, 3, 3), image), image), "");
    EXPECT_EQ(difference(apply(params_of(Operation::close, Form::rect, 3, 3), image), image), "");
  }
}

TEST(Morphology, NaNsAreOrderedInEveryVariant) {
  HostArray image = make_synthetic(InputPattern::noise, Shape::image(Element::f32, 1, 67, 41), 5);
  for (int i = 0; i < 67 * 41; i += 13)
    image.image<float>()(i % 67, i / 67) =
        i % 2 == 0 ? std::numeric_limits<float>::quiet_NaN() : -std::numeric_limits<float>::quiet_NaN();
  for (MorphologyParams params : some_elements())
    for (const bool flat : {true, false})
      for (const Operation operation : {Operation::erode, Operation::dilate, Operation::close}) {
        params.operation = operation;
        params.flat = flat;
        params.peak = 40.0f;
        (void)apply(params, image);
      }
}

TEST(Morphology, LevelsOfADome) {
  MorphologyParams params = params_of(Operation::dilate, Form::rect, 3, 3);
  params.flat = false;
  params.peak = 40.0f;
  std::vector<int> dot(25, 0);
  dot[12] = 100;
  const auto dilated = apply(params, grey_image(5, 5, dot));
  EXPECT_EQ(at(dilated, 2, 2), 140);
  EXPECT_EQ(at(dilated, 1, 2), 120);
  EXPECT_EQ(at(dilated, 1, 1), 100);
  EXPECT_EQ(at(dilated, 0, 0), 40);
  const auto saturated = apply(params, grey_image(5, 5, std::vector<int>(25, 250)));
  EXPECT_EQ(at(saturated, 2, 2), 255);
}

TEST(Morphology, AnErosionAddsLevelsAsEquation25Does) {
  MorphologyParams params = params_of(Operation::erode, Form::file, 3, 1);
  params.element = "3x1:20--0A";  // Levels 32 and 10 beside the origin, which is no part of the element.
  params.flat = false;
  const std::vector<int> row{10, 200, 40, 90, 250};
  const auto expect_row = [&](const std::vector<int>& expected) {
    const auto eroded = apply(params, grey_image(5, 1, row));
    for (int x = 0; x < 5; ++x)
      EXPECT_EQ(at(eroded, x, 0), expected[static_cast<std::size_t>(x)]) << x;
  };
  // min(left - 32, right - 10), and min(left + 32, right + 10) after equation 25, whatever lies outside left out.
  expect_row({190, 0, 80, 8, 58});
  params.erosion = Morphology::ErosionSign::add;
  expect_row({210, 42, 100, 72, 122});
  params.operation = Operation::dilate;  // Equation 26 adds in any case.
  expect_row({232, 72, 210, 255, 100});
}

TEST(Morphology, HitOrMissFindsTheElement) {
  std::vector<int> values(20 * 12, 0);
  const auto cross = [&](int x, int y) {
    for (const auto& [dx, dy] : {std::pair{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}})
      values[static_cast<std::size_t>((y + dy) * 20 + x + dx)] = 255;
  };
  cross(4, 4);
  cross(14, 6);
  values[5 * 20 + 13] = 255;  // An additional corner, so that the second cross does not match.
  const auto found = apply(params_of(Operation::hitmiss, Form::cross, 3, 3), grey_image(20, 12, values));
  for (int y = 0; y < 12; ++y)
    for (int x = 0; x < 20; ++x)
      ASSERT_EQ(at(found, x, y), x == 4 && y == 4 ? 255 : 0);
}

// ---- Stored cases

nlohmann::json stored() {
  std::ifstream file(test_dir() + "/data/morphology.json");
  if (!file) throw std::runtime_error("tests/data/morphology.json is missing");
  return nlohmann::json::parse(file);
}

class MorphologyFiles : public TestFolder {
 protected:
  std::string element_file(int width, int height, const std::vector<int>& values) {
    const auto file = path("element.pgm");
    io::save_picture(file, grey_image(width, height, values).view(), io::FileColour::grey);
    return file.string();
  }
};

TEST_F(MorphologyFiles, SciPy) {
  const auto file = stored();
  for (const auto& one : file.at("grey")) {
    SCOPED_TRACE(one.dump().substr(0, 200));
    MorphologyParams params;
    const auto name_index = [](const auto& names, const std::string& name) {
      return static_cast<int>(std::ranges::find(names, name) - names.begin());
    };
    params.operation = static_cast<Operation>(name_index(Morphology::operation_names, one["operation"]));
    params.border = static_cast<Border>(name_index(Morphology::outside_names, one["border"]));
    params.shape = Form::file;
    params.flat = one["flat"];
    params.element = element_file(one["element_width"], one["element_height"], one["element"]);
    params.origin_x = one["origin_x"];
    params.origin_y = one["origin_y"];
    const auto result = apply(params, grey_image(one["width"], one["height"], one["input"]));
    EXPECT_EQ(difference(result, grey_image(one["width"], one["height"], one["output"])), "");
  }
}

TEST_F(MorphologyFiles, ReconstructionOfScikitImage) {
  const auto file = stored();
  for (const auto& one : file.at("reconstruct")) {
    const int size = one["size"];
    const auto result = apply(params_of(Operation::open_reconstruct, Form::rect, size, size),
                              grey_image(one["width"], one["height"], one["input"]));
    EXPECT_EQ(difference(result, grey_image(one["width"], one["height"], one["output"])), "");
  }
}

TEST_F(MorphologyFiles, ElementsOfOpenCv) {
  const auto file = stored();
  for (const auto& one : file.at("elements")) {
    SCOPED_TRACE(one.dump());
    const std::string shape = one["shape"];
    const Form form = shape == "rect" ? Form::rect : shape == "cross" ? Form::cross : Form::ellipse;
    const std::vector<std::string> rows = one["rows"];
    EXPECT_EQ(rows_of(Morphology::element(params_of(Operation::erode, form, one["width"], one["height"]))), rows);
  }
}

// ---- Bad input

/// Message of the error that f() throws.
template <class E>
std::string error_of(const auto& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  return "no error";
}
TEST_F(MorphologyFiles, BadInput) {
  const Shape small = Shape::image(Element::u8, 1, 8, 6);
  const auto shape_of = [&](const MorphologyParams& params) {
    return [=] { (void)Morphology::output_shape(params, small); };
  };
  EXPECT_EQ(error_of<UsageError>(shape_of(params_of(Operation::erode, Form::rect, 9, 7))), "no error");

  MorphologyParams file;
  file.shape = Form::file;
  EXPECT_NE(file.problem(), "");
  file.element = path("missing.png").string();
  EXPECT_NE(error_of<EnvironmentError>(shape_of(file)).find("missing.png"), std::string::npos);
  std::ofstream(path("broken.png")) << "no picture";
  file.element = path("broken.png").string();
  EXPECT_NE(error_of<EnvironmentError>(shape_of(file)).find("broken.png"), std::string::npos);
  file.element = element_file(3, 3, std::vector<int>(9, 0));
  EXPECT_NE(error_of<UsageError>(shape_of(file)).find("no pixel"), std::string::npos);
  file.element = element_file(256, 1, std::vector<int>(256, 255));
  EXPECT_NE(error_of<UsageError>(shape_of(file)).find("256x1"), std::string::npos);

  const auto grey = grey_image(3, 3, {0, 255, 0, 0, 7, 0, 0, 0, 0});
  const MorphologyParams hit = params_of(Operation::hitmiss, Form::rect, 3, 3);
  EXPECT_NE(error_of<UsageError>([&] { Morphology::check_input(hit, grey.view()); }).find("x 1, y 1 is 7"),
            std::string::npos);
  EXPECT_EQ(error_of<UsageError>([&] { Morphology::check_input(with(hit, Operation::open), grey.view()); }),
            "no error");
  EXPECT_THROW((void)Morphology::output_shape({}, Shape::image(Element::f64, 1, 8, 8)), UsageError);
}

TEST(Morphology, SizeIsWidthAndHeight) {
  ParamBox box = ParamBox::of(MorphologyParams{});
  box.assign("size", "7");
  EXPECT_EQ(box.as<MorphologyParams>().width, 7);
  EXPECT_EQ(box.as<MorphologyParams>().height, 7);
  box.assign("width", "9");
  EXPECT_EQ(box.as<MorphologyParams>().size, 9);
  EXPECT_EQ(box.as<MorphologyParams>().height, 7);
}

TEST(Morphology, EverySimdTarget) {
  const auto image = random_image<Rgba8>(150, 70, 12);
  for (const Form form : {Form::rect, Form::ellipse})
    for (const auto& [width, height] : {std::pair{11, 9}, {5, 5}, {23, 19}}) {
      const MorphologyParams params = params_of(Operation::open, form, width, height);
      const auto expected = apply(Backend::serial, params, image);
      for_each_simd_target([&] { EXPECT_EQ(difference(expected, apply(Backend::openmp, params, image, 2)), ""); });
    }
}

}  // namespace
}  // namespace threadscape::testing
