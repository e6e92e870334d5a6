#pragma once
// The parameters that projection and reconstruction share: the object in the scanner, and the geometry of the scan.

#include <array>
#include <string>
#include <string_view>
#include <tuple>

#include "compute/algorithms/tomography/geometry.h"
#include "compute/algorithms/tomography/phantom.h"
#include "compute/core/fields.h"

namespace threadscape {

struct ScannerParams {
  using Phantom = volumes::Phantom;
  enum class Setup : int { source, cone, parallel };
  static constexpr std::array<std::string_view, 3> setup_names{"source", "cone", "parallel"};

  Phantom phantom = Phantom::cavity;
  Setup geometry = Setup::source;
  int pixels = 200;
  int voxels = 128;
  int voxels_y = 0, voxels_z = 0;
  float voxel_size = 1.0f;
  float voxel_size_y = 0.0f, voxel_size_z = 0.0f;
  int detector_pixels = 128;
  int detector_rows = 0;
  float pixel_size = 2.25f, pixel_size_v = 0.0f;
  float offset_u = 0.0f, offset_v = 0.0f;
  float source_distance = 0.0f, detector_distance = 0.0f;
  float arc = 90.0f, step = 15.0f;
  float turn = 0.0f;
  bool reverse = false;
  std::string angles;
  float feed = 0.0f;
  int turns = 1;

  /// The first fields in fields() of a struct P derived from this one: the object and the kind of geometry.
  template <class P>
  static auto setup_fields() {
    return std::tuple{
        EnumField<P, Phantom>{"phantom", &P::phantom, volumes::phantom_names, "the volume, when no file is given"},
        EnumField<P, Setup>{"geometry", &P::geometry, setup_names,
                            "source: the source project's, all lengths from pixels; or a beam with the "
                            "lengths below"}};
  }
  /// The last fields in fields() of a struct P derived from this one: counts and lengths. `min_step` is the lower end
  /// of the range of `step`, and `step_zero` what a step of 0 stands for.
  template <class P>
  static auto length_fields(float min_step, std::string_view step_help, std::string_view step_zero = "") {
    using Count = Field<P, int>;
    using Length = Field<P, float>;
    return std::tuple{
        Count{"pixels", &P::pixels, 3, 8192, "", "geometry=source: detector pixels a side; 0.42 as many voxels", 1, 33},
        titled("Voxels in x",
               Count{"voxels", &P::voxels, 1, 8192, "", "number of voxels of a phantom or a raw file along x", 1, 33}),
        titled("Voxels in y",
               zero_as("as along x", Count{"voxels_y", &P::voxels_y, 0, 8192, "", "number of voxels along y", 1, 33})),
        titled("Voxels in z",
               zero_as("as along x", Count{"voxels_z", &P::voxels_z, 0, 8192, "", "number of voxels along z", 1, 33})),
        titled("Voxel length x",
               Length{"voxel_size", &P::voxel_size, 0.001f, 10000.0f, "", "length of a voxel along x"}),
        titled("Voxel length y", zero_as("as along x", Length{"voxel_size_y", &P::voxel_size_y, 0.0f, 10000.0f, "",
                                                              "length of a voxel along y"})),
        titled("Voxel length z", zero_as("as along x", Length{"voxel_size_z", &P::voxel_size_z, 0.0f, 10000.0f, "",
                                                              "length of a voxel along z"})),
        Count{"detector_pixels", &P::detector_pixels, 1, 8192, "", "pixels of a detector row", 1, 33},
        zero_as("as many as pixels in a row",
                Count{"detector_rows", &P::detector_rows, 0, 8192, "", "rows of the detector", 1, 33}),
        Length{"pixel_size", &P::pixel_size, 0.001f, 10000.0f, "", "from one pixel of a row to the next"},
        zero_as("as in a row", Length{"pixel_size_v", &P::pixel_size_v, 0.0f, 10000.0f, "",
                                      "from one row of the detector to the next"}),
        Length{"offset_u", &P::offset_u, -100000.0f, 100000.0f, "", "the detector is moved along its rows"},
        Length{"offset_v", &P::offset_v, -100000.0f, 100000.0f, "", "the detector is moved along z"},
        zero_as("25/8 of the longest side of the volume",
                Length{"source_distance", &P::source_distance, 0.0f, 1000000.0f, "", "from source to centre"}),
        zero_as("25/16 of the longest side of the volume",
                Length{"detector_distance", &P::detector_distance, 0.0f, 1000000.0f, "", "from centre to detector"}),
        Length{"arc", &P::arc, 0.0f, 360.0f, "degrees", "views are spread over it, symmetrically about 0"},
        zero_as(step_zero, Length{"step", &P::step, min_step, 360.0f, "degrees", step_help}),
        Length{"turn", &P::turn, -360.0f, 360.0f, "degrees",
               "added to the angle of every view; to begin at 0, half of the arc"},
        BoolField<P>{"reverse", &P::reverse, "the source turns the other way, seen from +z counter-clockwise"},
        TextField<P>{"angles", &P::angles, false,
                     "angles of the views in degrees, 0,1.5,4, instead of arc and step; turn is added"},
        zero_as("a circle",
                Length{"feed", &P::feed, -10000.0f, 10000.0f, "",
                       "of a spiral scan: source and detector move so far along z per turn, from below to above"}),
        Count{"turns", &P::turns, 1, 100, "", "of a spiral scan with arc=360", 1, 2}};
  }
  bool operator==(const ScannerParams&) const = default;
  /// Why the parameters contradict each other, for the user; empty if they do not.
  [[nodiscard]] std::string problem() const;
  /// What is wrong with `turns`, which does not depend on the number of views.
  [[nodiscard]] std::string problem_of_turns() const;

  /// The grid of a phantom. It also says how many voxels a raw file has.
  [[nodiscard]] volumes::VolumeGrid grid() const;
  /// The argument `side` of make_phantom().
  [[nodiscard]] double phantom_side() const;
  /// The degrees that all turns cover.
  [[nodiscard]] double turned() const { return double{arc} * turns; }
  /// Number of views that `angles`, or `arc` and `step` give.
  [[nodiscard]] int views() const;
  /// The geometry of the scan for a volume with the counts of `volume`. Throws UsageError if the source is inside the
  /// volume in some view.
  [[nodiscard]] projection::Geometry scanner(const Shape& volume) const;
};

}  // namespace threadscape
