// Volumes from the series of DICOM files. Columns lie along x, rows along z and slices along y. Values are those that
// the files rescale their numbers to (Hounsfield units of a CT); MONOCHROME1 inverts nothing.

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compute/io/standard_stream.h"
#include "compute/io/volumes/dicom_decode.h"
#include "compute/io/volumes/dicom_series.h"
#include "compute/io/volumes/volume_file.h"

namespace threadscape::io {

namespace {

/// A byte of 0 or 1 for each of `count` bits from the bit `first` on.
std::vector<std::byte> bits_as_bytes(const std::vector<std::byte>& bits, std::int64_t first, std::int64_t count) {
  std::vector<std::byte> bytes;
  for (std::int64_t i = first; i < first + count; ++i)
    bytes.push_back(bits[static_cast<std::size_t>(i / 8)] >> (i % 8) & std::byte{1});
  return bytes;
}

}  // namespace

void VolumeReader::open_dicom(const Shape&) {
  try {
    auto volume = std::make_shared<DicomVolume>(find_dicom_series(path_, options_.stop));
    const DicomFile& first = volume->file_of(volume->slices.front());
    for (const DicomSlice& slice : volume->slices) {
      const DicomFile& file = volume->file_of(slice);
      const std::string why = file.compressed ? dicom_refusal(file.transfer_syntax) : "";
      if (!why.empty()) fail("'" + file.path.filename().string() + "': " + why);
    }
    set_extents(first.columns, first.rows, std::ssize(volume->slices));
    set_spacing({volume->spacing[0], volume->spacing[1], volume->spacing[2]},
                "the spacing of its pixels and the distance of its slices");
    if (const auto& plane = volume->frame_of(volume->slices.front()).orientation)
      upwards_ = {(*plane)[2], (*plane)[5], (*plane)[0] * (*plane)[4] - (*plane)[1] * (*plane)[3]};
    add_note(volume->note);
    if (first.padding)
      add_note("pixels of its padding value " + std::to_string(std::llround((*first.padding)[0])) +
               " are no part of the scan and become " + std::to_string(std::lround(first.padding_voxel)) +
               (first.padding_voxel < 0 ? ", which is air" : ""));
    dicom_ = std::move(volume);
  } catch (const DecodeFailure& failure) {
    fail(failure.cause);
  }
}

void VolumeReader::read_dicom(std::int64_t y, float* to) const {
  const DicomSlice& slice = dicom_->slices[static_cast<std::size_t>(y)];
  const DicomFile& file = dicom_->file_of(slice);
  const DicomFrame& frame = dicom_->frame_of(slice);
  VolumeNumbers numbers = file.numbers;
  const double slope = frame.dose_unit.value_or(frame.slope.value_or(1)), intercept = frame.intercept.value_or(0);
  // Padding is known by its number, so that the voxels are computed after it has been looked for.
  if (!file.padding) std::tie(numbers.slope, numbers.intercept) = std::pair(slope, intercept);
  try {
    const InputFile input(file.path, options_.stop);
    std::vector<std::byte> bytes;
    for (const DicomPart& part : file.parts[slice.frame]) {
      const std::size_t begin = bytes.size();
      bytes.resize(begin + static_cast<std::size_t>(part.length));
      file.read(input, part, bytes.data() + begin);
    }
    if (file.compressed) {
      bytes = decoded_dicom_frame(file, bytes);
      numbers.swapped = false;
    }
    if (file.single_bits)
      bytes = bits_as_bytes(bytes, static_cast<std::int64_t>(slice.frame) * file.frame_bytes() % 8, file.frame_bytes());
    numbers.to_floats(bytes, to);
    if (file.padding)
      for (float* voxel = to; voxel < to + file.rows * file.columns; ++voxel)
        *voxel = *voxel >= (*file.padding)[0] && *voxel <= (*file.padding)[1]
                     ? file.padding_voxel
                     : static_cast<float>(slope * static_cast<double>(*voxel) + intercept);
  } catch (const DecodeFailure& failure) {
    cannot_read(file.path, failure.cause);
  }
}

}  // namespace threadscape::io
