#include "app/scenes/compare/truth_volume.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <utility>

#include "compute/registry/diagram.h"

namespace threadscape::app {

namespace {

/// How long update() waits for a volume, so that small ones are shown in the same frame.
constexpr auto patience = std::chrono::milliseconds(4);

/// Minimum and maximum of the finite values; 0 and 1 if there are none.
glm::vec2 range_of(const HostArray& array) {
  glm::vec2 range{std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()};
  const auto* values = reinterpret_cast<const float*>(array.data());
  for (std::int64_t i = 0; i < array.shape().items(); ++i)
    if (std::isfinite(values[i])) range = {std::min(range.x, values[i]), std::max(range.y, values[i])};
  return range.x <= range.y ? range : glm::vec2(0.0f, 1.0f);
}

}  // namespace

bool TruthVolume::Asked::same_as(const Work& work) const {
  return algorithm == work.algorithm && diagrams_of(*algorithm).truth->same(params, work.params);
}

std::string TruthVolume::take() {
  have_ = std::move(asked_);
  made_ = {};
  texture_ = {};
  ++version_;
  try {
    made_ = coming_.get();
    if (!made_.voxels) return {};
    texture_ = gl::VolumeTexture(made_.voxels->shape());
    texture_.write(made_.voxels->view());
  } catch (const std::bad_alloc&) {
    texture_ = {};
    return "not enough memory for the volume that the result is compared with";
  } catch (const std::exception& error) {
    texture_ = {};
    return error.what();
  }
  return {};
}

std::string TruthVolume::update(const Work& work) {
  const auto arrived = [this](auto wait) {
    return coming_.valid() && coming_.wait_for(wait) == std::future_status::ready;
  };
  std::string trouble = arrived(std::chrono::seconds(0)) ? take() : std::string();
  const auto& truth = diagrams_of(*work.algorithm).truth;
  current_ = truth && have_.same_as(work);
  if (!truth || current_ || coming_.valid()) return trouble;
  asked_ = {work.algorithm, work.params};
  coming_ = std::async(std::launch::async, [make = truth->make, params = work.params] {
    Made made{make(params)};
    if (made.voxels) {
      made.range = range_of(*made.voxels);
      made.middle = centre_of_edges(std::as_const(*made.voxels).view());
    }
    return made;
  });
  if (waits_) coming_.wait();
  if (arrived(patience)) trouble = take();
  current_ = have_.same_as(work);
  return trouble;
}

}  // namespace threadscape::app
