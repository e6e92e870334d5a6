// Tests of the scene of sequences: the values of the sorting network, the tree of each reduction kernel, the details of
// single values, and the statistics of each variant.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "app/platform/platform.h"
#include "app/scenes/bars/bars_scene.h"
#include "app/scenes/bars/diagrams.h"
#include "app/scenes/kernel_choice.h"
#include "app/scenes/scene_set.h"
#include "app/session/timing_book.h"
#include "app/ui/ui_context.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

ParamBox params_of(const AlgorithmInfo& algorithm, const std::vector<std::pair<std::string, std::string>>& sets) {
  ParamBox params = algorithm.defaults();
  for (const auto& [name, value] : sets)
    params.assign(name, value);
  return params;
}

TEST(Diagrams, ExistForTheRightAlgorithms) {
  EXPECT_EQ(diagrams_of(find_algorithm("sobel")).network, nullptr);
  EXPECT_EQ(diagrams_of(find_algorithm("sobel")).tree, nullptr);
  EXPECT_NE(diagrams_of(find_algorithm("sorting")).network, nullptr);
  EXPECT_NE(diagrams_of(find_algorithm("reduction")).tree, nullptr);
  EXPECT_NE(diagrams_of(find_algorithm("reduction")).note, nullptr);
  EXPECT_NE(diagrams_of(find_algorithm("memory_access")).access, nullptr);
}

/// The figures of the Best Practices Guide: a warp that reads neighbouring words needs four sectors of 32 bytes, one
/// that is misaligned five, and one with a stride of two twice as many; a stride of 32 words in shared memory takes as
/// many accesses as there are threads.
TEST(Diagrams, ReadsOfAWarpCostWhatTheGuideSays) {
  const AlgorithmInfo& algorithm = find_algorithm("memory_access");
  const auto reads = [&](const std::vector<std::pair<std::string, std::string>>& sets) {
    return diagrams_of(find_algorithm("memory_access")).access(params_of(algorithm, sets));
  };
  EXPECT_EQ(reads({{"pattern", "coalesced"}}).result, "4 sectors of 1 line: 128 bytes are fetched for 128");
  EXPECT_EQ(reads({{"pattern", "misaligned"}, {"offset", "1"}}).result,
            "5 sectors of 2 lines: 160 bytes are fetched for 128");
  EXPECT_EQ(reads({{"pattern", "misaligned"}, {"offset", "32"}}).turns, 1);
  EXPECT_EQ(reads({{"pattern", "strided"}, {"stride", "2"}}).result,
            "8 sectors of 2 lines: 256 bytes are fetched for 128");
  EXPECT_EQ(reads({{"pattern", "strided"}, {"stride", "32"}}).result,
            "32 sectors of 32 lines: 1024 bytes are fetched for 128");
  EXPECT_EQ(reads({{"pattern", "constant"}}).turns, 1);
  EXPECT_EQ(reads({{"pattern", "constant_apart"}}).turns, 32);
  EXPECT_EQ(reads({{"pattern", "shared"}}).turns, 1);
  for (const auto& [stride, turns] : {std::pair{1, 1}, {2, 2}, {3, 1}, {8, 8}, {31, 1}, {32, 32}})
    EXPECT_EQ(reads({{"pattern", "conflicts"}, {"stride", std::to_string(stride)}}).turns, turns) << stride;
  EXPECT_TRUE(reads({{"pattern", "registers"}}).words.empty());
  // Listings 4.1 and 4.2 of source document 002: structures of 8 bytes meet in every second bank, and the last ones of
  // 5 bytes in the banks of the first ones.
  EXPECT_EQ(reads({{"pattern", "struct_8"}}).turns, 2);
  EXPECT_EQ(reads({{"pattern", "struct_5"}}).turns, 2);
  for (const char* pattern : {"l1", "l2", "local"}) {
    EXPECT_EQ(reads({{"pattern", pattern}}).turns, 1) << pattern;
    EXPECT_NE(reads({{"pattern", pattern}}).result.find("4 sectors of 1 line"), std::string::npos) << pattern;
  }
}

