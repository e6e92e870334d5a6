#include "compute/io/volumes/dicom_header.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

#include "compute/core/errors.h"
#include "compute/io/input_file.h"
#include "compute/io/volumes/dicom_elements.h"
#include "compute/io/volumes/dicom_rle.h"

namespace threadscape::io {

namespace {

constexpr std::uint32_t shared_groups = 0x52009229, per_frame_groups = 0x52009230;
constexpr std::uint32_t modality_lut = 0x00283000;
constexpr std::uint32_t float_pixels = 0x7FE00008, double_pixels = 0x7FE00009, pixel_data = 0x7FE00010;
/// Sequences inside of functional groups that hold the attributes of DicomFrame: the position of the plane, its
/// orientation, the pixel measures, and the transformation of the pixel values.
constexpr std::array<std::uint32_t, 4> frame_macros{0x00209113, 0x00209116, 0x00289110, 0x00289145};

/// Numbers that are written as decimal text with a backslash between each two. Texts that are no numbers end the list.
std::vector<double> decimals(std::string_view text) {
  std::vector<double> numbers;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find('\\'));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    while (word.starts_with(' ') || word.starts_with('+'))
      word.remove_prefix(1);
    double number = 0;
    if (std::from_chars(word.data(), word.data() + word.size(), number).ec != std::errc() || !std::isfinite(number))
      break;
    numbers.push_back(number);
  }
  return numbers;
}

template <std::size_t n>
void take(std::optional<std::array<double, n>>& to, const std::string& text) {
  const std::vector<double> numbers = decimals(text);
  if (numbers.size() < n) return;
  to.emplace();
  std::copy_n(numbers.begin(), n, to->begin());
}
void take(std::optional<double>& to, const std::string& text) {
  if (const std::vector<double> numbers = decimals(text); !numbers.empty()) to = numbers[0];
}

/// The attributes of a file as they are stored.
struct DicomAttributes {
  std::string photometric, modality;
  std::optional<std::int64_t> padding, padding_limit;  ///< The range of padding values, as numbers without sign.
  std::vector<double> offsets;  ///< Where a dose has its frames, along its normal, in millimetres.
  std::int64_t samples = 1, frames = 1, allocated = 0, stored = 0, high = -1, with_sign = 0;
  DicomFrame common;
  std::vector<DicomFrame> frame;  ///< The functional groups of each frame.
  std::optional<DicomElement> pixels;
};

/// Collects the attributes of a dataset from its elements.
class Collector {
 public:
  Collector(DicomReader& reader, DicomFile& file) : reader_(reader), file_(file) {}

  /// Reads the elements from `at` on, up to the pixels or the end of the file.
  void collect(std::int64_t at, DicomEncoding encoding) {
    walk(at, reader_.size(), encoding, 0, {&stored.common, true, false});
  }

  DicomAttributes stored;

 private:
  /// Where the attributes of a dataset or of an item of a sequence belong.
  struct Scope {
    DicomFrame* frame = nullptr;  ///< The attributes of frames; null where they mean something else.
    bool top = false;             ///< The elements are those of the dataset itself.
    bool groups = false;          ///< The elements are functional groups.
  };

