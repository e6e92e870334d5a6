// Seam carving with masks, maps and approximate passes, and every backend, variant and number of threads against
// serial.

#include "compute/algorithms/seams/seam_carving/seam_carving_host.h"
#include "compute/core/synthetic.h"
#include "compute/io/pictures/image_file.h"
#include "tests/support/compute/host_backends.h"
#include "tests/support/compute/seam_carving_testing.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::testing {
namespace {

using Output = SeamCarving::Output;

class SeamCarvingFiles : public TestFolder {
 protected:
  /// Saves a mask that is white where `inside(x, y)`.
  template <class F>
  std::string mask(const std::string& name, int width, int height, const F& inside) {
    HostArray picture(Shape::image(Element::u8, 1, width, height));
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        picture.image<std::uint8_t>()(x, y) = inside(x, y) ? 255 : 0;
    return save(name, picture);
  }
  std::string save(const std::string& name, const HostArray& picture) {
    io::save_picture(path(name), picture.view(), io::FileColour::grey);
    return path(name).string();
  }
};

bool in_box(int x, int y) {
  return x >= 12 && x < 20 && y >= 5 && y < 18;
}

TEST_F(SeamCarvingFiles, ProtectedPixelsStay) {
  // A uniform box in noise has the lowest energy: without the mask its pixels would be removed first.
  HostArray in = random_image<Rgba8>(40, 24, 3);
  for (int y = 0; y < 24; ++y)
    for (int x = 0; x < 40; ++x)
      if (in_box(x, y)) in.image<Rgba8>()(x, y) = {90, 90, 90, 255};
  CarvingParams params;
  params.seams = 30;
  params.output = Output::order;
  const auto taken_in_box = [&](Backend backend) {
    const HostArray order = carved(params, in, backend);
    int taken = 0;
    for (int y = 0; y < 24; ++y)
      for (int x = 0; x < 40; ++x)
        taken += in_box(x, y) && order.image<std::uint16_t>()(x, y) != 0;
    return taken;
  };
  EXPECT_GT(taken_in_box(Backend::serial), 50);
  params.protect = mask("protect.png", 40, 24, in_box);
  for (const Backend backend : host_backends)
    for (const auto energy : {SeamCarving::Energy::gradient, SeamCarving::Energy::forward}) {
      params.energy = energy;
      EXPECT_EQ(taken_in_box(backend), 0);
    }
}

TEST_F(SeamCarvingFiles, RemovalAreasVanishFirst) {
  const HostArray in = random_image<std::uint8_t>(40, 24, 4);
  CarvingParams params;
  params.remove = mask("remove.png", 40, 24, in_box);
  // The box is narrower than high, so as many columns are removed as it is wide, and with them the whole box.
  EXPECT_EQ(SeamCarving::output_shape(params, in.shape()), Shape::image(Element::u8, 1, 32, 24));
  params.output = Output::order;
  for (const Backend backend : host_backends) {
    const HostArray order = carved(params, in, backend);
    for (int y = 0; y < 24; ++y)
      for (int x = 0; x < 40; ++x)
        EXPECT_TRUE(!in_box(x, y) || order.image<std::uint16_t>()(x, y) != 0) << x << " " << y;
  }
  params.output = Output::picture;
  params.restore_size = true;
  for (const Backend backend : host_backends)
    EXPECT_EQ(carved(params, in, backend).shape(), in.shape());
  params.remove = mask("flat.png", 40, 24, [](int x, int y) { return y == 3 && x < 30; });
  params.restore_size = false;
  EXPECT_EQ(SeamCarving::output_shape(params, in.shape()), Shape::image(Element::u8, 1, 40, 23)) << "one row";
}

TEST_F(SeamCarvingFiles, ProtectionGoesBeforeRemoval) {
  const HostArray in = random_image<std::uint8_t>(20, 9, 4);
  CarvingParams params;
  params.remove = mask("remove.png", 20, 9, [](int x, int) { return x < 10; });
  params.protect = mask("protect.png", 20, 9, [](int x, int) { return x >= 3 && x < 20; });
  params.seams = 3;
  params.output = Output::order;
  for (const Backend backend : host_backends) {
    const HostArray order = carved(params, in, backend);
    for (int y = 0; y < 9; ++y)
      for (int x = 0; x < 20; ++x)
        EXPECT_EQ(order.image<std::uint16_t>()(x, y) != 0, x < 3);
  }
}

TEST_F(SeamCarvingFiles, AMapGivesEveryWidth) {
  const HostArray in = random_image<Rgba8>(30, 16, 5);
  CarvingParams params;
  params.seams = 29;
  params.output = Output::order;
  const std::string file = save("map.png", carved(params, in));
  params.output = Output::picture;
  CarvingParams by_map;
  by_map.map = file;
  for (int width = 1; width < 30; ++width) {
    params.seams = 30 - width;
    by_map.width = width;
    for (const Backend backend : host_backends)
      EXPECT_EQ(difference(carved(by_map, in, backend), carved(params, in)), "") << width;
  }
  // Enlarging by up to half of the width is one pass, so the map contains its seams as well.
  CarvingParams wider;
  wider.width = by_map.width = 45;
  EXPECT_EQ(difference(carved(by_map, in), carved(wider, in)), "");
  by_map.output = Output::order;
  by_map.width = 28;
  params.seams = 2;
  params.output = Output::order;
  EXPECT_EQ(difference(carved(by_map, in), carved(params, in)), "");
}

TEST_F(SeamCarvingFiles, AMapOfRowsGivesEveryHeight) {
  const HostArray in = random_image<std::uint16_t>(13, 18, 5);
  CarvingParams params;
  params.height = 4;
  params.output = Output::order;
  CarvingParams by_map;
  by_map.map = save("map.png", carved(params, in));
  params.output = Output::picture;
  params.height = by_map.height = 9;
  for (const Backend backend : host_backends)
    EXPECT_EQ(difference(carved(by_map, in, backend), carved(params, in)), "");
}

TEST_F(SeamCarvingFiles, EnlargedThenShrunkByTheSameSeamsIsTheOriginal) {
  const HostArray in = random_image<Rgba8>(26, 14, 6);
  CarvingParams params;
  params.width = 38;
  const HostArray wide = carved(params, in);
  params.output = Output::order;
  const HostArray order = carved(params, in);
  // The map of the enlarged picture marks the pixel after each pixel of a seam.
  HostArray map(Shape::image(Element::u16, 1, 38, 14));
  for (int y = 0; y < 14; ++y)
    for (int x = 0, to = 0; x < 26; ++x) {
      const std::uint16_t number = order.image<std::uint16_t>()(x, y);
      map.image<std::uint16_t>()(to++, y) = 0;
      if (number != 0) map.image<std::uint16_t>()(to++, y) = number;
    }
  CarvingParams back;
  back.width = 26;
  back.map = save("back.png", map);
  for (const Backend backend : host_backends)
    EXPECT_EQ(difference(carved(back, wide, backend), in), "");
}

TEST_F(SeamCarvingFiles, RefusesFilesThatDoNotFit) {
  const HostArray in = random_image<std::uint8_t>(20, 10, 1);
  const auto message = [&](const auto& change) -> std::string {
    CarvingParams params;
    params.width = 18;
    change(params);
    try {
      (void)carved(params, in);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::string small = mask("small.png", 19, 10, in_box), noise = save("noise.png", in);
  EXPECT_NE(message([&](auto& p) { p.protect = small; }).find("`protect` has 19x10 pixels, the picture 20x10"),
            std::string::npos);
  EXPECT_NE(message([&](auto& p) { p.remove = small; }).find("`remove` has"), std::string::npos);
  EXPECT_NE(message([&](auto& p) { p.map = noise; }).find("is no map"), std::string::npos);
  EXPECT_NE(message([&](auto& p) { p.protect = path("absent.png").string(); }).find("absent.png"), std::string::npos);
  CarvingParams order;
  order.seams = 3;
  order.output = Output::order;
  const std::string map = save("map.png", carved(order, in));
  EXPECT_EQ(message([&](auto& p) { p.map = map; }), "");
  EXPECT_NE(message([&](auto& p) { p.map = map, p.width = 16; }).find("has 3 columns as seams, 4"), std::string::npos);
  EXPECT_NE(message([&](auto& p) { p.map = map, p.height = 9; }).find("not both"), std::string::npos);
  EXPECT_NE(message([&](auto& p) { p.map = map, p.restore_size = true; }).find("without"), std::string::npos);
}

TEST(SeamCarvingApproximate, StripsLoseOneColumnEach) {
  const HostArray in = random_image<std::uint8_t>(50, 20, 11);
  CarvingParams params;
  params.seams = 5;
  params.seams_per_pass = 5;
  params.output = Output::order;
  for (const Backend backend : host_backends) {
    const HostArray order = carved(params, in, backend);
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 50; ++x) {
        const int number = order.image<std::uint16_t>()(x, y);
        EXPECT_TRUE(number == 0 || number == x / 10 + 1);
      }
  }
  params.output = Output::picture;
  const std::string report = SeamCarving::report(params, in.view(), {});
  EXPECT_NE(report.find("% more"), std::string::npos) << report;
  CarvingParams exact = params;
  exact.seams_per_pass = 1;
  EXPECT_EQ(SeamCarving::report(exact, in.view(), {}), "");
  EXPECT_GT(seam_carving::carving_cost(params, in.view(), 1).energy,
            seam_carving::carving_cost(exact, in.view(), 1).energy);
}

/// Combinations that the sweep of one parameter at a time leaves out: masks, both sides, passes of several seams, and
/// pictures so large that several threads and several tiles of the GPU take part.
TEST_F(SeamCarvingFiles, AllBackendsAgree) {
  const int width = 1100, height = 150;
  const HostArray large = make_synthetic(InputPattern::photo, Shape::image(Element::u8, 4, width, height), 1);
  const HostArray small = make_synthetic(InputPattern::photo, Shape::image(Element::u16, 1, 90, 70), 2);
  const auto band = [](int x, int y) { return (x / 40 + y / 30) % 3 == 0; };
  const auto spot = [](int x, int y) { return x > 30 && x < 45 && y > 20 && y < 60; };
  const std::string large_mask = mask("large.png", width, height, spot), protect = mask("protect.png", 90, 70, band),
                    remove = mask("remove.png", 90, 70, spot);
  struct Case {
    const HostArray* in;
    CarvingParams params;
  };
  std::vector<Case> cases;
  const auto add = [&](const HostArray& in, const auto& change) {
    for (const auto energy : {SeamCarving::Energy::gradient, SeamCarving::Energy::forward}) {
      CarvingParams params;
      params.energy = energy;
      change(params);
      cases.push_back({&in, params});
    }
  };
  add(large, [](auto& p) { p.seams = 6; });
  add(large, [](auto& p) { p.seams = 7, p.seams_per_pass = 3, p.output = Output::order; });
  add(large, [](auto& p) { p.height = 148, p.path = SeamCarving::Path::greedy; });
  add(large, [&](auto& p) { p.seams = 5, p.remove = large_mask, p.output = Output::order; });
  add(small, [&](auto& p) { p.protect = protect, p.remove = remove, p.restore_size = true; });
  add(small, [&](auto& p) { p.protect = protect, p.width = 70, p.height = 75, p.seams_per_pass = 8; });
  add(small, [&](auto& p) {
    p.remove = remove, p.width = 82, p.height = 66, p.order = SeamCarving::Order::alternate, p.output = Output::order;
  });
  const auto optimal = [](auto& p) { p.width = 86, p.height = 67, p.order = SeamCarving::Order::optimal; };
  add(small, optimal);
  add(small, [&](auto& p) { optimal(p), p.height = 64, p.seams_per_pass = 3, p.restore_size = true; });
  add(small, [&](auto& p) { optimal(p), p.seams_per_pass = 2, p.output = Output::energy; });
  add(small, [](auto& p) { p.width = 300, p.path = SeamCarving::Path::greedy, p.seams_per_pass = 2; });
  add(small, [&](auto& p) { p.width = 80, p.height = 66, p.protect = protect, p.output = Output::cost; });
  const auto from_bottom = [](auto& p) { p.path = SeamCarving::Path::greedy, p.start = SeamCarving::Start::bottom; };
  add(large, [&](auto& p) { from_bottom(p), p.seams = 6; });
  add(small, [&](auto& p) { from_bottom(p), p.remove = remove, p.seams_per_pass = 3, p.output = Output::order; });
  add(large, [&](auto& p) { p.seams = 3, p.remove = large_mask, p.output = Output::candidates; });
  add(small, [&](auto& p) { from_bottom(p), p.height = 66, p.protect = protect, p.output = Output::candidates; });
  add(small, [](auto& p) { p.height = 66, p.output = Output::grey; });
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& [in, params] = cases[i];
    const HostArray expected = carved(params, *in);
    for (const int variant : {0, 1}) {
      for (const int threads : {1, 2, 3})
        EXPECT_EQ(difference(carved(params, *in, Backend::openmp, variant, threads), expected), "")
            << "case " << i << " variant " << variant << " threads " << threads;
    }
    if (!gpu::devices().first().available()) continue;
    for (int variant = 0; variant < static_cast<int>(SeamCarving::cuda_variants.size()); ++variant)
      for (const int parts_at_once : {0, 1, 2})
        EXPECT_EQ(difference(carved(params, *in, Backend::cuda, variant, 1, parts_at_once), expected), "")
            << "case " << i << " CUDA variant " << variant << " parts at once " << parts_at_once;
  }
}

TEST(SeamCarvingSimd, AllInstructionSetsAgree) {
  const HostArray in = random_image<Rgba8>(75, 20, 9);
  CarvingParams params;
  params.seams = 40;
  for (const auto energy : {SeamCarving::Energy::gradient, SeamCarving::Energy::sobel, SeamCarving::Energy::forward}) {
    params.energy = energy;
    const HostArray expected = carved(params, in);
    for_each_simd_target([&] { EXPECT_EQ(difference(carved(params, in, Backend::openmp), expected), ""); });
  }
}

TEST(SeamCarvingRun, LongSearchesThatTryNumbersOfThreadsKeepTheirResult) {
  const HostArray in = random_image<std::uint8_t>(600, 220, 4);
  CarvingParams params;
  params.seams = 70;  // Pieces of eight seams on eight, four, two threads and one, and what is left.
  for (const auto energy : {SeamCarving::Energy::gradient, SeamCarving::Energy::forward}) {
    params.energy = energy;
    const HostArray expected = carved(params, in);
    for (const int threads : {2, 8})
      EXPECT_EQ(difference(carved(params, in, Backend::openmp, 0, threads), expected), "") << threads << " threads";
  }
}

TEST(SeamCarvingRun, StopsAndReportsProgress) {
  const HostArray in = random_image<std::uint8_t>(60, 20, 2);
  ParamBox params = find_algorithm("seam_carving").defaults();
  params.assign("seams", "20");
  Runner runner;
  for (const Backend backend : host_backends) {
    const RunRequest request{.algorithm = &find_algorithm("seam_carving"), .params = params, .backend = backend};
    Progress progress;
    (void)runner.run(request, in.view(), {}, &progress);
    EXPECT_EQ(progress.done(), 1.0);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW((void)runner.run(request, in.view(), stop.get_token(), nullptr), Cancelled);
  }
}

}  // namespace
}  // namespace threadscape::testing