/// The rules of chapters 4.1.2 and 4.2.1 of source document 002.
TEST(Diagrams, ReadsOfHalfWarpsCostWhatTheDocumentSays) {
  const AlgorithmInfo& algorithm = find_algorithm("memory_access");
  const auto reads = [&](const std::vector<std::pair<std::string, std::string>>& sets) {
    return diagrams_of(algorithm).access(params_of(algorithm, sets)).on_first_devices;
  };
  EXPECT_EQ(reads({{"pattern", "coalesced"}}),
            "Compute capability 1.0: 2 transactions; 1.2: 2 transactions of 128 bytes");
  EXPECT_EQ(reads({{"pattern", "misaligned"}, {"offset", "1"}}),
            "Compute capability 1.0: 32 transactions; 1.2: 3 transactions of 224 bytes");
  EXPECT_EQ(reads({{"pattern", "strided"}, {"stride", "32"}}),
            "Compute capability 1.0: 32 transactions; 1.2: 32 transactions of 1024 bytes");
  const auto accesses = [](int turns) {
    return "Compute capability 1.x: " + std::to_string(turns) +
           " accesses, by half warps to 16 banks; two without conflicts";
  };
  EXPECT_EQ(reads({{"pattern", "shared"}}), accesses(2));
  EXPECT_EQ(reads({{"pattern", "struct_8"}}), accesses(4));
  EXPECT_EQ(reads({{"pattern", "struct_5"}}), accesses(4));
  EXPECT_EQ(reads({{"pattern", "conflicts"}, {"stride", "16"}}), accesses(32));
  EXPECT_EQ(reads({{"pattern", "conflicts"}, {"stride", "3"}}), accesses(2));
  EXPECT_EQ(reads({{"pattern", "registers"}}), "");
}

/// The values that the diagram shows after every stage of the network equal those that the algorithm computes.
TEST(Diagrams, NetworkStagesEqualThoseOfTheAlgorithm) {
  const AlgorithmInfo& sorting = find_algorithm("sorting");
  Runner runner;
  for (const char* type : {"int32", "uint32", "float"})
    for (const int count : {2, 3, 16, 37, 64}) {
      const char* network_name = count == 37 ? "mirrored" : "alternating";
      const ParamBox params =
          params_of(sorting, {{"count", std::to_string(count)}, {"type", type}, {"network", network_name}});
      const HostArray input = sorting.own_input->make(params, 7);
      const auto network = diagrams_of(find_algorithm("sorting")).network(params, input.shape());
      ASSERT_TRUE(network);
      EXPECT_EQ(network->done, static_cast<int>(network->stages.size()));
      for (int stage = 1; stage <= network->done; ++stage) {
        ParamBox partly = params;
        partly.assign("stages", std::to_string(stage));
        HostArray result(sorting.output_shape(partly, input.shape()));
        runner.run_into({.algorithm = &sorting, .params = partly, .backend = Backend::serial}, input.view(),
                        result.view());
        EXPECT_EQ(after_stages(*network, values_of(input.view()).keys, stage), values_of(result.view()).keys)
            << type << " " << count << " stage " << stage;
      }
    }
}

TEST(Diagrams, LongSequencesHaveNoNetwork) {
  const AlgorithmInfo& sorting = find_algorithm("sorting");
  const ParamBox params = sorting.defaults();
  for (const std::int64_t count : {1, 65, 1 << 20})
    EXPECT_FALSE(
        diagrams_of(find_algorithm("sorting")).network(params, {Kind::sequence, Element::i32, 1, count, 1, 1}));
}

TEST(Diagrams, ComparisonsThatOverlapLieInDifferentLanes) {
  const AlgorithmInfo& sorting = find_algorithm("sorting");
  const auto network =
      diagrams_of(find_algorithm("sorting")).network(sorting.defaults(), {Kind::sequence, Element::i32, 1, 64, 1, 1});
  ASSERT_TRUE(network);
  for (const auto& stage : network->stages) {
    const std::vector<int> lanes = lanes_of(stage);
    ASSERT_EQ(lanes.size(), stage.exchanges.size());
    for (std::size_t a = 0; a < lanes.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const auto ends = [&](std::size_t i) {
          return std::minmax(stage.exchanges[i].lower, stage.exchanges[i].upper);
        };
        const bool overlap = ends(a).first <= ends(b).second && ends(b).first <= ends(a).second;
        EXPECT_FALSE(overlap && lanes[a] == lanes[b]) << stage.title;
      }
  }
}