  /// Returns where the elements end: at `end`, or after the delimiter of an item whose length is not stated.
  std::int64_t walk(std::int64_t at, std::int64_t end, DicomEncoding encoding, int depth, Scope scope) {
    while (at < end) {
      const DicomElement element = reader_.next(at, end, encoding);
      if (element.tag == dicom_item_end && depth > 0) return element.value;
      // An item without its delimiter ends where the next one begins, or its sequence ends.
      if ((element.tag == dicom_item || element.tag == dicom_sequence_end) && depth > 0) return at;
      if (scope.top && element.tag >= float_pixels && element.tag <= pixel_data) {
        stored.pixels = element;
        return end;
      }
      if (element.is_in_pieces()) {  // The compressed pixels of an icon.
        at = reader_.fragments(element).end;
        continue;
      }
      const bool known = (scope.top && (element.tag == shared_groups || element.tag == per_frame_groups)) ||
                         (scope.groups && std::ranges::count(frame_macros, element.tag) > 0);
      if (scope.top && element.tag == modality_lut && element.length != 0)
        file_.note = "its table of values (Modality LUT) is not applied";
      if (element.is_sequence() || (known && !encoding.explicit_types)) {
        at = walk_items(element, end, encoding, depth + 1, scope);
        continue;
      }
      if (scope.frame != nullptr) take_frame(element, *scope.frame);
      if (scope.top) take_top(element, encoding);
      at = element.value + element.length;
    }
    return at;
  }

  std::int64_t walk_items(const DicomElement& sequence, std::int64_t limit, DicomEncoding encoding, int depth,
                          Scope scope) {
    constexpr int max_depth = 32;
    if (depth > max_depth) throw DecodeFailure{"its sequences are nested more than 32 deep"};
    if (sequence.is_of_unknown_type()) encoding = {.explicit_types = false, .big_endian = false};
    const bool known = scope.groups && std::ranges::count(frame_macros, sequence.tag) > 0;
    Scope inner{known ? scope.frame : nullptr, false, false};
    if (scope.top && sequence.tag == shared_groups) inner = {&stored.common, false, true};
    const bool of_frames = scope.top && sequence.tag == per_frame_groups;
    const std::int64_t end = sequence.has_length() ? sequence.value + sequence.length : limit;
    std::int64_t at = sequence.value;
    while (at < end) {
      const DicomElement item = reader_.next(at, end, encoding);
      if (item.tag == dicom_sequence_end) return item.value;
      // A sequence without its delimiter ends where something else than an item begins.
      if (item.tag != dicom_item && !sequence.has_length()) return at;
      if (item.tag != dicom_item) throw DecodeFailure{"it is damaged: a sequence holds something else than items"};
      DicomFrame own;
      if (of_frames) inner = {&own, false, true};
      at = walk(item.value, item.has_length() ? item.value + item.length : end, encoding, depth, inner);
      if (of_frames) stored.frame.push_back(own);
    }
    if (!sequence.has_length() && limit == reader_.size()) throw DecodeFailure{"it is truncated"};
    return at;
  }

  void take_frame(const DicomElement& element, DicomFrame& frame) {
    switch (element.tag) {
      case 0x00200032:
        return take(frame.position, reader_.text(element));
      case 0x00200037:
        return take(frame.orientation, reader_.text(element));
      case 0x00280030:
        return take(frame.spacing, reader_.text(element));
      case 0x00181164:  // At the detector; a spacing in the patient comes later in the file and replaces it.
        return take(frame.spacing, reader_.text(element));
      case 0x00180050:
        return take(frame.thickness, reader_.text(element));
      case 0x00180088:
        return take(frame.slice_distance, reader_.text(element));
      case 0x00281052:
        return take(frame.intercept, reader_.text(element));
      case 0x00281053:
        return take(frame.slope, reader_.text(element));
      case 0x3004000E:
        return take(frame.dose_unit, reader_.text(element));
      default:
        break;
    }
  }

