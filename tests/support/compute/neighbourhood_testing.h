#pragma once
// Shared by the tests of neighbourhood filters: pictures, runs on the host, and a second implementation of borders,
// written in another way than compute/core/border.h.

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "compute/core/border.h"
#include "compute/engines/patches/patch_filter.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape::testing {

/// The borders that every filter has.
inline constexpr auto borders = [] {
  std::array<Border, border_names.size()> all;
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<Border>(i);
  return all;
}();

/// A picture of random bytes; as floats they include NaNs and infinities.
template <class Pixel>
HostArray random_image(int width, int height, unsigned seed) {
  HostArray image(Shape::image(PixelTraits<Pixel>::element, PixelTraits<Pixel>::channels, width, height));
  std::mt19937 random(seed);
  for (int y = 0; y < height; ++y) {
    auto* row = reinterpret_cast<std::uint8_t*>(image.template image<Pixel>().row(y));
    for (std::size_t i = 0; i < sizeof(Pixel) * static_cast<std::size_t>(width); ++i)
      row[i] = static_cast<std::uint8_t>(random());
  }
  return image;
}

/// Converts an 8-bit picture to floats from 0 to 1.
inline HostArray float_picture(const HostArray& bytes) {
  const Shape& from = bytes.shape();
  HostArray floats(Shape::image(Element::f32, from.channels, from.width, from.height));
  for (std::int64_t y = 0; y < from.height; ++y)
    for (std::int64_t i = 0; i < from.width * from.channels; ++i)
      reinterpret_cast<float*>(floats.data() + static_cast<std::size_t>(y) * floats.pitch())[i] =
          static_cast<float>(std::to_integer<int>(
              bytes.data()[static_cast<std::size_t>(y) * bytes.pitch() + static_cast<std::size_t>(i)])) /
          255.0f;
  return floats;
}

/// Runs a filter that computes patches of pixels, with every thread that the GPU would start for a picture and some
/// beyond its edges.
template <class P, class Filter, class View, class Store>
void filter_patches(const Filter& filter, const View& in, Border border, bool aligned, const Store& store) {
  const auto all_of = [&](auto part) {
    using Patch = PatchOf<part(), InnerPatchOf<Filter, P>>;
    for (int row = 0; row * Patch::rows < in.height + 8; ++row)
      for (int column = 0; column * Patch::width < in.width + 40; ++column)
        filter_patch<P, part()>(column, row, in, border, aligned, filter, store);
  };
  all_of(std::integral_constant<PatchPart, PatchPart::inner>{});
  all_of(std::integral_constant<PatchPart, PatchPart::border>{});
}

/// An 8-bit picture with these values, row by row.
inline HostArray grey_image(int width, int height, const std::vector<int>& values) {
  HostArray image(Shape::image(Element::u8, 1, width, height));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image.image<std::uint8_t>()(x, y) = static_cast<std::uint8_t>(values[static_cast<std::size_t>(y * width + x)]);
  return image;
}

/// The result of algorithm A on the serial or the OpenMP backend.
template <class A>
HostArray run_on(Backend backend, const typename A::Params& params, const HostArray& in, int threads = 1) {
  HostArray out(A::output_shape(params, in.shape()));
  std::memset(out.data(), 0xa5, out.pitch() * static_cast<std::size_t>(in.shape().height));
  HostRun run;
  run.in = in.view();
  run.out = out.view();
  run.threads = threads;
  if (backend == Backend::serial)
    A::serial(params, run);
  else
    A::openmp(params, run);
  return out;
}

/// Compares two pictures byte by byte. Returns "" if they are equal, otherwise a text that says where they first
/// differ.
inline std::string difference(const HostArray& a, const HostArray& b) {
  if (!(a.shape() == b.shape())) return "shapes differ";
  const std::size_t row = a.shape().pixel_bytes() * static_cast<std::size_t>(a.shape().width);
  for (std::size_t y = 0; y < static_cast<std::size_t>(a.shape().height); ++y)
    for (std::size_t x = 0; x < row; ++x) {
      const int left = std::to_integer<int>(a.data()[y * a.pitch() + x]),
                right = std::to_integer<int>(b.data()[y * b.pitch() + x]);
      if (left != right)
        return "byte " + std::to_string(x) + " of row " + std::to_string(y) + " of " + to_string(a.shape()) + ": " +
               std::to_string(left) + " and " + std::to_string(right);
    }
  return {};
}

/// The value at index `i` of a row with this border, where `i` may be outside the row: from one period of the row and
/// its repetitions, or zero outside for Border::zero.
inline int value_at(const std::vector<int>& row, int i, Border border) {
  const int n = static_cast<int>(row.size());
  if (i >= 0 && i < n) return row[static_cast<std::size_t>(i)];
  if (border == Border::zero) return 0;
  if (border == Border::clamp || border == Border::valid) return i < 0 ? row.front() : row.back();
  std::vector<int> period = row;
  if (border == Border::reflect) period.insert(period.end(), row.rbegin(), row.rend());
  if (border == Border::mirror)
    for (int j = n - 2; j > 0; --j)
      period.push_back(row[static_cast<std::size_t>(j)]);
  const int length = static_cast<int>(period.size());
  while (i < 0)
    i += length;
  return period[static_cast<std::size_t>(i % length)];
}

/// Runs `body` once for each instruction set of this machine that Highway was compiled for.
template <class F>
void for_each_simd_target(const F& body) {
  for (std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS; targets != 0; targets &= targets - 1) {
    const std::int64_t target = targets & -targets;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    SCOPED_TRACE(hwy::TargetName(target));
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

/// The store of a kernel (compute/kernel/store.h) for tests that run its threads on the host.
template <class Pixel>
struct HostStore {
  ImageView<Pixel> out;
  bool aligned;
  void store(int x, int y, Pixel value) const { out(x, y) = value; }
  [[nodiscard]] bool wide() const { return aligned; }
  template <class Wide>
  void store_wide(int x, int y, Wide values) const {
    ASSERT_EQ(static_cast<std::size_t>(x) * sizeof(Pixel) % sizeof(Wide), 0u);
    ASSERT_LE(static_cast<std::size_t>(x) + sizeof(Wide) / sizeof(Pixel), static_cast<std::size_t>(out.width));
    std::memcpy(&out(x, y), &values, sizeof(Wide));
  }
};

}  // namespace threadscape::testing
