#pragma once
// A small picture that explains parameters (a structuring element, the mask of a filter), and that may be painted. An
// algorithm with this facet declares the first of these functions, or both:
//
//   static Preview preview(const Params&);
//   static void paint(Params&, const Preview&);

#include <cstdint>
#include <optional>

#include "compute/core/data.h"
#include "compute/core/params.h"

namespace threadscape {

struct Preview {
  /// The values that a cell can have, apart from being no part of the mask or element.
  enum class Cells : std::uint8_t {
    parts,                 ///< White.
    parts_and_background,  ///< White (foreground) and black (background).
    levels                 ///< Any grey level.
  };
  /// Maximum side of a picture that can be painted by hand, in cells.
  static constexpr int max_painted = 64;

  HostArray picture;                 ///< 8-bit RGBA: opaque greys, and 0, 0, 0, 0 where a cell takes no part.
  int origin_x = -1, origin_y = -1;  ///< The cell that lies on the result's pixel; -1 for none.
  Cells cells = Cells::parts;

  [[nodiscard]] int width() const { return static_cast<int>(picture.shape().width); }
  [[nodiscard]] int height() const { return static_cast<int>(picture.shape().height); }
};

struct PreviewFacet {
  /// Throws UsageError and EnvironmentError for parameters that make no picture.
  Preview (*make)(const ParamBox&);
};

struct PaintingFacet {
  /// Changes the parameters so that their preview is the picture that was painted. Throws UsageError.
  void (*take)(ParamBox&, const Preview&);
};

template <class A>
std::optional<PreviewFacet> preview_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::preview; })
    return PreviewFacet{.make = [](const ParamBox& p) { return A::preview(p.as<P>()); }};
  else
    return std::nullopt;
}

template <class A>
std::optional<PaintingFacet> painting_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::paint; }) {
    static_assert(
        requires { A::preview; }, "paint() needs preview()");
    return PaintingFacet{.take = [](ParamBox& p, const Preview& painted) { A::paint(p.as<P>(), painted); }};
  } else {
    return std::nullopt;
  }
}

}  // namespace threadscape
