// The times of the stages of a run on the device, between events on its stream (rasterize_clock.h).

#include <deque>
#include <utility>

#include "compute/algorithms/graphics/rasterize/rasterize_clock.h"
#include "compute/gpu/buffer.h"

namespace threadscape::rasterize {

/// A pair of events for each lap, in their order. The events of a lap follow those of the one before on the stream.
class DeviceLaps::Events final : public DeviceLapTimes {
 public:
  void begin(TimedStage stage, CudaStream stream) {
    end(stream);
    Lap& lap = laps_.emplace_back(stage, *stream.device);
    lap.timer.start(stream);
    open_ = true;
  }
  void end(CudaStream stream) {
    if (std::exchange(open_, false)) laps_.back().timer.stop(stream);
  }
  void add_to(StageMilliseconds& times) const override {
    for (const Lap& lap : laps_) {
      const auto i = static_cast<std::size_t>(lap.stage);
      times.ms[i] += lap.timer.milliseconds();
      times.present[i] = true;
    }
  }

 private:
  struct Lap {
    Lap(TimedStage of, gpu::Device& device) : stage(of), timer(device) {}
    TimedStage stage;
    gpu::EventTimer timer;
  };
  std::deque<Lap> laps_;
  bool open_ = false;
};

DeviceLaps::DeviceLaps(StageClock* clock, CudaStream stream)
    : clock_(clock), stream_(stream), events_(clock != nullptr ? std::make_unique<Events>() : nullptr) {}

DeviceLaps::~DeviceLaps() {
  if (events_) clock_->set_device_laps(std::move(events_));
}

void DeviceLaps::begin(TimedStage stage) {
  if (events_) events_->begin(stage, stream_);
}

void DeviceLaps::end() {
  if (events_) events_->end(stream_);
}

}  // namespace threadscape::rasterize