/// Each kernel of the reduction shows the property that lectures on CUDA state for it: divergent warps, bank conflicts,
/// or steps without a barrier.
TEST(Diagrams, TreesShowDivergenceAndBankConflictsOfTheirKernels) {
  const AlgorithmInfo& reduction = find_algorithm("reduction");
  const ParamBox params = params_of(reduction, {{"operator", "min"}});  // partial results of 4 bytes
  const auto tree = [&](std::string_view kernel) {
    return *diagrams_of(find_algorithm("reduction")).tree(params, reduction.variant_index(Backend::cuda, kernel), 64);
  };
  const auto diverging = [](const TreeDiagram& tree) {
    return std::ranges::count_if(tree.steps, [](const auto& step) { return step.warps_diverging == 2; });
  };
  const auto worst = [](const TreeDiagram& tree) {
    return std::ranges::max(tree.steps, {}, &TreeDiagram::Step::bank_conflict).bank_conflict;
  };
  EXPECT_EQ(diverging(tree("interleaved_modulo")), 5);
  EXPECT_EQ(diverging(tree("interleaved_stride")), 0);
  EXPECT_EQ(worst(tree("interleaved_stride")), 2);
  EXPECT_EQ(worst(tree("sequential")), 1);
  EXPECT_EQ(tree("first_add").loads, 2);
  EXPECT_FALSE(tree("unroll_warp").steps.back().block_barrier);
  EXPECT_TRUE(tree("shuffle").steps.front().in_registers);
  EXPECT_FALSE(
      diagrams_of(find_algorithm("reduction")).tree(params, reduction.variant_index(Backend::cuda, "cub"), 64));
}

/// A title never lets a kernel pass for what runs: it names both.
TEST(Diagrams, TitlesSayWhetherTheirKernelRuns) {
  const AlgorithmInfo& reduction = find_algorithm("reduction");
  Work work{.algorithm = &reduction, .params = reduction.defaults(), .backend = Backend::openmp};
  const int sequential = reduction.variant_index(Backend::cuda, "sequential");
  EXPECT_EQ(drawn_kernel(work, 0, 0), 0);
  EXPECT_EQ(drawn_kernel(work, sequential + 1, 0), sequential);
  EXPECT_EQ(drawn_kernel(work, 16, 0), static_cast<int>(reduction.variants_of(Backend::cuda).size()) - 1);
  EXPECT_EQ(kernel_title(work, sequential, "sequential   3: help"),
            "CUDA kernel sequential (not running: OpenMP simd runs)   3: help");
  EXPECT_EQ(kernel_name(work, 0), "example (not running: OpenMP simd runs)");
  EXPECT_EQ(kernel_name(work, sequential + 1), "sequential");
  constexpr std::array<std::string_view, 2> with_that{"simd", "tree"}, without_it{"tree", "shuffle"};
  EXPECT_EQ(kernel_name(work, 0, with_that), "as it runs");
  EXPECT_EQ(kernel_name(work, 0, without_it), "example (not running: OpenMP simd runs)");
  work.backend = Backend::cuda;
  EXPECT_EQ(kernel_name(work, 0), "as it runs");
  EXPECT_EQ(kernel_title(work, sequential, "sequential   3: help"),
            "CUDA kernel sequential (not running: CUDA shuffle runs)   3: help");
  work.variant = sequential;
  EXPECT_EQ(drawn_kernel(work, 0, 0), sequential);
  EXPECT_EQ(kernel_title(work, sequential, "sequential   3: help"), "sequential   3: help");
  // The network is that of the variants that it names, which exist.
  const AlgorithmInfo& sorting = find_algorithm("sorting");
  const auto network = diagrams_of(sorting).network(sorting.defaults(), {Kind::sequence, Element::i32, 1, 16, 1, 1});
  for (const std::string_view name : network->variants)
    EXPECT_TRUE(std::ranges::any_of(backends, [&](Backend backend) {
      return std::ranges::count(sorting.variants_of(backend), name, &Variant::name) > 0;
    })) << name;
}

TEST(Diagrams, NotesDescribeTheNumber) {
  const AlgorithmInfo& reduction = find_algorithm("reduction");
  Runner runner;
  const auto note_of = [&](const char* operation) {
    const ParamBox params = params_of(reduction, {{"count", "1000"}, {"type", "float"}, {"operator", operation}});
    const HostArray input = reduction.own_input->make(params, 3);
    HostArray result(reduction.output_shape(params, input.shape()));
    runner.run_into({.algorithm = &reduction, .params = params, .backend = Backend::serial}, input.view(),
                    result.view());
    return diagrams_of(find_algorithm("reduction")).note(params, input.shape(), result.view());
  };
  const ScalarNote sum = note_of("sum"), least = note_of("min"), place = note_of("argmin");
  EXPECT_EQ(sum.title, "sum of 1000 float");
  ASSERT_TRUE(sum.level);
  EXPECT_NEAR(*sum.level, 0.5, 0.1);
  EXPECT_TRUE(least.is_value);
  EXPECT_FALSE(least.place);
  ASSERT_TRUE(place.place);
  EXPECT_EQ(place.number, std::to_string(*place.place));
}

