#include "compute/io/volumes/dicom_series.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include "compute/io/folder_reader.h"
#include "compute/io/limits.h"
#include "compute/io/outside.h"
#include "compute/io/pictures/image_file.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// The normal of a plane whose rows and columns have these directions; zeros where they are parallel.
Vector normal_of(const std::array<double, 6>& plane) {
  const Vector row{plane[0], plane[1], plane[2]}, column{plane[3], plane[4], plane[5]};
  Vector normal{row[1] * column[2] - row[2] * column[1], row[2] * column[0] - row[0] * column[2],
                row[0] * column[1] - row[1] * column[0]};
  const double length = std::sqrt(dot(normal, normal));
  for (double& side : normal)
    side = length > 0 ? side / length : 0;
  return normal;
}

/// A number as text for people: up to four digits after the point.
std::string rounded_text(double value) {
  std::string text = std::to_string(std::round(value * 1e4) / 1e4);
  text.erase(std::max(text.find_last_not_of('0') + 1, text.find('.')));
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// Differences of decimals without the noise of their last digits: 2.5 instead of 2.4999999999999964.
double without_noise(double value) {
  constexpr double steps = 1e7;
  return value > 1e-3 ? std::round(value * steps) / steps : value;
}

std::string counted(std::size_t count, const std::string& one, const std::string& several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

void add_note(std::string& note, const std::string& text) {
  note += (note.empty() ? "" : "; ") + text;
}

/// What has to be equal in the slices of a volume: the size, and the plane and spacing rounded to a thousandth.
using Plane = std::tuple<std::int64_t, std::int64_t, std::array<std::int64_t, 8>>;
Plane plane_of(const DicomFile& file, const DicomFrame& frame) {
  std::array<std::int64_t, 8> rounded{};
  const auto thousandths = [](double value) {
    return static_cast<std::int64_t>(std::llround(std::clamp(value, -1e9, 1e9) * 1000));
  };
  if (frame.orientation) std::ranges::transform(*frame.orientation, rounded.begin(), thousandths);
  if (frame.spacing) std::ranges::transform(*frame.spacing, rounded.begin() + 6, thousandths);
  return {file.rows, file.columns, rounded};
}

/// Keeps the slices of the most frequent plane, of equally frequent ones the first.
void keep_one_plane(DicomVolume& volume) {
  std::map<Plane, std::size_t> planes;
  const auto plane = [&](const DicomSlice& slice) { return plane_of(volume.file_of(slice), volume.frame_of(slice)); };
  for (const DicomSlice& slice : volume.slices)
    ++planes[plane(slice)];
  Plane most = plane(volume.slices.front());
  for (const DicomSlice& slice : volume.slices)
    if (planes[plane(slice)] > planes[most]) most = plane(slice);
  const std::size_t left_out =
      std::erase_if(volume.slices, [&](const DicomSlice& slice) { return plane(slice) != most; });
  if (left_out > 0)
    add_note(volume.note, counted(left_out, "slice", "slices") + " of another size, plane or spacing " +
                              (left_out == 1 ? "is" : "are") + " left out");
}

/// Sorts slices by their places along the normal, and those at the same place by their numbers. Returns the places, or
/// nothing where a slice states none; the slices are then in the order of their numbers.
std::optional<std::vector<double>> sorted_by_place(DicomVolume& volume) {
  const auto number = [&](const DicomSlice& slice) {
    const DicomFile& file = volume.file_of(slice);
    return std::tuple(file.instance, file.path.filename().string(), slice.frame);
  };
  std::ranges::sort(volume.slices, {}, number);
  const auto placed = [&](const DicomSlice& slice) {
    const DicomFrame& frame = volume.frame_of(slice);
    return frame.position && frame.orientation && dot(normal_of(*frame.orientation), normal_of(*frame.orientation)) > 0;
  };
  if (!std::ranges::all_of(volume.slices, placed)) return {};
  const Vector normal = normal_of(*volume.frame_of(volume.slices.front()).orientation);
  const auto place = [&](const DicomSlice& slice) { return dot(normal, *volume.frame_of(slice).position); };
  std::ranges::stable_sort(volume.slices, {}, place);
  std::vector<double> places;
  std::ranges::transform(volume.slices, std::back_inserter(places), place);
  return places;
}

/// The middle of the distances between neighbours that are not at the same place; 0 where there are none.
double median_distance(const std::vector<double>& places) {
  constexpr double same_place = 1e-4;  // Millimetres; positions have no more digits that mean anything.
  std::vector<double> distances;
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i] - places[i - 1] > same_place) distances.push_back(places[i] - places[i - 1]);
  if (distances.empty()) return 0;
  const auto middle = distances.begin() + std::ssize(distances) / 2;
  std::ranges::nth_element(distances, middle);
  return *middle;
}

