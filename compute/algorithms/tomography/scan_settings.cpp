#include "compute/algorithms/tomography/scan_settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace threadscape::projection {

namespace {

using Point = ScannerDiagram::Point;

double dot(const Point& a, const Point& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

double length(const Point& a) {
  return std::sqrt(dot(a, a));
}

/// The vector of the same direction with length 1.
Point unit(const Point& a) {
  const double l = length(a);
  return {a.x / l, a.y / l, a.z / l};
}

/// The distance of a point from the plane through the origin that the rows and columns of the detector span.
double distance_from_centre(const Point& point, const Point& along_row, const Point& along_column) {
  const double u = dot(point, along_row), v = dot(point, along_column);
  return std::sqrt(std::max(0.0, dot(point, point) - u * u - v * v));
}

std::string number_text(double value) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

/// Collects settings, whose names may begin with "voxels." or "views.".
class Teller {
 public:
  explicit Teller(std::string_view prefix) : prefix_(prefix) {}
  void text(std::string_view name, std::string value) {
    told.emplace_back(prefix_ + std::string(name), std::move(value));
  }
  void number(std::string_view name, double value) { text(name, number_text(value)); }
  void count(std::string_view name, std::int64_t value) { text(name, std::to_string(value)); }

  ResultSettings told;

 private:
  std::string prefix_;
};

/// The spiral of a scan whose views stand at different heights. It is stated as `feed` and a list of angles, of which
/// those at height 0 are the angle `turn`.
struct Spiral {
  double per_degree = 0.0;  ///< Height that source and detector gain per degree.
  double first_z = 0.0;     ///< Height of the first view.

  /// In a parallel beam heights have no origin, and `turn` is 0.
  static Spiral of(const ScannerDiagram& scan, double pixel) {
    const ScannerDiagram::View &first = scan.views.front(), &last = scan.views.back();
    const double climbed = last.corner.z - first.corner.z, turned = last.angle - first.angle;
    if (!(std::abs(climbed) > 1e-9 * pixel) || turned == 0) return {};
    const double rate = climbed / turned;
    return {rate, scan.parallel ? rate * first.angle : first.source.z};
  }
  void tell(Teller& teller, const ScannerDiagram& scan) const {
    const double turn = scan.views.front().angle - first_z / per_degree;
    std::string list;
    for (const ScannerDiagram::View& view : scan.views)
      list += (list.empty() ? "" : ",") + number_text(view.angle - turn);
    teller.text("angles", std::move(list));
    teller.number("feed", 360 * per_degree);
    if (std::abs(turn) > 1e-6) teller.number("turn", turn);
  }
};

/// The geometry of the scan. Lengths are in the unit of the sides of the voxels.
void tell_scan(Teller& teller, const ScannerDiagram& scan) {
  if (scan.views.empty()) return;
  const ScannerDiagram::View& first = scan.views.front();
  const Point along_row = unit(first.column), along_column = unit(first.row);
  const double pixel = length(first.column), pixel_v = length(first.row);
  teller.text("geometry", scan.parallel ? "parallel" : "cone");
  teller.count("detector_pixels", scan.columns);
  teller.count("detector_rows", scan.rows);
  teller.number("pixel_size", pixel);
  if (std::abs(pixel_v - pixel) > 1e-9 * pixel) teller.number("pixel_size_v", pixel_v);
  teller.number("offset_u", dot(first.corner, along_row) + 0.5 * pixel * (scan.columns - 1));
  const Spiral spiral = Spiral::of(scan, pixel);
  teller.number("offset_v", dot(first.corner, along_column) - spiral.first_z + 0.5 * pixel_v * (scan.rows - 1));
  teller.number("source_distance", distance_from_centre(first.source, along_row, along_column));
  teller.number("detector_distance", distance_from_centre(first.corner, along_row, along_column));
  if (spiral.per_degree != 0) return spiral.tell(teller, scan);
  double furthest = 0;  // From the place that a view has where all are equally far from each other.
  const double between = scan.views.size() > 1 ? scan.views[1].angle - first.angle : 0.0;
  for (std::size_t i = 0; i < scan.views.size(); ++i)
    furthest = std::max(furthest, std::abs(scan.views[i].angle - first.angle - static_cast<double>(i) * between));
  if (furthest > 1e-4) {
    std::string list;
    for (const ScannerDiagram::View& view : scan.views)
      list += (list.empty() ? "" : ",") + number_text(view.angle);
    teller.text("angles", std::move(list));
    return;
  }
  const double signed_step = scan.views.size() > 1 ? scan.views[1].angle - first.angle : 0.0;
  const double step = std::abs(signed_step), covered = step * static_cast<double>(scan.views.size());
  // Steps of floats add up to a full circle only up to their rounding.
  const double arc = covered >= 360 * (1 - 1e-6) ? 360 : covered - step;
  teller.number("arc", arc);
  if (step > 0) teller.number("step", step);
  if (signed_step < 0) teller.text("reverse", "true");
  const double turn = first.angle + (signed_step < 0 ? -0.5 : 0.5) * arc;
  if (std::abs(turn) > 1e-6) teller.number("turn", turn);
}

void tell_voxels(Teller& teller, const ScannerDiagram& scan) {
  teller.count("voxels", scan.voxels_x);
  teller.count("voxels_y", scan.voxels_y);
  teller.count("voxels_z", scan.voxels_z);
  teller.number("voxel_size", scan.voxel.x);
  teller.number("voxel_size_y", scan.voxel.y);
  teller.number("voxel_size_z", scan.voxel.z);
}

/// What the notes of a volume's file say (io::VolumeReader::settings()).
void tell_notes(Teller& teller, const FileNotes& notes) {
  teller.number("voxel_size", notes.spacing[0]);
  teller.number("voxel_size_y", notes.spacing[1]);
  teller.number("voxel_size_z", notes.spacing[2]);
  if (!notes.scan) return;
  const ScanNotes& scan = *notes.scan;
  const auto pixels = static_cast<std::int64_t>(scan.detector_side / scan.pixel);
  teller.text("geometry", "cone");
  teller.count("detector_pixels", pixels);
  teller.number("pixel_size", scan.pixel);
  // The source project divides integers, which leaves even numbers of odd pixels half a unit off centre.
  const double off = pixels % 2 == 0 && std::fmod(scan.pixel, 2.0) == 1.0 ? -0.5 : 0.0;
  teller.number("offset_u", off);
  teller.number("offset_v", off);
  teller.number("source_distance", scan.source_distance);
  teller.number("detector_distance", scan.detector_distance);
  teller.number("arc", scan.arc);
  teller.number("step", scan.step);
}

}  // namespace

ResultSettings scan_settings(const ScannerDiagram& scan, std::string phantom) {
  const bool views = scan.output == ScannerDiagram::Holds::views;
  Teller teller(views ? "views." : "voxels.");
  teller.told.emplace_back("phantom", std::move(phantom));
  if (views) tell_voxels(teller, scan);
  tell_scan(teller, scan);
  if (!views) {
    teller.number("voxel_size", scan.voxel.x);
    teller.number("voxel_size_y", scan.voxel.y);
    teller.number("voxel_size_z", scan.voxel.z);
  }
  return std::move(teller.told);
}

ResultSettings noted_settings(const FileNotes& notes, std::string phantom) {
  Teller teller("voxels.");
  teller.told.emplace_back("phantom", std::move(phantom));
  tell_notes(teller, notes);
  return std::move(teller.told);
}

}  // namespace threadscape::projection
