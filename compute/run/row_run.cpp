#include "compute/run/row_run.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace threadscape {

namespace {

/// Memory for stacks of threads, and what the allocator keeps.
constexpr std::size_t process_bytes = std::size_t{24} << 20;

Region strip_of(const Shape& result, std::int64_t first, std::int64_t rows) {
  return {0, first, 0, result.width, std::min(rows, result.height - first), 1};
}

/// The first rows of an array, or those after them.
template <class View>
View rows_from(View view, std::int64_t first, std::int64_t rows) {
  view.data += static_cast<std::size_t>(first) * view.pitch;
  view.shape.height = rows;
  return view;
}

/// The most rows of the input that a strip needs; 0 if a strip needs more than whole rows one after another.
std::int64_t most_input_rows(const RunRequest& request, const Shape& input, const Shape& result, std::int64_t rows) {
  std::int64_t most = 0, before = 0;
  for (std::int64_t y = 0; y < result.height; y += rows) {
    const Region needed = request.algorithm->halo->input_needed(request.params, input, strip_of(result, y, rows));
    if (needed.x != 0 || needed.width != input.width || needed.y < before) return 0;
    before = needed.y;
    most = std::max(most, needed.height);
  }
  return most;
}

/// Adds the milliseconds that pass during its life.
class Adds {
 public:
  explicit Adds(double& sum) : sum_(sum) {}
  ~Adds() { sum_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count(); }
  Adds(const Adds&) = delete;
  Adds& operator=(const Adds&) = delete;

 private:
  double& sum_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

RowPlan plan_rows(const RunRequest& request, const Shape& input, std::int64_t rows_together,
                  const std::function<std::size_t(std::int64_t)>& beside, std::size_t memory) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const std::string name(algorithm.name);
  if (!algorithm.halo || input.kind != Kind::image)
    throw UsageError(name + " cannot be cut into strips: a row of its result can depend on all of its input");
  if (request.preparation || needs_preparation(request))
    throw UsageError(name + " cannot be cut into strips with these parameters, which need all of its input first");
  const Shape result = algorithm.output_shape(request.params, input_of(request, input));
  const auto plan = [&](std::int64_t steps) {
    RowPlan made{.rows = std::min(steps * rows_together, result.height)};
    made.strips = (result.height + made.rows - 1) / made.rows;
    made.input_rows = most_input_rows(request, input, result, made.rows);
    Shape part = input;
    part.height = made.input_rows;
    if (made.input_rows > 0)
      made.bytes =
          process_bytes + beside(made.rows) + HostArray::bytes_for(part) + plan_memory(request, part).host_bytes();
    return made;
  };
  std::int64_t fits = 1, most = (result.height + rows_together - 1) / rows_together;
  const RowPlan thinnest = plan(1);
  if (thinnest.input_rows == 0 || (thinnest.input_rows == input.height && thinnest.strips > 1))
    throw UsageError(name +
                     " cannot be cut into strips with these parameters: a row of the result can depend on all "
                     "rows of the picture");
  if (thinnest.bytes > memory)
    throw EnvironmentError(name + " needs " + std::to_string(thinnest.bytes) + " bytes of memory for strips of " +
                           std::to_string(thinnest.rows) + " rows, and may take " + std::to_string(memory));
  while (fits < most) {
    const std::int64_t middle = fits + (most - fits + 1) / 2;
    const RowPlan tried = plan(middle);
    if (tried.input_rows > 0 && tried.bytes <= memory)
      fits = middle;
    else
      most = middle - 1;
  }
  return plan(fits);
}

RowTimes run_rows(Runner& runner, const RunRequest& request, const RowPlan& plan, RowReader& input, RowWriter& output,
                  const std::stop_token& stop, Progress* progress) {
  const AlgorithmInfo& algorithm = *request.algorithm;
  const Shape whole = input.shape(), result = algorithm.output_shape(request.params, whole);
  Shape most = whole;
  most.height = plan.input_rows;
  HostArray part(most), made(algorithm.output_shape(request.params, most));
  const HostOut rows = part.view();
  std::int64_t first = 0, end = 0;  // The rows of the input that are in memory.
  RowTimes times;
  for (std::int64_t y = 0; y < result.height; y += plan.rows) {
    const Region strip = strip_of(result, y, plan.rows);
    const Region needed = algorithm.halo->input_needed(request.params, whole, strip);
    if (needed.y < first || needed.y > end || needed.height > plan.input_rows)
      throw std::logic_error("strips do not need rows one after another");
    std::memmove(rows.data, rows_from(rows, needed.y - first, 0).data,
                 static_cast<std::size_t>(end - needed.y) * rows.pitch);
    first = needed.y;
    if (const std::int64_t more = needed.y + needed.height - end; more > 0) {
      const Adds reading(times.read_ms);
      input.read(rows_from(rows, end - first, more));
      end += more;
    }
    const HostIn from = rows_from(std::as_const(part).view(), 0, needed.height);
    HostOut to = made.view();
    to.shape = algorithm.output_shape(request.params, from.shape);
    const StageTimes strip_times = runner.run_into(request, from, to, stop);
    times.run.upload_ms += strip_times.upload_ms;
    times.run.compute_ms += strip_times.compute_ms;
    times.run.download_ms += strip_times.download_ms;
    {
      const Adds writing(times.write_ms);
      output.write(rows_from(std::as_const(made).view(), strip.y - needed.y, strip.height));
    }
    if (progress) progress->report(static_cast<double>(y + strip.height) / static_cast<double>(result.height));
  }
  return times;
}

}  // namespace threadscape
