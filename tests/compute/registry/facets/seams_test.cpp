// What compute/registry/facets/seams.h promises, for every algorithm that changes the size of pictures seam by seam.

#include "compute/registry/facets/seams.h"

#include <gtest/gtest.h>

#include <array>

#include "compute/registry/diagram.h"
#include "tests/support/compute/facet_testing.h"

namespace threadscape::testing {
namespace {

struct Size {
  std::int64_t width = 0, height = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

/// The size of a picture after the first `steps` seams of these runs.
Size size_after(Size size, const std::vector<SeamRun>& runs, int steps) {
  for (const SeamRun& run : runs) {
    const int seams = std::min(run.seams, steps);
    (run.of_rows ? size.height : size.width) += run.enlarges ? seams : -seams;
    steps -= seams;
  }
  return size;
}

int seams_of(const std::vector<SeamRun>& runs) {
  int seams = 0;
  for (const SeamRun& run : runs)
    seams += run.seams;
  return seams;
}

/// Settings with other sizes than the 24 x 17 pixels of the input, with every order and path.
std::vector<ParamBox> seam_settings_of(const AlgorithmInfo& info) {
  std::vector<ParamBox> settings;
  for (const char* size : {"21 17", "24 14", "21 14", "17 17", "30 17", "24 20"})
    for (const char* order : {"columns", "alternate", "optimal"})
      for (const char* path : {"dp", "greedy"}) {
        ParamBox params = info.defaults();
        const std::string text = size;
        params.assign("width", text.substr(0, 2));
        params.assign("height", text.substr(3));
        params.assign("order", order);
        params.assign("path", path);
        if (params.problem().empty()) settings.push_back(params);
      }
  return settings;
}

/// Calls check(info, facet, params, input, diagram, runs) for every setting with seams; `runs` are those of the map
/// where only the map tells them.
template <class Check>
void for_each_diagram(const Check& check) {
  int checked = 0;
  for (const AlgorithmInfo& info : algorithms()) {
    const std::optional<SeamsFacet>& facet = diagrams_of(info).seams;
    if (!facet) continue;
    for (const ParamBox& params : seam_settings_of(info)) {
      SCOPED_TRACE(std::string(info.name) + " " + to_json(params));
      const std::optional<HostArray> made = suitable_input(info, params);
      if (!made) continue;
      const HostArray& input = *made;
      const std::optional<SeamDiagram> diagram = facet->diagram(params, input.shape());
      ASSERT_TRUE(diagram);
      const HostArray map = run_serial(info, diagram->map, input);
      check(info, *facet, params, input, map,
            diagram->runs_in_map ? facet->runs_in(*diagram, map.view()) : diagram->runs);
      ++checked;
    }
  }
  EXPECT_GT(checked, 0);
}

TEST(SeamsFacet, RunsLeadFromTheSizeOfTheInputToThatOfTheResult) {
  for_each_diagram([](const AlgorithmInfo& info, const SeamsFacet&, const ParamBox& params, const HostArray& input,
                      const HostArray&, const std::vector<SeamRun>& runs) {
    const Shape result = info.output_shape(params, input.shape());
    EXPECT_EQ(size_after({input.shape().width, input.shape().height}, runs, seams_of(runs)),
              (Size{result.width, result.height}));
  });
}

TEST(SeamsFacet, TheMapNumbersThePixelsOfEverySeam) {
  for_each_diagram([](const AlgorithmInfo&, const SeamsFacet&, const ParamBox&, const HostArray& input,
                      const HostArray& map, const std::vector<SeamRun>& runs) {
    EXPECT_EQ(map.shape(), Shape::image(Element::u16, 1, static_cast<int>(input.shape().width),
                                        static_cast<int>(input.shape().height)));
    const int total = seams_of(runs);
    std::vector<std::int64_t> pixels(static_cast<std::size_t>(total) + 1);
    const ImageView<const std::uint16_t> numbers = map.image<std::uint16_t>();
    for (int y = 0; y < numbers.height; ++y)
      for (int x = 0; x < numbers.width; ++x) {
        ASSERT_LE(numbers(x, y), total);
        ++pixels[numbers(x, y)];
      }
    // A seam that is removed has a pixel in every row or column that the picture has at that time.
    int seam = 0;
    for (const SeamRun& run : runs)
      for (int i = 0; i < run.seams; ++i) {
        const Size size = size_after({numbers.width, numbers.height}, runs, seam);
        ++seam;
        if (!run.enlarges) {
          EXPECT_EQ(pixels[static_cast<std::size_t>(seam)], run.of_rows ? size.width : size.height) << seam;
        }
      }
  });
}

TEST(SeamsFacet, StatesAreThoseOfThePictureAtEachStep) {
  for_each_diagram([](const AlgorithmInfo& info, const SeamsFacet& facet, const ParamBox& params,
                      const HostArray& input, const HostArray&, const std::vector<SeamRun>& runs) {
    ParamBox unchanged = params;
    unchanged.assign("width", "0");
    unchanged.assign("height", "0");
    for (const SeamState state : {SeamState::grey, SeamState::energy, SeamState::cost, SeamState::candidates}) {
      // Costs accumulate in the direction of the last seams, and in a picture without seams downwards.
      if ((state == SeamState::cost || state == SeamState::candidates) && runs.back().of_rows) continue;
      // The state of the result, found from the result alone.
      const ParamBox of_result = facet.state(params, input.shape(), seams_of(runs), state);
      const HostArray picture = run_serial(info, params, input);
      const HostArray energy = run_serial(info, of_result, input);
      const int channels = state == SeamState::candidates ? 4 : 1;
      EXPECT_EQ(energy.shape(), Shape::image(Element::f32, channels, static_cast<int>(picture.shape().width),
                                             static_cast<int>(picture.shape().height)));
      const ParamBox before = facet.state(unchanged, picture.shape(), 0, state);
      EXPECT_EQ(difference_of(run_serial(info, before, picture), energy), "");
    }
  });
}

}  // namespace
}  // namespace threadscape::testing
