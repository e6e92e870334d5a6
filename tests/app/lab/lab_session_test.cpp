// Plans and measures small sweeps on the CPU. No test depends on how long something takes.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>

#include "app/bench/peer_list.h"
#include "app/bench/resample.h"
#include "app/lab/lab_plan.h"
#include "app/lab/lab_session.h"
#include "compute/core/ceilings.h"
#include "compute/core/errors.h"
#include "compute/core/machine.h"
#include "compute/core/synthetic.h"
#include "compute/registry/registry.h"
#include "compute/sketch/sketch_algorithm.h"
#include "tests/support/compute/host_arrays.h"
#include "tests/support/compute/scoped_limit.h"

namespace threadscape::app {
namespace {

Work work_of(const char* name) {
  const AlgorithmInfo& algorithm = find_algorithm(name);
  return {.algorithm = &algorithm, .params = algorithm.defaults(), .backend = Backend::openmp};
}

/// Measures every point with three samples, so that sweeps are short.
std::vector<PlannedPoint> quick(std::vector<PlannedPoint> points) {
  for (PlannedPoint& point : points)
    point.rule = {.repetitions = 3, .min_seconds = 0.0, .max_seconds = 60.0, .warm_up_runs = 0};
  return points;
}

const Shape small_picture = Shape::image(Element::u8, 1, 40, 30);

TEST(LabPlan, SizesKeepTheProportionsOfTheLoadedInput) {
  const LabChoice choice{.vary = Vary::size, .values = "20, 80", .backends = {true, true, false}};
  const auto points = lab_points(choice, work_of("sobel"), small_picture);
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].point.input.width, 20);
  EXPECT_EQ(points[0].point.input.height, 15);
  EXPECT_EQ(points[3].point.input.height, 60);
  EXPECT_EQ(points[1].point.request.backend, Backend::openmp);
}

TEST(LabPlan, KernelsOfSketchesHaveNoTimes) {
  const LabChoice choice{.vary = Vary::size, .values = "20", .backends = {true, true, false}};
  const auto add = [](const char* file) {
    return std::string(
        sketch::add_sketch(
            sketch::make_sketch("// sketch: timed\n// reads: picture gray u8    makes: picture gray u8\n", file))
            .name);
  };
  EXPECT_THROW((void)lab_points(choice, work_of(add("timed.cu").c_str()), small_picture), UsageError);
  EXPECT_EQ(lab_points(choice, work_of(add("timed.cpp").c_str()), small_picture).size(), 2U);
}

TEST(LabProgress, SaysWhatIsMeasuredAndHowFarThatIs) {
  LabProgress progress{.running = true, .done = 0, .total = 4, .seconds = 2.0, .now = "serial 20x15"};
  EXPECT_EQ(progress.sentence(), "Measuring serial 20x15 (0/4)");
  progress.done = 1;
  EXPECT_EQ(progress.sentence(), "Measuring serial 20x15 (1/4, 6 s left)");
}

TEST(LabPlan, ThreadsRunOnOpenMpAndGrowTheInputOnRequest) {
  LabChoice choice{.vary = Vary::threads, .values = "1,2"};
  auto points = lab_points(choice, work_of("sobel"), small_picture);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[1].point.request.threads, 2);
  EXPECT_EQ(points[1].point.input, small_picture);
  choice.vary = Vary::threads_and_size;
  points = lab_points(choice, work_of("sobel"), small_picture);
  EXPECT_EQ(points[1].point.input.height, 60);
}

TEST(LabPlan, ParametersVariantsAndSequencesVary) {
  LabChoice choice{.vary = Vary::parameter, .values = "3,5,7", .parameter = "size", .backends = {false, true, false}};
  EXPECT_EQ(lab_points(choice, work_of("median"), small_picture).size(), 3U);
  choice.vary = Vary::variants;
  choice.backends = {true, true, true};
  EXPECT_GE(lab_points(choice, work_of("median"), small_picture).size(), 2U);
  choice.vary = Vary::size;
  choice.values = "1024";
  const auto sequence = lab_points(choice, work_of("sorting"), {});
  EXPECT_EQ(sequence.front().point.input.width, 1024);
  EXPECT_EQ(sequence.front().point.input.height, 1);
}

TEST(LabPlan, WhatCannotRunIsRefusedWithTheReason) {
  LabChoice choice{.vary = Vary::threads, .values = "1,zero"};
  EXPECT_THROW((void)lab_points(choice, work_of("sobel"), small_picture), UsageError);
  choice.values = "";
  EXPECT_THROW((void)lab_points(choice, work_of("sobel"), small_picture), UsageError);
  choice = {.vary = Vary::parameter, .values = "4", .parameter = "size"};  // Medians have odd sizes.
  EXPECT_THROW((void)lab_points(choice, work_of("median"), small_picture), UsageError);
  choice = {.vary = Vary::backends, .backends = {false, false, false}};
  EXPECT_THROW((void)lab_points(choice, work_of("sobel"), small_picture), UsageError);
}

