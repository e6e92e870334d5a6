#include "app/live/observed_run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <utility>

#include "app/session/sketch_file.h"
#include "compute/core/errors.h"
#include "compute/core/low_priority.h"
#include "compute/core/region.h"
#include "compute/gpu/device.h"
#include "compute/sketch/sketch_algorithm.h"
#include "compute/warp/gpu_models.h"

namespace threadscape::app {

namespace {

/// The bytes of memory that kept launches may take together.
constexpr std::uint64_t kept_bytes = std::uint64_t{512} << 20;

/// The part of a picture in its middle that kernels work on.
Region middle_of(const Shape& shape) {
  constexpr std::int64_t most = RunObserver::most_pixels_across;
  const std::int64_t width = std::min<std::int64_t>(shape.width, most);
  const std::int64_t height = std::min<std::int64_t>(shape.height, most);
  return {.x = (shape.width - width) / 2, .y = (shape.height - height) / 2, .width = width, .height = height};
}

template <class T>
bool is_ready(const std::future<T>& result) {
  return result.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

ObservedRun observed(const ObservedWork& wanted, const std::shared_ptr<const Source>& source,
                     const std::stop_token& stop) {
  ObservedRun run;
  run.params = wanted.work.params;
  try {
    HostArray own;
    HostIn input;
    if (wanted.work.algorithm->input != Kind::none) {
      if (source == nullptr) own = wanted.work.make_input(stop);
      input = source != nullptr ? source->picture.pixels.view() : std::as_const(own).view();
      const Region part = middle_of(input.shape);
      run.input = to_string(input.shape);
      if (input.shape.kind == Kind::image && shape_of(input.shape, part) != input.shape) {
        HostArray cut(shape_of(input.shape, part));
        copy_region(input, part, cut.view(), {});
        own = std::move(cut);
        input = std::as_const(own).view();
        run.left = part.x;
        run.top = part.y;
        // Results of other places are somewhere else, as those of a transposition are.
        run.in_place = wanted.work.algorithm->halo.has_value();
        run.input = "the middle of the picture, " + to_string(input.shape);
      }
    }
    ObserveRequest request{.run = wanted.work.request(),
                           .gpu = &warp::gpu_model(90),
                           .instructions = RunObserver::most_instructions,
                           .kept_bytes = kept_bytes,
                           .writers = true};
    request.run.variant = wanted.variant;
    if (const auto sketch = sketch::sketch_of(*wanted.work.algorithm); sketch != nullptr)
      run.found = observe_sketch(wanted.work.params, wanted.work.seed, request, input, stop);
    else
      run.found = observe(request, input, stop);
    if (run.found.kernels.empty()) run.problem = "This variant launches no kernels of this program.";
  } catch (const BackendAbsent&) {
    run.problem =
        "This build has no CUDA kernels to look at. THREADSCAPE_CUDA=ON scripts/run builds them; that takes the CUDA "
        "Toolkit, but no GPU.";
  } catch (const std::exception& error) {
    run.problem = error.what();
  }
  return run;
}

}  // namespace

std::string predicted_time(const ObservedRun& run) {
  if (!run.problem.empty() || run.found.kernels.empty()) return {};
  const warp::GpuRates& gpu = warp::known_rates().front();
  const warp::Prediction time = warp::predict(works_of(run.found.kernels), gpu, true);
  std::array<char, 32> milliseconds{};
  std::snprintf(milliseconds.data(), milliseconds.size(), "%.3g ms", 1e3 * time.seconds);
  return "predicted on a " + gpu.name + ": " + milliseconds.data() + (run.input.empty() ? "" : " for " + run.input) +
         ", bound by " + std::string(name_of(time.bound));
}

std::string short_kernel_name(const std::string& name) {
  const std::string base = name.substr(0, name.find('<', 1));
  const std::size_t at = base.rfind("::");
  return at == std::string::npos ? base : base.substr(at + 2);
}

std::string block_place(std::uint64_t block, const warp::Extent& grid) {
  const std::uint64_t x = block % grid.x, y = block / grid.x % grid.y, z = block / grid.x / grid.y;
  return std::to_string(x) + ", " + std::to_string(y) + (grid.z > 1 ? ", " + std::to_string(z) : "");
}

std::optional<ElementThread> ObservedThreads::of(std::int64_t x, std::int64_t y) const {
  if (!run->in_place) return {};
  return all.of(x - run->left, y - run->top);
}

std::string ObservedThreads::text(const ElementThread& thread) const {
  const ObservedKernel& kernel = run->found.kernels[thread.kernel];
  return "block " + std::to_string(thread.writer.block) + " (" + block_place(thread.writer.block, kernel.grid) +
         "), warp " + std::to_string(thread.writer.thread / 32) + ", lane " +
         std::to_string(thread.writer.thread % 32) + " of " + short_kernel_name(kernel.name);
}

ObservedWork observed_work(const Work& shown, int variant) {
  ObservedWork wanted{.work = shown, .variant = variant};
  wanted.work.backend = Backend::cuda;
  wanted.work.variant = wanted.work.threads = 0;
  wanted.work.device = nullptr;
  wanted.work.devices.clear();
  return wanted;
}

RunObserver::~RunObserver() {
  stop_.request_stop();
}

std::shared_ptr<const ObservedRun> RunObserver::follow(const ObservedWork& wanted, std::shared_ptr<const Source> source,
                                                       bool wait, const std::function<void()>& wake) {
  if (wanted_ != wanted) {
    found_.reset();
    // The emulated device executes one run at a time: the old one ends first.
    if (thread_.valid()) {
      stop_.request_stop();
      outdated_ = true;
    }
    wanted_ = wanted;
  }
  if (thread_.valid() && (wait || is_ready(thread_))) {
    ObservedRun run = thread_.get();
    if (!std::exchange(outdated_, false)) found_ = std::make_shared<const ObservedRun>(std::move(run));
  }
  if (found_ || thread_.valid()) return found_;
  stop_ = std::stop_source();
  thread_ = std::async(std::launch::async, [wanted, source, stop = stop_.get_token(), wake] {
    take_low_priority();
    ObservedRun run = observed(wanted, source, stop);
    if (wake) wake();
    return run;
  });
  return wait ? follow(wanted, std::move(source), true) : nullptr;
}

std::shared_ptr<const ObservedThreads> RunObserver::threads_of(const Work& shown, bool wait) {
  if (found_ == nullptr || !wanted_ || wanted_->work != observed_work(shown, 0).work) return nullptr;
  if (finding_.valid() && (wait || is_ready(finding_))) threads_ = finding_.get();
  if (threads_ != nullptr && threads_->run == found_) return threads_;
  threads_.reset();
  if (!finding_.valid())
    finding_ = std::async(std::launch::async, [run = found_] {
      take_low_priority();
      return std::make_shared<const ObservedThreads>(ObservedThreads{.run = run, .all = ResultThreads(run->found)});
    });
  return wait ? threads_of(shown, true) : nullptr;
}

}  // namespace threadscape::app