/// Leaves out slices that lie where another one lies.
void drop_duplicates(DicomVolume& volume, std::vector<double>& places, double distance) {
  constexpr double near = 0.01;  // Of the distance between slices.
  std::vector<DicomSlice> slices{volume.slices.front()};
  std::vector<double> kept{places.front()};
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i] - kept.back() <= near * distance) continue;
    slices.push_back(volume.slices[i]);
    kept.push_back(places[i]);
  }
  if (const std::size_t dropped = places.size() - kept.size(); dropped > 0)
    add_note(volume.note, counted(dropped, "slice lies", "slices lie") +
                              " where another one does, of which the one with the lowest number is taken");
  volume.slices = std::move(slices);
  places = std::move(kept);
}

/// The distance between slices that stands for all of them. Notes where slices are missing or their distances differ.
double common_distance(DicomVolume& volume, const std::vector<double>& places, double median) {
  constexpr double unequal = 0.01;  // Of the median.
  std::size_t missing = 0, gaps = 0;
  double least = median, most = median, before_gap = 0, after_gap = 0;
  bool differ = false;
  for (std::size_t i = 1; i < places.size(); ++i) {
    const double distance = places[i] - places[i - 1], whole = std::round(distance / median);
    least = std::min(least, distance);
    most = std::max(most, distance);
    if (std::abs(distance - median) <= unequal * median) continue;
    if (whole >= 2 && std::abs(distance - whole * median) <= unequal * median * whole) {
      if (gaps++ == 0) std::tie(before_gap, after_gap) = std::pair(places[i - 1], places[i]);
      missing += static_cast<std::size_t>(std::min(whole - 1, 1e6));
    } else {
      differ = true;
    }
  }
  if (differ)
    add_note(volume.note, "the distances between slices are from " + rounded_text(least) + " to " + rounded_text(most) +
                              " mm, and " + rounded_text(median) + " is taken for all");
  else if (missing > 0)
    add_note(volume.note, counted(missing, "slice is", "slices are") + " missing" +
                              (gaps > 1 ? " at " + std::to_string(gaps) + " places, the first" : "") + " between " +
                              rounded_text(before_gap) + " and " + rounded_text(after_gap) +
                              " mm, and those on both sides become neighbours");
  if (differ || missing > 0) return median;
  return (places.back() - places.front()) / static_cast<double>(places.size() - 1);
}

/// Notes slices that are shifted along their planes, as a tilted gantry shifts them.
void note_shear(DicomVolume& volume) {
  const DicomFrame &first = volume.frame_of(volume.slices.front()), &last = volume.frame_of(volume.slices.back());
  const Vector normal = normal_of(*first.orientation);
  Vector way{};
  for (std::size_t i = 0; i < way.size(); ++i)
    way[i] = (*last.position)[i] - (*first.position)[i];
  const double along = dot(way, normal), across = std::sqrt(std::max(0.0, dot(way, way) - along * along));
  if (across > 0.01 * along)
    add_note(volume.note, "the slices are shifted against each other by " + rounded_text(across) +
                              " mm in all (a tilted gantry), which is not undone");
}

void set_spacing(DicomVolume& volume, double distance) {
  const DicomFrame& frame = volume.frame_of(volume.slices.front());
  const auto usable = [](double length) { return std::isfinite(length) && length > 0; };
  if (frame.spacing && usable((*frame.spacing)[0]) && usable((*frame.spacing)[1]))
    volume.spacing = {(*frame.spacing)[1], (*frame.spacing)[0], 1};
  else
    add_note(volume.note, "it states no size of its pixels, and 1 mm is taken");
  const std::array lengths{distance, frame.slice_distance.value_or(0), frame.thickness.value_or(0)};
  if (const auto* const stated = std::ranges::find_if(lengths, usable); stated != lengths.end())
    volume.spacing[2] = without_noise(*stated);
  else
    add_note(volume.note, "it states no distance of its slices, and 1 mm is taken");
}

/// The DICOM files in a folder, in the order of their names.
std::vector<fs::path> dicom_files(const fs::path& folder, bool only_one) {
  std::vector<fs::path> found;
  std::int64_t looked_at = 0;
  for (FolderReader reader(folder); auto path = reader.next();) {
    if (++looked_at > limit_of(Limit::frames))
      throw DecodeFailure{"'" + folder.string() + "' holds too many files; " + limit_text(Limit::frames)};
    if (has_picture_extension(*path) || !is_dicom(*path)) continue;
    found.push_back(std::move(*path));
    if (only_one) break;
  }
  std::ranges::sort(found);
  return found;
}