TEST(LabPlan, ParametersThatDetermineTheInputChangeIt) {
  const Work mesh = work_of("rasterize");
  const Shape loaded = mesh.algorithm->own_input->shape(mesh.params);
  LabChoice choice{
      .vary = Vary::parameter, .values = "8,16", .parameter = "subdivision", .backends = {true, false, false}};
  for (const Shape& shape : {loaded, Shape{}}) {
    const auto points = lab_points(choice, mesh, shape);
    ASSERT_EQ(points.size(), 2U);
    for (const PlannedPoint& planned : points)
      EXPECT_EQ(planned.point.input, mesh.algorithm->own_input->shape(planned.point.request.params));
    EXPECT_NE(points[0].point.input, points[1].point.input);
    // The input is the mesh of the parameters, not random triangles of its shape.
    const HostArray made = make_input(points[0].point);
    const HostArray wanted = mesh.algorithm->own_input->make(points[0].point.request.params, 0);
    EXPECT_TRUE(testing::same_pixels(made, wanted));
  }
  choice = {.vary = Vary::parameter, .values = "int32,float", .parameter = "type", .backends = {true, false, false}};
  const auto sequences = lab_points(choice, work_of("sorting"), {});
  ASSERT_EQ(sequences.size(), 2U);
  EXPECT_EQ(sequences[0].point.input.element, Element::i32);
  EXPECT_EQ(sequences[1].point.input.element, Element::f32);
}

TEST(LabPlan, WhatFollowsFromTheInputIsNoParameterToVary) {
  LabChoice choice{.vary = Vary::parameter, .values = "16,32", .parameter = "count"};
  const auto refusal = [&choice](const char* name) {
    try {
      (void)lab_points(choice, work_of(name), {});
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal("sorting"), "count follows from the input: vary the size");
  choice = {.vary = Vary::threads_and_size, .values = "1,2"};
  EXPECT_EQ(refusal("rasterize"), "rasterize has no size beside its parameters: vary one of them");
  EXPECT_EQ(refusal("diamond_square"), "diamond_square has no size beside its parameters: vary one of them");
}

TEST(LabPlan, SweepsAreChosenByName) {
  LabChoice choice;
  choose_sweep(choice, "threads-and-size", "1,2");
  EXPECT_EQ(choice.vary, Vary::threads_and_size);
  choose_sweep(choice, "size", "16");
  EXPECT_EQ(choice.vary, Vary::size);
  choose_sweep(choice, "params.size", "3,5");
  EXPECT_EQ(choice.vary, Vary::parameter);
  EXPECT_EQ(choice.parameter, "size");
  choose_sweep(choice, "norm", "l1,l2");
  EXPECT_EQ(choice.parameter, "norm");
}

TEST(LabPlan, UsualValuesCanBePlanned) {
  for (const Vary vary : {Vary::size, Vary::threads, Vary::threads_and_size, Vary::parameter}) {
    LabChoice choice{.vary = vary, .parameter = "size"};
    choice.values = usual_values(choice, work_of("median"), small_picture);
    EXPECT_FALSE(lab_points(choice, work_of("median"), small_picture).empty()) << name_of(vary);
  }
}

TEST(LabPlan, ResamplingTakesTheNearestNeighbour) {
  HostArray input(Shape::image(Element::u8, 1, 2, 2));
  for (int i = 0; i < 4; ++i)
    input.image<std::uint8_t>()(i % 2, i / 2) = static_cast<std::uint8_t>(10 * i);
  const HostArray larger = resampled(input.view(), Shape::image(Element::u8, 1, 4, 2));
  const auto pixels = larger.image<std::uint8_t>();
  EXPECT_EQ(pixels(0, 0), 0);
  EXPECT_EQ(pixels(1, 0), 0);
  EXPECT_EQ(pixels(2, 0), 10);
  EXPECT_EQ(pixels(3, 1), 30);
  const HostArray smaller = resampled(larger.view(), Shape::image(Element::u8, 1, 2, 1));
  EXPECT_EQ(smaller.image<std::uint8_t>()(1, 0), 10);
  const Work mesh = work_of("rasterize");
  const HostArray triangles = mesh.algorithm->own_input->make(mesh.params, 0);
  Shape other = triangles.shape();
  other.height += 1;
  EXPECT_THROW((void)resampled(triangles.view(), other), UsageError);
}

/// Measures the limits of the machine on arrays of 64 MiB at most, an eighth of the memory.
class LabSweeps : public ::testing::Test {
 private:
  const ScopedLimit memory_{io::Limit::memory, std::int64_t{512} << 20};
};

TEST_F(LabSweeps, ResultsArriveInOrderAndTheReportCanBeReadBack) {
  std::atomic<int> woken{0};
  LogBook log;
  LabSession session([&woken] { ++woken; });
  const LabChoice choice{.vary = Vary::size, .values = "16,32", .backends = {true, false, false}};
  session.start({.points = quick(lab_points(choice, work_of("sobel"), small_picture)), .input = {}}, log);
  session.wait();
  const std::vector<Measurement> rows = session.report().rows;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].what.size_text(), "16x12");
  EXPECT_EQ(rows[1].samples.compute.size(), 3U);
  EXPECT_TRUE(log.entries().empty());
  EXPECT_GE(woken, 3);
  const LabProgress progress = session.progress();
  EXPECT_FALSE(progress.running);
  EXPECT_EQ(progress.done, 2U);
  const Report report = parse_reports(dump(report_json(session.report())), "lab").front();
  ASSERT_EQ(report.rows.size(), 2U);
  EXPECT_EQ(report.rows[1].key(), rows[1].key());
  EXPECT_FALSE(session.ceilings().one_thread.memories.empty());
  EXPECT_FALSE(session.ceilings().all_threads.arithmetics.empty());
}

