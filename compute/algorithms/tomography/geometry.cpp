#include "compute/algorithms/tomography/geometry.h"

#include <cmath>
#include <numbers>

namespace threadscape::projection {

ViewAngle view_angle(double degrees) {
  const double quarters = std::round(degrees / 90);
  const double rest = (degrees - quarters * 90) * (std::numbers::pi / 180);
  const double sine = std::sin(rest), cosine = std::cos(rest);
  switch (static_cast<int>(std::fmod(quarters, 4)) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

}  // namespace threadscape::projection