/// The headers of the files in a folder, by series.
struct Folder {
  std::map<std::string, std::vector<DicomFile>> series;
  std::size_t unreadable = 0;
  std::string first_trouble;  ///< Why the first of the unreadable files cannot be read.
};

/// Reads the headers in a folder; of all series, or of one.
Folder read_folder(const fs::path& folder, const std::string* wanted, const std::stop_token& stop) {
  Folder found;
  std::int64_t frames = 0;
  for (const fs::path& path : dicom_files(folder, false)) {
    try {
      std::optional<DicomFile> file = read_dicom_header(path, stop);
      if (!file || (wanted != nullptr && file->series != *wanted)) continue;
      frames += std::ssize(file->frames);
      if (frames > limit_of(Limit::frames))
        throw EnvironmentError("cannot read '" + folder.string() + "': it has too many frames; " +
                               limit_text(Limit::frames));
      std::string series = file->series;
      found.series[std::move(series)].push_back(std::move(*file));
    } catch (const DecodeFailure& failure) {
      if (found.unreadable++ == 0) found.first_trouble = "'" + path.filename().string() + "': " + failure.cause;
    }
  }
  return found;
}

std::string series_text(const std::vector<DicomFile>& files) {
  const DicomFile& first = files.front();
  return "'" + first.path.filename().string() + "' of " + counted(files.size(), "file", "files") +
         (first.description.empty() ? "" : " (" + first.description + ")");
}

}  // namespace

bool is_dicom_folder(const fs::path& folder) {
  try {
    return !dicom_files(folder, true).empty();
  } catch (const DecodeFailure&) {
    return false;  // The folder holds more files than a series may have.
  }
}

DicomVolume arranged(std::vector<DicomFile> files) {
  DicomVolume volume{.files = std::move(files)};
  for (std::size_t file = 0; file < volume.files.size(); ++file)
    for (std::size_t frame = 0; frame < volume.files[file].frames.size(); ++frame)
      volume.slices.push_back({file, frame});
  if (const auto noted = std::ranges::find_if(volume.files, [](const DicomFile& file) { return !file.note.empty(); });
      noted != volume.files.end())
    volume.note = noted->note;
  keep_one_plane(volume);
  double distance = 0;
  if (std::optional<std::vector<double>> places = sorted_by_place(volume)) {
    distance = median_distance(*places);
    drop_duplicates(volume, *places, distance);
    if (places->size() > 1) {
      distance = common_distance(volume, *places, distance);
      note_shear(volume);
    }
  } else if (volume.slices.size() > 1) {
    add_note(volume.note, "its slices state no positions and are taken in the order of their numbers");
  }
  set_spacing(volume, distance);
  return volume;
}

DicomVolume find_dicom_series(const fs::path& path, const std::stop_token& stop) {
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  std::optional<DicomFile> file;
  if (!is_folder) {
    file = read_dicom_header(path, stop);
    if (!file) throw DecodeFailure{"it has no pixels"};
  }
  Folder folder;
  // Files that state no series belong to none, and stand for themselves.
  if (file && file->series.empty())
    folder.series[""].push_back(*std::move(file));
  else
    folder = read_folder(is_folder ? path : folder_of(path), file ? &file->series : nullptr, stop);
  if (folder.series.empty())
    throw DecodeFailure{folder.unreadable > 0 ? folder.first_trouble : "none of its DICOM files has pixels"};
  if (folder.series.size() > 1) {
    constexpr std::size_t most_listed = 8;
    std::string list;
    std::size_t listed = 0;
    for (const auto& [name, files] : folder.series)
      if (listed++ < most_listed) list += (list.empty() ? "" : ", ") + series_text(files);
    if (listed > most_listed) list += ", ...";
    throw DecodeFailure{"it holds " + std::to_string(folder.series.size()) +
                        " DICOM series: open a file of the one that is wanted: " + list};
  }
  DicomVolume volume = arranged(std::move(folder.series.begin()->second));
  if (folder.unreadable > 0)
    add_note(volume.note, counted(folder.unreadable, "file", "files") + " that cannot be read " +
                              (folder.unreadable == 1 ? "is" : "are") + " left out, " +
                              (folder.unreadable == 1 ? "" : "the first ") + folder.first_trouble);
  return volume;
}

}  // namespace threadscape::io
