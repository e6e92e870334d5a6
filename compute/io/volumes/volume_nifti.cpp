// Volumes in NIfTI files: .nii, .nii.gz, and pairs of .hdr and .img. The axes of a volume are those of its numbers: the
// orientation that a header may state turns nothing.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "compute/core/machine.h"
#include "compute/io/deflate.h"
#include "compute/io/standard_stream.h"
#include "compute/io/volumes/nifti_header.h"
#include "compute/io/volumes/volume_file.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

/// Returns true if the file begins as one of gzip does.
bool is_gzip(const InputFile& file) {
  constexpr std::array gzip{std::byte{0x1F}, std::byte{0x8B}};
  std::array<std::byte, gzip.size()> beginning{};
  return file.read_at(0, beginning.data(), beginning.size()) && beginning == gzip;
}

}  // namespace

void VolumeReader::take_nifti(const NiftiHeader& header) {
  numbers_ = header.numbers;
  set_extents(header.extents[0], header.extents[1], header.extents[2]);
  std::string text = "pixdim:";
  for (const double side : header.spacing)
    text += " " + std::to_string(side);
  set_spacing(header.spacing, text);
  upwards_ = header.upwards;
  if (header.volumes > 1)
    note_ = readable_name(path_) + " holds " + std::to_string(header.volumes) + " volumes: the first one is read";
}

void VolumeReader::open_nifti(const Shape&) {
  try {
    InputFile file(path_, options_.stop);
    file.require_regular();
    if (is_gzip(file)) return inflate_nifti(file);
    std::vector<std::byte> beginning;
    file.read_on(beginning, max_nifti_header_bytes);
    const NiftiHeader header = read_nifti_header(beginning);
    take_nifti(header);
    if (!header.separate) {
      file_ = std::move(file);
    } else {
      if (is_standard_stream(path_)) fail("its numbers are in another file");
      open_file(data_file(fs::path(path_).replace_extension(".img").filename().string()));
    }
    offset_ = header.offset;
    const std::int64_t need = shape_.items() * numbers_.bytes(),
                       rest = std::max<std::int64_t>(0, file_->size() - offset_);
    if (rest < need)
      fail("its extents ask for " + std::to_string(need) + " bytes of numbers, the file has " + std::to_string(rest));
  } catch (const DecodeFailure& failure) {
    fail(failure.cause);
  }
}

void VolumeReader::inflate_nifti(InputFile& file) {
  GzipReader content(file);
  std::vector<std::byte> beginning(max_nifti_header_bytes);
  beginning.resize(content.read(beginning.data(), beginning.size()));
  const NiftiHeader header = read_nifti_header(beginning);
  if (header.separate) throw DecodeFailure{"it is the compressed header of a pair: pairs are read without compression"};
  take_nifti(header);
  const std::int64_t need = shape_.items() * numbers_.bytes();
  // Deflate makes data at most 1032 times as small. The check keeps small files from asking for much memory.
  constexpr std::int64_t max_ratio = 1032;
  if ((header.offset + need) / max_ratio > file.size()) throw DecodeFailure{"it is truncated"};
  if (const auto free = free_host_bytes_below(static_cast<std::size_t>(need)))
    throw DecodeFailure{"its " + std::to_string(need) + " bytes without compression do not fit into memory, " +
                        std::to_string(*free) + " are free"};
  memory_.resize(static_cast<std::size_t>(need));
  // The numbers may begin within the bytes that were read for the header.
  const auto known = std::min<std::int64_t>(std::max<std::int64_t>(0, std::ssize(beginning) - header.offset), need);
  if (known > 0)
    std::copy_n(beginning.begin() + header.offset, known, memory_.begin());
  else if (!content.skip(header.offset - std::ssize(beginning)))
    throw DecodeFailure{"it is truncated"};
  const auto rest = static_cast<std::size_t>(need - known);
  if (content.read(memory_.data() + known, rest) < rest) throw DecodeFailure{"it is truncated"};
  // The end of the content is looked for, because only there the checksum is compared.
  std::byte more{};
  if (header.volumes == 1) (void)content.read(&more, 1);
}

}  // namespace threadscape::io
