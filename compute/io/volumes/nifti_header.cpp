#include "compute/io/volumes/nifti_header.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace threadscape::io {

namespace {

constexpr std::int32_t first_version_bytes = 348, second_version_bytes = 540;
static_assert(second_version_bytes == max_nifti_header_bytes);
constexpr std::size_t extension_flag_bytes = 4;  // Four zeros after the header say that no extensions follow.
// A double holds all whole numbers up to here, and a file cannot be longer.
constexpr double max_offset = 9007199254740992.0;

/// A type of numbers with its code in the member `datatype`.
struct CodedNumber {
  std::int32_t code;
  VolumeNumber type;
};
constexpr std::array<CodedNumber, 10> coded_numbers{{{2, VolumeNumber::u8},
                                                     {4, VolumeNumber::i16},
                                                     {8, VolumeNumber::i32},
                                                     {16, VolumeNumber::f32},
                                                     {64, VolumeNumber::f64},
                                                     {256, VolumeNumber::i8},
                                                     {512, VolumeNumber::u16},
                                                     {768, VolumeNumber::u32},
                                                     {1024, VolumeNumber::i64},
                                                     {1280, VolumeNumber::u64}}};
constexpr std::int32_t float_code = 16;

/// Reads members of a header at their byte offsets, in the byte order of the file.
struct Members {
  Bytes bytes;
  bool swapped = false;

  template <class T>
  [[nodiscard]] T at(std::size_t offset) const {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return swapped ? byte_swapped(value) : value;
  }
  [[nodiscard]] bool has(std::size_t offset, std::string_view text) const {
    return std::memcmp(bytes.data() + offset, text.data(), text.size()) == 0;
  }
};

/// The members of a header that are read, which the two versions store with different types.
struct NiftiMembers {
  std::array<std::int64_t, 8> dim{};
  std::array<double, 4> pixdim{};
  std::int32_t type = 0, bits = 0, units = 0;
  double offset = 0, slope = 0, intercept = 0;
  bool separate = false;
  bool has_quaternion = false, has_matrix = false;
  std::array<double, 3> quaternion{};  ///< The members b, c and d.
  std::array<double, 3> last_row{};    ///< What a step along each axis adds to the height in the patient.
};

/// The double that has the same shortest decimal as the float: 0.7 for 0.7f, whose exact value is 0.699999988.
double same_decimal(float value) {
  std::array<char, 32> text;
  const char* const end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  double number = 0;
  std::from_chars(text.data(), end, number);
  return number;
}

NiftiMembers first_version(const Members& in) {
  using namespace std::string_view_literals;
  NiftiMembers header;
  header.separate = in.has(344, "ni1\0"sv);
  if (!header.separate && !in.has(344, "n+1\0"sv))
    throw DecodeFailure{
        "it is no NIfTI file: a header of this length without the letters n+1 or ni1 is of ANALYZE, "
        "which nibabel or fslchfiletype turns into NIfTI"};
  for (std::size_t i = 0; i < header.dim.size(); ++i)
    header.dim[i] = in.at<std::int16_t>(40 + 2 * i);
  for (std::size_t i = 0; i < header.pixdim.size(); ++i)
    header.pixdim[i] = same_decimal(in.at<float>(76 + 4 * i));
  header.type = in.at<std::int16_t>(70);
  header.bits = in.at<std::int16_t>(72);
  header.offset = static_cast<double>(in.at<float>(108));
  header.slope = static_cast<double>(in.at<float>(112));
  header.intercept = static_cast<double>(in.at<float>(116));
  header.units = in.at<std::uint8_t>(123);
  header.has_quaternion = in.at<std::int16_t>(252) > 0;
  header.has_matrix = in.at<std::int16_t>(254) > 0;
  for (std::size_t i = 0; i < 3; ++i) {
    header.quaternion[i] = static_cast<double>(in.at<float>(256 + 4 * i));
    header.last_row[i] = static_cast<double>(in.at<float>(312 + 4 * i));
  }
  return header;
}

NiftiMembers second_version(const Members& in) {
  using namespace std::string_view_literals;
  NiftiMembers header;
  header.separate = in.has(4, "ni2\0"sv);
  if (!header.separate && !in.has(4, "n+2\0"sv))
    throw DecodeFailure{"it is no NIfTI file: it lacks the letters n+2 or ni2"};
  if (!in.has(8, "\r\n\032\n"sv)) throw DecodeFailure{"its line ends were changed, as transfers in text mode do"};
  for (std::size_t i = 0; i < header.dim.size(); ++i)
    header.dim[i] = in.at<std::int64_t>(16 + 8 * i);
  for (std::size_t i = 0; i < header.pixdim.size(); ++i)
    header.pixdim[i] = in.at<double>(104 + 8 * i);
  header.type = in.at<std::int16_t>(12);
  header.bits = in.at<std::int16_t>(14);
  header.offset = static_cast<double>(in.at<std::int64_t>(168));
  header.slope = in.at<double>(176);
  header.intercept = in.at<double>(184);
  header.units = in.at<std::int32_t>(500);
  header.has_quaternion = in.at<std::int32_t>(344) > 0;
  header.has_matrix = in.at<std::int32_t>(348) > 0;
  for (std::size_t i = 0; i < 3; ++i) {
    header.quaternion[i] = in.at<double>(352 + 8 * i);
    header.last_row[i] = in.at<double>(464 + 8 * i);
  }
  return header;
}

/// Millimetres in the unit of length that the lowest three bits of xyzt_units state.
double millimetres(std::int32_t units) {
  switch (units & 7) {
    case 1:
      return 1000;
    case 3:
      return 0.001;
    default:
      return 1;  // 2 stands for millimetres, 0 for an unknown unit.
  }
}

/// The number of volumes: the product of the extents from the fourth on, no more than fits into 31 bits.
std::int64_t count_volumes(const NiftiMembers& stored) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  std::int64_t volumes = 1;
  for (std::size_t i = 4; std::cmp_less_equal(i, stored.dim[0]); ++i) {
    if (stored.dim[i] < 1) throw DecodeFailure{"its extent " + std::to_string(i) + " is below 1"};
    volumes = std::min(volumes * std::min(stored.dim[i], most), most);
  }
  return volumes;
}

