#include "app/bench/peers/lqr_peer.h"

#include <glib.h>
#include <lqr.h>

#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "compute/algorithms/seams/seam_carving/seam_carving.h"

namespace threadscape::app {

namespace {

void require(LqrRetVal result) {
  if (result != LQR_OK) throw std::runtime_error("liblqr failed");
}

void carve(HostIn in, HostOut out, int, const ParamBox&) {
  const Shape& shape = in.shape;
  const std::size_t row = static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(shape.channels);
  auto* const pixels = static_cast<guchar*>(g_malloc(row * static_cast<std::size_t>(shape.height)));
  for (std::int64_t y = 0; y < shape.height; ++y)
    std::memcpy(pixels + static_cast<std::size_t>(y) * row, in.data + static_cast<std::size_t>(y) * in.pitch, row);
  // The carver frees the pixels.
  const std::unique_ptr<LqrCarver, decltype(&lqr_carver_destroy)> carver(
      lqr_carver_new(pixels, static_cast<gint>(shape.width), static_cast<gint>(shape.height),
                     static_cast<gint>(shape.channels)),
      &lqr_carver_destroy);
  if (!carver) throw std::runtime_error("liblqr has no memory");
  require(lqr_carver_init(carver.get(), 1, 0.0f));
  require(lqr_carver_set_energy_function_builtin(carver.get(), LQR_EF_LUMA_GRAD_SUMABS));
  require(lqr_carver_resize(carver.get(), static_cast<gint>(out.shape.width), static_cast<gint>(out.shape.height)));
  gint x = 0, y = 0;
  guchar* pixel = nullptr;
  const auto channels = static_cast<std::size_t>(shape.channels);
  lqr_carver_scan_reset(carver.get());
  while (lqr_carver_scan(carver.get(), &x, &y, &pixel))
    std::memcpy(out.data + static_cast<std::size_t>(y) * out.pitch + static_cast<std::size_t>(x) * channels, pixel,
                channels);
}

/// Both remove columns by dynamic programming over the gradient of the luma. The gradients and the choice between
/// equal paths differ, so that the pictures do, too.
bool carve_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<SeamCarving::Params>();
  const bool columns_only = p.height == 0 || p.height == shape.height;
  return (holds<std::uint8_t>(shape) || holds<Rgba8>(shape)) && columns_only && p.width <= shape.width &&
         p.energy == seam_carving::Energy::gradient && p.path == seam_carving::Path::dp && p.protect.empty() &&
         p.remove.empty() && !p.restore_size && p.seams_per_pass == 1 && p.order == SeamCarving::Order::columns &&
         p.output == SeamCarving::Output::picture;
}

}  // namespace

std::span<const Peer> lqr_peers() {
  static const std::array all{
      Peer{.algorithm = "seam_carving", .name = "liblqr (one thread)", .run = carve, .supports = carve_supports}};
  return all;
}

}  // namespace threadscape::app