TEST_F(LabSweeps, PeersAreMeasuredBesideThePointsWhoseWorkTheyDo) {
  LogBook log;
  LabSession session([] {});
  LabChoice choice{.vary = Vary::size, .values = "32", .backends = {true, false, false}};
  auto points = quick(lab_points(choice, work_of("sobel"), small_picture));
  std::vector<Peer> peers = peers_of(points, OpenGlPeer::left_out);
  EXPECT_TRUE(std::ranges::none_of(
      peers, [](const Peer& peer) { return peer.algorithm == "rasterize" && peer.name != "textbook"; }));
  session.start({.points = points, .input = {}, .peers = peers}, log);
  session.wait();
  const std::vector<Measurement> rows = session.report().rows;
  ASSERT_EQ(rows.size(), 2U);  // Plain loops, as a textbook has them, are in every build.
  EXPECT_TRUE(rows[0].where.peer.empty());
  EXPECT_FALSE(rows[1].where.peer.empty());
  EXPECT_EQ(rows[1].samples.compute.size(), 3U);
}

TEST(LabPlan, ColdCachesAreAskedForAtEveryPoint) {
  LabChoice choice{.vary = Vary::size, .values = "32,64", .backends = {true, true, false}, .cold = true};
  for (const PlannedPoint& planned : lab_points(choice, work_of("sobel"), small_picture))
    EXPECT_TRUE(planned.rule.cold);
  choice.cold = false;
  for (const PlannedPoint& planned : lab_points(choice, work_of("sobel"), small_picture))
    EXPECT_FALSE(planned.rule.cold);
}

TEST_F(LabSweeps, StoppingKeepsWhatWasMeasured) {
  std::atomic<bool> first{false};
  LabSession* running = nullptr;
  LogBook log;
  LabSession session([&] {
    if (!first.exchange(true)) running->stop();
  });
  running = &session;
  std::string sizes = "16";
  for (int i = 0; i < 200; ++i)
    sizes += ",16";
  const LabChoice choice{.vary = Vary::size, .values = sizes, .backends = {true, false, false}};
  session.start({.points = quick(lab_points(choice, work_of("sobel"), small_picture)), .input = {}}, log);
  session.wait();
  EXPECT_EQ(session.measured(), 1U);
  EXPECT_FALSE(session.progress().running);
}

TEST_F(LabSweeps, APointThatFailsDoesNotEndTheSweep) {
  LogBook log;
  LabSession session([] {});
  const LabChoice choice{.vary = Vary::size, .values = "16,24", .backends = {true, false, false}};
  auto points = quick(lab_points(choice, work_of("sobel"), small_picture));
  points[0].left_out = "not here";
  session.start({.points = points, .input = {}}, log);
  session.wait();
  EXPECT_EQ(session.measured(), 1U);
  EXPECT_EQ(session.progress().trouble, "serial 16x12: not here");
  ASSERT_EQ(log.entries().size(), 1U);
  EXPECT_EQ(log.entries().front().text, "lab: serial 16x12: not here");
}

TEST_F(LabSweeps, TheLoadedInputIsMeasuredAtOtherSizes) {
  LogBook log;
  LabSession session([] {});
  auto source = std::make_shared<Source>();
  source->picture.pixels = make_synthetic(InputPattern::photo, small_picture, 1);
  const LabChoice choice{.vary = Vary::size, .values = "16,64", .backends = {true, false, false}};
  session.start({.points = quick(lab_points(choice, work_of("sobel"), small_picture)), .input = source}, log);
  session.wait();
  EXPECT_EQ(session.measured(), 2U);
}

TEST_F(LabSweeps, CeilingsAreOrderedAsTheyAreOnEveryMachine) {
  const MeasuredCeilings host = host_ceilings(hardware_threads());
  ASSERT_EQ(host.arithmetic.size(), 2U);
  EXPECT_EQ(host.reading.front().name, "memory");
  for (const auto* rates : {&host.reading, &host.arithmetic})
    for (const NamedRate& rate : *rates)
      EXPECT_GT(rate.per_second, 1e6) << rate.name;
}

}  // namespace
}  // namespace threadscape::app