/// NiftiHeader::upwards: from the matrix, or else from the quaternion.
std::array<double, 3> upwards_of(const NiftiMembers& stored) {
  std::array<double, 3> upwards{};
  const auto [b, c, d] = stored.quaternion;
  const double a = std::sqrt(std::max(0.0, 1 - b * b - c * c - d * d));
  if (stored.has_quaternion) upwards = {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c};
  if (stored.has_matrix)
    for (std::size_t i = 0; i < 3; ++i)
      upwards[i] = stored.pixdim[i + 1] != 0 ? stored.last_row[i] / std::abs(stored.pixdim[i + 1]) : 0;
  for (double& part : upwards)
    part = std::isfinite(part) ? std::clamp(part, -1.0, 1.0) : 0;
  return upwards;
}

NiftiHeader explained(const NiftiMembers& stored, bool swapped, std::int32_t header_bytes) {
  NiftiHeader header;
  const auto* const type = std::ranges::find(coded_numbers, stored.type, &CodedNumber::code);
  if (type == coded_numbers.end())
    throw DecodeFailure{"its datatype is " + std::to_string(stored.type) +
                        ": integers and floats of 8 to 64 bits are read"};
  header.numbers.type = type->type;
  header.numbers.swapped = swapped;
  if (stored.bits != 8 * header.numbers.bytes())
    throw DecodeFailure{"its datatype " + std::to_string(stored.type) + " has " +
                        std::to_string(8 * header.numbers.bytes()) + " bits, its bitpix is " +
                        std::to_string(stored.bits)};
  // A slope of 0 says that the numbers are not scaled; the same is assumed of what is no number.
  if (std::isfinite(stored.slope) && stored.slope != 0) {
    header.numbers.slope = stored.slope;
    header.numbers.intercept = std::isfinite(stored.intercept) ? stored.intercept : 0;
  }
  if (stored.dim[0] < 1 || stored.dim[0] > 7)
    throw DecodeFailure{"its number of dimensions is " + std::to_string(stored.dim[0]) + ": 1 to 7 are possible"};
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::cmp_less_equal(i + 1, stored.dim[0])) header.extents[i] = stored.dim[i + 1];
    // Signs have no meaning here, and 0 stands for a length that is not known.
    const double side = std::abs(stored.pixdim[i + 1]) * millimetres(stored.units);
    if (std::isfinite(side) && side > 0) header.spacing[i] = side;
  }
  header.volumes = count_volumes(stored);
  header.separate = stored.separate;
  header.upwards = upwards_of(stored);
  const double least = header.separate ? 0 : header_bytes;
  const bool unstated = !header.separate && stored.offset == 0;
  if (!(unstated || (stored.offset >= least && stored.offset <= max_offset)) ||
      stored.offset != std::floor(stored.offset))
    throw DecodeFailure{"its vox_offset is " + std::to_string(stored.offset) + ": a whole number from " +
                        std::to_string(static_cast<std::int64_t>(least)) + " on is wanted"};
  header.offset = static_cast<std::int64_t>(stored.offset);
  // Some programs leave it out: the numbers follow the header and the four bytes that say whether it is extended.
  if (unstated) header.offset = header_bytes + 4;
  return header;
}

