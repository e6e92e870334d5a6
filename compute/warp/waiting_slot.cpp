#include "compute/warp/waiting_slot.h"

#include <utility>

#include "compute/core/errors.h"

namespace threadscape::warp {

std::unique_ptr<WaitingProgram> WaitingSlot::take(const ProcessLimits& limits) {
  const std::lock_guard lock(mutex_);
  if (program_ == nullptr || !program_->has_limits(limits)) return nullptr;
  return std::move(program_);
}

void WaitingSlot::prepare(const ProcessLimits& limits, std::unique_ptr<WaitingProgram> ended) {
  const std::filesystem::path path = program_beside(name_);
  const std::lock_guard lock(mutex_);
  if (program_ != nullptr || starting_ || path.empty()) return;
  starting_ = true;
  starter_ = std::jthread([this, limits, path, ended = std::move(ended)] {
    std::unique_ptr<WaitingProgram> started;
    try {
      started = std::make_unique<WaitingProgram>(limits, path.string());
    } catch (const EnvironmentError&) {  // The next work starts its own.
    }
    const std::lock_guard kept(mutex_);
    program_ = std::move(started);
    starting_ = false;
  });
}

}  // namespace threadscape::warp
