// Which axis of a volume's file the scanner turns about, and Hounsfield units as attenuation.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/machine.h"
#include "compute/io/standard_stream.h"
#include "compute/io/volumes/volume_file.h"

namespace threadscape::io {

namespace {

/// The number of the axis that has the largest part of the patient's; 0 where no part is known.
int axis_of_patient(const std::array<double, 3>& upwards) {
  int axis = 0;
  for (int i = 0; i < 3; ++i) {
    const double part = std::abs(upwards[static_cast<std::size_t>(i)]);
    if (part > 0 && (axis == 0 || part > std::abs(upwards[static_cast<std::size_t>(axis - 1)]))) axis = i + 1;
  }
  return axis;
}

}  // namespace

void VolumeReader::take_axis() {
  if (of_views_) fail("its layers are views of an object, which have no axis that a scanner turns about");
  int axis = static_cast<int>(options_.volume.axis);
  if (options_.volume.axis == VolumeAxis::of_patient) {
    constexpr std::array names{"first", "second", "third"};
    axis = axis_of_patient(upwards_);
    if (axis == 0)
      fail("it does not state where the head of a patient is, as DICOM and NIfTI do: state --axis 1, 2 or 3");
    add_note(std::string("the scanner turns about its ") + names[static_cast<std::size_t>(axis - 1)] +
             " axis, which is that of the patient");
  }
  if (axis == 2) return;
  const auto items = static_cast<std::size_t>(shape_.items());
  const std::size_t bytes = 2 * items * sizeof(float);
  if (const auto free = free_host_bytes_below(bytes))
    fail("turning its axes needs " + std::to_string(bytes) + " bytes, " + std::to_string(*free) + " are free");
  const std::int64_t width = shape_.width, height = shape_.height, depth = shape_.depth;
  std::vector<float> stored(items);
  read_stored(0, depth, stored.data());
  std::vector<std::byte> turned(items * sizeof(float));
  auto* to = reinterpret_cast<float*>(turned.data());
  const auto at = [&](std::int64_t first, std::int64_t second, std::int64_t third) {
    return stored[static_cast<std::size_t>((third * height + second) * width + first)];
  };
  if (axis == 3) {
    shape_ = {Kind::volume, Element::f32, 1, width, depth, height};
    spacing_ = {spacing_[0], spacing_[2], spacing_[1]};
    for (std::int64_t y = 0; y < height; ++y)
      for (std::int64_t z = 0; z < depth; ++z)
        for (std::int64_t x = 0; x < width; ++x)
          *to++ = at(x, y, z);
  } else {
    shape_ = {Kind::volume, Element::f32, 1, height, width, depth};
    spacing_ = {spacing_[2], spacing_[1], spacing_[0]};
    for (std::int64_t y = 0; y < depth; ++y)
      for (std::int64_t z = 0; z < width; ++z)
        for (std::int64_t x = 0; x < height; ++x)
          *to++ = at(z, x, y);
  }
  memory_ = std::move(turned);
  numbers_ = {.type = VolumeNumber::f32};
  file_.reset();
  dicom_.reset();
  pictures_.clear();
}

void VolumeReader::read(std::int64_t y0, std::int64_t y1, float* to) {
  read_stored(y0, y1, to);
  if (!options_.volume.water) return;
  const double water = *options_.volume.water;
  std::transform(to, to + (y1 - y0) * shape_.width * shape_.height, to, [water](float hounsfield) {
    const double attenuation = water * (1 + static_cast<double>(hounsfield) / 1000);
    return attenuation < 0 ? 0.0f : static_cast<float>(attenuation);
  });
}

}  // namespace threadscape::io
