#include "render/interop/loss_recovery.h"

namespace threadscape::interop {

namespace {

constexpr std::chrono::minutes time_limit{2};
// Pictures of 4 KiB came back right while larger ones did not.
constexpr Shape picture_shape{.kind = Kind::image, .element = Element::u8, .channels = 4, .width = 256, .height = 256};
// A first picture could come back right by chance, from commands that were queued before the driver has noticed
// anything.
constexpr int required_successes = 2;

/// Byte i of the picture of a trial. Each trial has another picture, because new textures may lie in the memory of old
/// ones.
std::byte picture_byte(std::size_t i, int trial) {
  return static_cast<std::byte>(((i * 37) ^ (i >> 8)) + static_cast<std::size_t>(trial) * 11);
}

}  // namespace

LossRecovery::LossRecovery(gpu::Device& device) {
  device.end_context();
  limit_ = std::chrono::steady_clock::now() + time_limit;
}

LossRecovery::Trial::Trial(int number_) : number(number_), texture(picture_shape) {
  const HostOut picture = uploader.acquire(picture_shape);
  for (std::size_t i = 0; i < picture_shape.bytes(); ++i)  // rows of 1 KiB have no padding
    picture.data[i] = picture_byte(i, number);
  uploader.submit(texture);
  read.emplace(texture);
}

std::optional<bool> LossRecovery::Trial::came_back_right() {
  const std::optional<HostIn> picture = read->poll();
  if (!picture) return {};
  for (std::size_t i = 0; i < picture_shape.bytes(); ++i)
    if (picture->data[i] != picture_byte(i, number)) return false;
  return true;
}

LossRecovery::State LossRecovery::poll() {
  if (std::chrono::steady_clock::now() > limit_) return State::failed;
  if (!trial_) {
    trial_.emplace(++trials_);
    return State::waiting;
  }
  const std::optional<bool> right = trial_->came_back_right();
  if (!right) return State::waiting;
  trial_.reset();
  successes_ = *right ? successes_ + 1 : 0;
  if (successes_ == required_successes) return State::recovered;
  if (!*right) glFinish();
  return State::waiting;
}

}  // namespace threadscape::interop
