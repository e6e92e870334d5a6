#include <algorithm>

#include "compute/algorithms/seams/seam_carving/seam_carving_plan.h"
#include "compute/registry/diagram.h"

namespace threadscape {

namespace {

using Params = SeamCarving::Params;

std::optional<SeamDiagram> seams(const Params& params, const Shape& input) {
  Params map = params;
  map.output = SeamCarving::Output::order;
  const seam_carving::Plan plan = seam_carving::make_plan(map, input);
  if (plan.passes.empty()) return {};
  SeamDiagram diagram{.map = ParamBox::of(std::move(map)), .runs = {}, .runs_in_map = plan.needs_transport()};
  for (const seam_carving::Pass& pass : plan.passes)
    diagram.runs.push_back({pass.of_rows, pass.enlarges, pass.seams});
  return diagram;
}

/// An order map from which seams are removed one by one.
class SeamNumbers {
 public:
  explicit SeamNumbers(const ImageView<const std::uint16_t>& map) {
    for (int y = 0; y < map.height; ++y)
      lines_.emplace_back(map.row(y), map.row(y) + map.width);
  }
  /// Returns whether every column (of_rows) or every row has the number exactly once.
  [[nodiscard]] bool crosses(std::uint16_t number, bool of_rows) const {
    std::vector<int> found(of_rows ? lines_.front().size() : lines_.size());
    for (std::size_t y = 0; y < lines_.size(); ++y)
      for (std::size_t x = 0; x < lines_[y].size(); ++x)
        if (lines_[y][x] == number) ++found[of_rows ? x : y];
    return std::ranges::all_of(found, [](int count) { return count == 1; });
  }
  void remove(std::uint16_t number, bool of_rows) {
    if (!of_rows) {
      for (auto& line : lines_)
        if (const auto at = std::ranges::find(line, number); at != line.end()) line.erase(at);
      return;
    }
    // Row by row, which is the order in memory: below its pixel of the seam each column takes the next row's value.
    std::vector<bool> behind(lines_.front().size());
    for (std::size_t y = 0; y + 1 < lines_.size(); ++y)
      for (std::size_t x = 0; x < behind.size(); ++x) {
        if (lines_[y][x] == number) behind[x] = true;
        if (behind[x]) lines_[y][x] = lines_[y + 1][x];
      }
    lines_.pop_back();
  }

 private:
  std::vector<std::vector<std::uint16_t>> lines_;
};

/// The runs of order=optimal, read off its order map. Every run is a single seam. A seam has as many pixels as the
/// picture has rows or columns at that time; where both are equal, the places of its pixels decide. (The exact diagonal
/// of a square fits both.)
std::vector<SeamRun> runs_in_map(const SeamDiagram& diagram, const HostIn& map) {
  const auto numbers = map.image<std::uint16_t>();
  int left[2] = {};  // Columns and rows that are still to be removed.
  for (const SeamRun& run : diagram.runs)
    left[run.of_rows ? 1 : 0] += run.seams;
  std::vector<int> pixels(static_cast<std::size_t>(left[0] + left[1] + 1));
  for (int y = 0; y < numbers.height; ++y)
    for (int x = 0; x < numbers.width; ++x)
      if (numbers(x, y) < pixels.size()) ++pixels[numbers(x, y)];
  int width = numbers.width, height = numbers.height;
  std::vector<SeamRun> runs;
  std::optional<SeamNumbers> picture;  // The order map without the seams of the first `removed` runs.
  std::size_t removed = 0;
  for (std::size_t i = 1; i < pixels.size(); ++i) {
    bool of_rows = left[0] == 0 || (left[1] > 0 && pixels[i] == width);
    if (left[0] > 0 && left[1] > 0 && width == height) {
      if (!picture) picture.emplace(numbers);
      for (; removed < runs.size(); ++removed)
        picture->remove(static_cast<std::uint16_t>(removed + 1), runs[removed].of_rows);
      of_rows = picture->crosses(static_cast<std::uint16_t>(i), true);
    }
    runs.push_back({of_rows, false, 1});
    --(of_rows ? height : width);
    --left[of_rows ? 1 : 0];
  }
  return runs;
}

ParamBox state_after(const Params& params, const Shape& input, int step, SeamState state) {
  Params view = params;
  view.output = SeamCarving::Output::order;
  int width = static_cast<int>(input.width), height = static_cast<int>(input.height);
  const seam_carving::Plan plan = seam_carving::make_plan(view, input);
  // With order=optimal intermediate sizes are known only from the order map, so any step stands for the result.
  if (plan.needs_transport() && step > 0) step = plan.seams();
  for (const seam_carving::Pass& pass : plan.passes) {
    const int seams = std::clamp(step, 0, pass.seams);
    (pass.of_rows ? height : width) += pass.enlarges ? seams : -seams;
    step -= seams;
  }
  view.width = width;
  view.height = height;
  view.seams = 0;
  view.restore_size = false;
  constexpr SeamCarving::Output outputs[]{SeamCarving::Output::grey, SeamCarving::Output::energy,
                                          SeamCarving::Output::cost, SeamCarving::Output::candidates};
  view.output = outputs[static_cast<std::size_t>(state)];
  return ParamBox::of(std::move(view));
}

}  // namespace

DiagramInfo describe_seam_carving_diagram() {
  DiagramInfo info;
  info.seams = SeamsFacet{.diagram = [](const ParamBox& p, const Shape& in) { return seams(p.as<Params>(), in); },
                          .runs_in = runs_in_map,
                          .state = [](const ParamBox& p, const Shape& in, int step,
                                      SeamState state) { return state_after(p.as<Params>(), in, step, state); }};
  return info;
}

}  // namespace threadscape
