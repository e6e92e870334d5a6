#pragma once
// Small pictures of what algorithms do, for their list: the results of a picture that the program draws itself, or of
// the data that an algorithm makes.

#include <future>
#include <map>
#include <optional>

#include "compute/core/data.h"
#include "compute/registry/algorithm_info.h"
#include "render/gl/texture.h"

namespace threadscape::app {

/// The side of a picture in pixels.
inline constexpr int algorithm_picture_side = 40;

/// A scene with edges, areas, a shaded disc and specks, on which filters can be told apart: 8-bit RGBA.
[[nodiscard]] HostArray standard_scene();
/// Returns whether results of the algorithm are pictures or terrain, which can be shown small.
[[nodiscard]] bool has_small_picture(const AlgorithmInfo& algorithm);
/// The result of the serial code in small; none if it cannot be computed.
[[nodiscard]] std::optional<HostArray> small_result(const AlgorithmInfo& algorithm);

/// Computes the pictures one after another on a thread of low priority, and keeps them.
class AlgorithmPictures {
 public:
  /// Null until it is made, and for algorithms without one.
  [[nodiscard]] const gl::Texture* of(const AlgorithmInfo& algorithm) const;
  /// Takes the picture that was made, if any, and begins the next one. Never waits. Returns false if all are made.
  bool make_next();
  /// Waits until all are made.
  void make_all();

 private:
  std::size_t next_ = 0;  ///< The algorithm that comes next, in the order of algorithms().
  const AlgorithmInfo* making_ = nullptr;
  std::future<std::optional<HostArray>> made_;
  std::map<const AlgorithmInfo*, gl::Texture> pictures_;
};

}  // namespace threadscape::app
