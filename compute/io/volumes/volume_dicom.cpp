// Volumes from the series of DICOM files. Columns lie along x, rows along z and slices along y. Values are those that
// the files rescale their numbers to (Hounsfield units of a CT); MONOCHROME1 inverts nothing.

#include <algorithm>
#include <string>
#include <vector>

#include "compute/io/standard_stream.h"
#include "compute/io/volumes/dicom_decode.h"
#include "compute/io/volumes/dicom_series.h"
#include "compute/io/volumes/volume_file.h"

namespace threadscape::io {

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
    if (!volume->note.empty()) note_ = readable_name(path_) + ": " + volume->note;
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
  numbers.slope = frame.slope.value_or(1);
  numbers.intercept = frame.intercept.value_or(0);
  try {
    const InputFile input(file.path, options_.stop);
    std::vector<std::byte> bytes;
    for (const DicomPart& part : file.parts[slice.frame]) {
      const std::size_t begin = bytes.size();
      if (part.offset > input.size() - part.length) throw DecodeFailure{"it is truncated"};
      bytes.resize(begin + static_cast<std::size_t>(part.length));
      if (!input.read_at(part.offset, bytes.data() + begin, bytes.size() - begin))
        throw DecodeFailure{"it is truncated"};
    }
    if (file.compressed) {
      bytes = decoded_dicom_frame(file, bytes);
      numbers.swapped = false;
    }
    numbers.to_floats(bytes, to);
  } catch (const DecodeFailure& failure) {
    cannot_read(file.path, failure.cause);
  }
}

}  // namespace threadscape::io