  void take_top(const DicomElement& element, DicomEncoding encoding) {
    const auto integer = [&](std::int64_t& to) { to = reader_.u16(element, encoding).value_or(to); };
    const auto text_integer = [&](std::int64_t& to) {
      const std::vector<double> numbers = decimals(reader_.text(element));
      if (!numbers.empty() && std::abs(numbers[0]) < 1e9) to = static_cast<std::int64_t>(numbers[0]);
    };
    switch (element.tag) {
      case 0x00080060:
        stored.modality = reader_.text(element);
        break;
      case 0x0008103E:
        file_.description = reader_.text(element);
        break;
      case 0x0020000E:
        file_.series = reader_.text(element);
        break;
      case 0x00200013:
        text_integer(file_.instance);
        break;
      case 0x00280002:
        integer(stored.samples);
        break;
      case 0x00280004:
        stored.photometric = reader_.text(element);
        break;
      case 0x00280008:
        text_integer(stored.frames);
        break;
      case 0x00280010:
        integer(file_.rows);
        break;
      case 0x00280011:
        integer(file_.columns);
        break;
      case 0x00280100:
        integer(stored.allocated);
        break;
      case 0x00280101:
        integer(stored.stored);
        break;
      case 0x00280102:
        integer(stored.high);
        break;
      case 0x00280103:
        integer(stored.with_sign);
        break;
      case 0x00280120:
        stored.padding = reader_.u16(element, encoding);
        break;
      case 0x00280121:
        stored.padding_limit = reader_.u16(element, encoding);
        break;
      case 0x3004000C:
        stored.offsets = decimals(reader_.text(element, 32 * limit_of(Limit::frames)));
        break;
      default:
        break;
    }
  }

  DicomReader& reader_;
  DicomFile& file_;
};

/// The type of the pixels. Throws DecodeFailure for pixels that are no voxels.
VolumeNumbers numbers_of(const DicomAttributes& stored, DicomEncoding encoding) {
  if (stored.samples != 1 || !stored.photometric.starts_with("MONOCHROME"))
    throw DecodeFailure{"its pixels are " + (stored.photometric.empty() ? "of no kind" : stored.photometric) +
                        " with " + std::to_string(stored.samples) +
                        " samples, which are colours and no voxels: grey levels (MONOCHROME1, MONOCHROME2) are read; "
                        "dcmj2pnm makes pictures of them"};
  VolumeNumbers numbers;
  numbers.swapped = encoding.big_endian;
  if (stored.pixels->tag != pixel_data) {
    numbers.type = stored.pixels->tag == float_pixels ? VolumeNumber::f32 : VolumeNumber::f64;
    return numbers;
  }
  if (stored.allocated == 1) {
    numbers.type = VolumeNumber::u8;
    return numbers;
  }
  const std::int64_t high = stored.high < 0 ? stored.stored - 1 : stored.high;
  const bool sizes = stored.allocated == 8 || stored.allocated == 16 || stored.allocated == 32;
  if (!sizes || stored.stored < 1 || stored.stored > stored.allocated || high != stored.stored - 1)
    throw DecodeFailure{"its pixels take " + std::to_string(stored.allocated) + " bits, of which " +
                        std::to_string(stored.stored) + " up to bit " + std::to_string(high) +
                        " are used: pixels of 1, 8, 16 or 32 bits are read whose lowest bits are used"};
  using enum VolumeNumber;
  const bool with_sign = stored.with_sign != 0;
  numbers.type = stored.allocated == 8    ? (with_sign ? i8 : u8)
                 : stored.allocated == 16 ? (with_sign ? i16 : u16)
                                          : (with_sign ? i32 : u32);
  numbers.unused_bits = static_cast<int>(stored.allocated - stored.stored);
  return numbers;
}

/// The numbers of pixels that are no part of the scan. Air takes their place in a CT, and nothing elsewhere.
void take_padding(const DicomAttributes& stored, DicomFile& file) {
  if (!stored.padding || stored.pixels->tag != pixel_data) return;
  const auto number = [&](std::int64_t bits) {
    if (stored.with_sign != 0) return static_cast<double>(static_cast<std::int16_t>(bits));
    return static_cast<double>(bits);
  };
  const double a = number(*stored.padding), b = number(stored.padding_limit.value_or(*stored.padding));
  file.padding = std::array{std::min(a, b), std::max(a, b)};
  file.padding_voxel = stored.modality == "CT" ? -1000.0f : 0.0f;
}