TEST(BarsScene, ShowsSequencesAndNumbers) {
  for (const char* algorithm : {"sorting", "reduction"})
    EXPECT_EQ(find_scene("", find_algorithm(algorithm)).name, "bars");
  EXPECT_EQ(find_show(find_scene("bars", find_algorithm("sorting")), "diagram"), 3);
  EXPECT_THROW((void)find_scene("bars", find_algorithm("sobel")), UsageError);
}

/// The scene is drawn without a window, and the test sets the mouse of ImGui itself.
TEST(BarsScene, MouseZoomsAndPansAlongTheSequence) {
  const std::unique_ptr<Platform> platform = threadscape::testing::headless_or_skip(400, 300);
  if (!platform) return;
  UiContext ui(*platform, FontChoice::built_in, {});
  apply_theme(Theme::dark, 1.0f);
  gl::ShaderLibrary shaders;
  Workspace workspace;
  workspace.choose_algorithm(find_algorithm("sorting"));
  workspace.set_parameter("count", "1000");
  LiveView live(interop::probe_route(platform->context(), gpu::devices().first()), {});
  live.finish(workspace);
  const gl::Framebuffer target(400, 300);
  BarsScene scene(shaders);
  const auto frame = [&](float x, float wheel = 0.0f) {
    (void)platform->poll(false);
    ImGui::GetIO().AddMousePosEvent(x, 100);
    if (wheel != 0.0f) ImGui::GetIO().AddMouseWheelEvent(0, wheel);
    ui.begin_frame();
    scene.draw(live, target);
    scene.interact(live, {0, 0}, {400, 300}, true);
    ui.drop_frame();
  };
  const auto figure = [&](std::string_view name) {
    for (const auto& [known, value] : scene.figures())
      if (known == name) return value;
    return std::numeric_limits<double>::quiet_NaN();
  };
  frame(200);
  EXPECT_EQ(figure("first"), 0.0);
  EXPECT_EQ(figure("values"), 1000.0);
  EXPECT_NEAR(figure("place"), 500.0, 3.0);
  const double under = figure("place");
  for (int i = 0; i < 12; ++i)
    frame(200, 1.0f);
  EXPECT_LT(figure("values"), 200.0);
  EXPECT_NEAR(figure("place"), under, 2.0) << "the value under the mouse stays there";

  const double before = figure("first");
  ImGui::GetIO().AddMouseButtonEvent(0, true);
  frame(200);
  frame(260);
  ImGui::GetIO().AddMouseButtonEvent(0, false);
  frame(260);
  EXPECT_LT(figure("first"), before) << "dragged to the right: earlier values come in";
  scene.fit();
  frame(1);
  EXPECT_EQ(figure("first"), 0.0);
  EXPECT_EQ(figure("place"), -1.0) << "left of the first bar";
  live.finish(workspace);
}

TEST(TimingBook, KeepsVariantsApart) {
  TimingBook book;
  EXPECT_EQ(book.variant_statistics(Backend::serial, 0), nullptr);
  for (int run = 0; run < 4; ++run)
    for (const int variant : {0, 1}) {
      TimingSample sample{.backend = Backend::serial, .variant = variant, .times = {}, .items = 1};
      sample.times.compute_ms = variant == 0 ? 1.0 : 5.0;
      book.push(sample);
    }
  for (const int variant : {0, 1}) {
    const TimingHistory* history = book.variant_statistics(Backend::serial, variant);
    ASSERT_NE(history, nullptr);
    const Summary summary = history->summary(&StageTimes::compute_ms);
    EXPECT_EQ(summary.count, 3u) << "without the warm-up";
    EXPECT_EQ(summary.median, variant == 0 ? 1.0 : 5.0);
  }
  book.push({.backend = Backend::serial, .variant = 0, .threads = 2, .times = {}, .items = 1});
  EXPECT_EQ(book.variant_statistics(Backend::serial, 1), nullptr) << "measured with other threads";
  EXPECT_EQ(book.statistics(Backend::serial).summary().count, 0u) << "the first run on other threads is a warm-up";
  book.push({.backend = Backend::serial, .variant = 0, .threads = 1, .times = {}, .items = 1});
  EXPECT_EQ(book.statistics(Backend::serial).summary().count, 4u) << "what ran on these threads before is still there";
  ASSERT_NE(book.statistics(Backend::serial, 0, 2), nullptr);
  EXPECT_EQ(book.statistics(Backend::serial, 0, 2)->size(), 1u);
  book.start_statistics();
  EXPECT_EQ(book.variant_statistics(Backend::serial, 0), nullptr);
}

}  // namespace
}  // namespace threadscape::app