/// Writes a member of a header at its byte offset.
template <class T>
void put(std::string& header, std::size_t offset, T value) {
  std::memcpy(header.data() + offset, &value, sizeof value);
}

}  // namespace

NiftiHeader read_nifti_header(Bytes beginning) {
  if (beginning.size() < sizeof(std::int32_t)) throw DecodeFailure{"it is truncated"};
  Members in{beginning};
  in.swapped = in.at<std::uint8_t>(0) == 0;  // Both lengths are below 2^16, so a leading 0 shows big endian.
  const auto length = in.at<std::int32_t>(0);
  if (length != first_version_bytes && length != second_version_bytes)
    throw DecodeFailure{"it is no NIfTI file: its header states a length of neither 348 nor 540 bytes"};
  if (std::cmp_less(beginning.size(), length)) throw DecodeFailure{"it is truncated"};
  return explained(length == first_version_bytes ? first_version(in) : second_version(in), in.swapped, length);
}

std::string nifti_header_text(const Shape& volume, const std::array<double, 3>& spacing) {
  using namespace std::string_view_literals;
  const std::array<std::int64_t, 8> dim{3, volume.width, volume.height, volume.depth, 1, 1, 1, 1};
  const bool fits = std::ranges::max(dim) <= std::numeric_limits<std::int16_t>::max();
  const std::int32_t length = fits ? first_version_bytes : second_version_bytes;
  constexpr std::int16_t float_bits = 32;
  std::string header(static_cast<std::size_t>(length) + extension_flag_bytes, '\0');
  put(header, 0, length);
  if (fits) {
    for (std::size_t i = 0; i < dim.size(); ++i)
      put(header, 40 + 2 * i, static_cast<std::int16_t>(dim[i]));
    put(header, 70, static_cast<std::int16_t>(float_code));
    put(header, 72, float_bits);
    put(header, 76, 1.0f);  // The first member of pixdim is no length but a sign.
    for (std::size_t i = 0; i < spacing.size(); ++i)
      put(header, 80 + 4 * i, static_cast<float>(spacing[i]));
    put(header, 108, static_cast<float>(header.size()));
    header.replace(344, 4, "n+1\0"sv);
  } else {
    header.replace(4, 8, "n+2\0\r\n\032\n"sv);
    put(header, 12, static_cast<std::int16_t>(float_code));
    put(header, 14, float_bits);
    for (std::size_t i = 0; i < dim.size(); ++i)
      put(header, 16 + 8 * i, dim[i]);
    put(header, 104, 1.0);
    for (std::size_t i = 0; i < spacing.size(); ++i)
      put(header, 112 + 8 * i, spacing[i]);
    put(header, 168, static_cast<std::int64_t>(header.size()));
  }
  return header;
}

}  // namespace threadscape::io