/// The attributes of a frame: its own, or else those that all frames share.
DicomFrame merged(DicomFrame frame, const DicomFrame& common) {
  const auto fill = [](auto& own, const auto& shared) {
    if (!own) own = shared;
  };
  fill(frame.position, common.position);
  fill(frame.orientation, common.orientation);
  fill(frame.spacing, common.spacing);
  fill(frame.slice_distance, common.slice_distance);
  fill(frame.thickness, common.thickness);
  fill(frame.slope, common.slope);
  fill(frame.intercept, common.intercept);
  fill(frame.dose_unit, common.dose_unit);
  return frame;
}

void take_frames(const DicomAttributes& stored, DicomFile& file) {
  const auto count = static_cast<std::size_t>(stored.frames);
  // The frames of a file without functional groups all have the position of the file, which says nothing about each.
  DicomFrame common = stored.common;
  const auto place = common.position;
  if (count > 1 && stored.frame.empty()) common.position.reset();
  const std::string counts = "it has " + std::to_string(count) + (count == 1 ? " frame" : " frames") +
                             " and describes " + std::to_string(stored.frame.size());
  if (!stored.frame.empty() && stored.frame.size() < count) throw DecodeFailure{counts};
  if (stored.frame.size() > count)
    file.note += (file.note.empty() ? "" : "; ") + counts + ", of which the first belong to its pixels";
  for (std::size_t i = 0; i < count; ++i)
    file.frames.push_back(stored.frame.empty() ? common : merged(stored.frame[i], common));
  // The planes of a dose lie one above another from the place of the first one on.
  if (stored.offsets.size() != count || count < 2 || !stored.frame.empty() || !place || !common.orientation) return;
  const std::array<double, 6>& o = *common.orientation;
  const std::array normal{o[1] * o[5] - o[2] * o[4], o[2] * o[3] - o[0] * o[5], o[0] * o[4] - o[1] * o[3]};
  for (std::size_t i = 0; i < count; ++i) {
    file.frames[i].position = place;
    for (std::size_t k = 0; k < 3; ++k)
      (*file.frames[i].position)[k] += (stored.offsets[i] - stored.offsets[0]) * normal[k];
  }
}

void take_plain_pixels(const DicomAttributes& stored, DicomFile& file) {
  const DicomElement& pixels = *stored.pixels;
  if (!pixels.has_length()) throw DecodeFailure{"its pixels are compressed, which its transfer syntax denies"};
  const std::int64_t frame = file.frame_bytes();
  if (file.single_bits) {
    // Frames follow each other without gaps, and may begin within a byte.
    if (pixels.length < (stored.frames * frame + 7) / 8)
      throw DecodeFailure{"its " + std::to_string(stored.frames) + " frames of " + std::to_string(frame) +
                          " bits do not fit into its " + std::to_string(pixels.length) + " bytes of pixels"};
    for (std::int64_t i = 0; i < stored.frames; ++i) {
      const std::int64_t first = i * frame / 8, end = ((i + 1) * frame + 7) / 8;
      file.parts.push_back({{pixels.value + first, end - first}});
    }
    return;
  }
  if (pixels.length / frame < stored.frames)
    throw DecodeFailure{"its " + std::to_string(stored.frames) + " frames of " + std::to_string(frame) +
                        " bytes do not fit into its " + std::to_string(pixels.length) + " bytes of pixels"};
  if (file.numbers.swapped && file.numbers.bytes() == 1 && pixels.is_of_words())
    throw DecodeFailure{"its pixels are bytes in big-endian words, which are not read"};
  for (std::int64_t i = 0; i < stored.frames; ++i)
    file.parts.push_back({{pixels.value + i * frame, frame}});
}

