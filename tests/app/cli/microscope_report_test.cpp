// The counts of the microscope beside those of a GPU.

#include "app/cli/microscope_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/report/environment.h"
#include "compute/warp/gpu_models.h"

namespace threadscape::app {
namespace {

/// Two kernels, of which the GPU has counted the second.
MicroscopeReport report() {
  MicroscopeReport report;
  report.title = "sobel\n";
  report.gpu = &warp::gpu_model(90);
  for (const unsigned blocks : {8U, 16U}) {
    ObservedKernel& kernel = report.kernels.emplace_back();
    kernel.name = "edges<int>";
    kernel.grid = {.x = blocks, .y = 1, .z = 1};
    kernel.block = {.x = 32, .y = 4, .z = 1};
    kernel.study.launch.total.warp_instructions = 1000;
    kernel.study.launch.total.global_load_sectors = 64;
  }
  report.counters.kernels = {{.name = "edges",
                              .symbol = "_Z5edgesIiEvPT_",
                              .launches = 1,
                              .grid = {16, 1, 1},
                              .block = {32, 4, 1},
                              .counts = {{"warp_instructions", 1200}, {"active_lanes", 31.25}, {"l2_hit_rate", 52.5}},
                              .stalls = {{"barrier", 100}}}};
  return report;
}

TEST(MicroscopeReport, CountsOfAGpuStandInTheTableOfTheKernelWithThatGrid) {
  const std::string text = microscope_text(report(), false);
  const std::size_t second = text.find("grid 16x1x1");
  ASSERT_NE(second, std::string::npos);
  EXPECT_EQ(text.substr(0, second).find("GPU: "), std::string::npos) << text;
  const auto line_of = [&](const char* title) {
    const std::size_t begin = text.find(title, second);
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_TRUE(line_of("warp instructions").ends_with("GPU: 1200")) << text;
  EXPECT_TRUE(line_of("active lanes").ends_with("GPU: 31.25")) << text;
  EXPECT_TRUE(line_of("L2 hit rate").ends_with("GPU: 52.50 %")) << text;
  EXPECT_EQ(line_of("global load sectors").find("GPU"), std::string::npos) << text;
}

TEST(MicroscopeReport, JsonHasTheCountersOfTheGpu) {
  const Json kernels = Json::parse(microscope_json(report())).at("kernels");
  EXPECT_FALSE(kernels.at(0).contains("counters"));
  EXPECT_EQ(kernels.at(1).at("counters"),
            (Json{{"launches", 1},
                  {"counts", {{"active_lanes", 31.25}, {"l2_hit_rate", 52.5}, {"warp_instructions", 1200.0}}},
                  {"stalls", {{"barrier", 100.0}}}}));
}

}  // namespace
}  // namespace threadscape::app
