#pragma once

#include "app/shell/desk.h"

namespace threadscape::app {

/// The fields that say how the file of the volume that is open is read: the axis that a scanner turns about, and
/// whether its voxels are Hounsfield units. A change reads the file again, and one that the file refuses changes
/// nothing.
class VolumeReadingFields {
 public:
  /// Draws nothing unless the chosen algorithm works on the volume of a file.
  void draw(Desk& desk);

 private:
  bool draw_water(io::VolumeReading& reading);

  std::uint64_t source_ = 0;  ///< Source::id of the data that the field of water was filled for.
  double water_ = 0.0;        ///< The number in that field, which may be half typed.
};

}  // namespace threadscape::app