void take_compressed_pixels(DicomReader& reader, const DicomAttributes& stored, DicomFile& file) {
  file.compressed = true;
  if (file.single_bits) throw DecodeFailure{"its pixels of one bit are compressed, which are read only as they are"};
  if (stored.pixels->has_length())
    throw DecodeFailure{"its pixels are not compressed, which its transfer syntax denies"};
  const DicomFragments fragments = reader.fragments(*stored.pixels);
  const auto count = static_cast<std::size_t>(stored.frames);
  if (fragments.parts.size() < count)
    throw DecodeFailure{"it has " + std::to_string(count) + " frames in " + std::to_string(fragments.parts.size()) +
                        " pieces"};
  if (fragments.parts.size() == count || count == 1) {
    file.parts.resize(count);
    for (std::size_t i = 0; i < fragments.parts.size(); ++i)
      file.parts[std::min(i, count - 1)].push_back(fragments.parts[i]);
    return;
  }
  // The table states where the first piece of each frame begins.
  if (fragments.frame_offsets.size() != count)
    throw DecodeFailure{"its compressed frames have several pieces each and no table of them"};
  for (const DicomPart& part : fragments.parts) {
    if (file.parts.size() < count && part.offset - dicom_item_header == fragments.frame_offsets[file.parts.size()])
      file.parts.emplace_back();
    if (file.parts.empty()) throw DecodeFailure{"its table of frames does not match their pieces"};
    file.parts.back().push_back(part);
  }
  if (file.parts.size() != count) throw DecodeFailure{"its table of frames does not match their pieces"};
}

/// Compares what run lengths can stand for with the size of the frames, before anyone allocates memory for these.
void judge_run_lengths(const DicomFile& file) {
  for (const std::vector<DicomPart>& parts : file.parts) {
    std::int64_t bytes = 0;
    for (const DicomPart& part : parts)
      bytes += part.length;
    if (!run_lengths_suffice(file, bytes)) throw DecodeFailure{"its compressed pixels are truncated"};
  }
}

}  // namespace

void DicomFile::read(const InputFile& input, DicomPart part, std::byte* to) const {
  const std::int64_t size = inflated ? std::ssize(*inflated) : input.size();
  if (part.offset > size - part.length) throw DecodeFailure{"it is truncated"};
  const auto bytes = static_cast<std::size_t>(part.length);
  if (inflated)
    std::copy_n(inflated->begin() + part.offset, bytes, to);
  else if (!input.read_at(part.offset, to, bytes))
    throw DecodeFailure{"it is truncated"};
}

bool is_dicom(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  try {
    const InputFile file(path);
    return has_dicom_signature(file);
  } catch (const Error&) {
    return false;  // What cannot be read is no series.
  }
}

std::optional<DicomFile> read_dicom_header(const std::filesystem::path& path, const std::stop_token& stop) {
  const InputFile input(path, stop);
  input.require_regular();
  DicomReader reader(input);
  DicomFile file;
  file.path = path;
  const DicomStart start = reader.start();
  file.transfer_syntax = start.transfer_syntax;
  Collector collector(reader, file);
  collector.collect(start.dataset, start.encoding);
  const DicomAttributes& stored = collector.stored;
  if (!stored.pixels) return {};
  if (file.rows < 1 || file.columns < 1) throw DecodeFailure{"it states no size of its pixels"};
  if (stored.frames < 1) throw DecodeFailure{"it has " + std::to_string(stored.frames) + " frames"};
  if (stored.frames > limit_of(Limit::frames))
    throw DecodeFailure{"it has " + std::to_string(stored.frames) + " frames; " + limit_text(Limit::frames)};
  file.numbers = numbers_of(stored, start.encoding);
  file.single_bits = stored.pixels->tag == pixel_data && stored.allocated == 1;
  file.inflated = reader.inflated();
  take_padding(stored, file);
  if (start.compressed)
    take_compressed_pixels(reader, stored, file);
  else
    take_plain_pixels(stored, file);
  take_frames(stored, file);
  if (file.transfer_syntax == dicom_rle_syntax) judge_run_lengths(file);
  return file;
}

}  // namespace threadscape::io
