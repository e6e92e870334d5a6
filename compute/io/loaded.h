#pragma once
// What readers of files take and return.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/data.h"
#include "compute/core/mesh_builder.h"
#include "compute/io/pictures/picture_facts.h"

namespace threadscape::io {

/// The channels of a file, so that a result can be written the same way: RGB stays RGB although it is RGBA in memory.
enum class FileColour : std::uint8_t { grey, grey_alpha, rgb, rgba };

/// The axis of a volume's file that a scanner turns about, counted from the axis that varies fastest. It becomes z; the
/// others become x and y in their cyclic order, or, where the second axis is z, the first x and the third y.
enum class VolumeAxis : std::uint8_t { of_patient, first, second, third };

/// The names of the axes on the command line and in sessions.
inline constexpr std::array<std::string_view, 4> volume_axis_names{"auto", "1", "2", "3"};

/// How the file of a volume is read.
struct VolumeReading {
  /// The axis that becomes z. That of the patient, from the feet to the head, is known from DICOM and NIfTI.
  VolumeAxis axis = VolumeAxis::second;
  /// The attenuation of water for each unit of length: voxels are Hounsfield units, and become attenuation of at least
  /// 0. Where it is not set, voxels are what they are.
  std::optional<double> water = {};
  bool operator==(const VolumeReading&) const = default;
};

/// What was read from a file: data of any kind.
struct Loaded {
  /// The data. Those of pictures are u8, u16 or f32; 1 channel (grey) or 4 (RGBA, opaque where the file has no alpha).
  HostArray pixels;
  FileColour colour = FileColour::grey;  ///< The channels of the pictures in the file.
  /// Names and values that the file states for parameters of algorithms: the spacing of a volume, the geometry of a
  /// scanner.
  std::vector<std::pair<std::string, std::string>> settings = {};
  /// What was left out of the file or assumed about it, as a sentence for the user that names the file; usually "".
  std::string note = {};
  PictureFacts facts = {};     ///< What the file of a picture states beside its pixels.
  VolumeReading reading = {};  ///< How a volume was read from its file.
};

/// A small picture of a large one, for the eye alone, while that is being read.
struct Overview {
  HostArray pixels;                    ///< 8-bit, grey or RGBA; its alpha has no meaning.
  std::int64_t width = 0, height = 0;  ///< The size of the large picture.
};

/// What the one who waits for a picture sees of its decoding. Each function is called on one thread, not always on that
/// which reads, and throws nothing.
struct ReadingWatch {
  /// Called with an overview while the pixels are decoded, where a format has a quick way to make one, and where the
  /// picture has at least `overview_pixels`. May be empty.
  std::function<void(Overview)> overview = {};
  /// Called with the decoded share, 0..1, by formats that decode for long. May be empty.
  std::function<void(double)> progress = {};

  /// Smaller pictures are read so quickly that nobody needs an overview.
  static constexpr std::int64_t overview_pixels = std::int64_t{1} << 24;
  /// Returns whether an overview of a picture of this size is to be made.
  [[nodiscard]] bool wants_overview(std::int64_t width, std::int64_t height) const {
    return overview && width * height >= overview_pixels;
  }
};

/// How files are read. The limits of their size are in limits.h.
struct LoadOptions {
  /// The type that pixels are converted to after decoding; the file's own type where it is not set.
  std::optional<Element> element = {};
  /// How normals are made that the file of a mesh does not have.
  NormalOptions normals = {};
  VolumeReading volume = {};
  /// A header may name data outside of its own folder. Set by --allow-outside.
  bool allow_outside = false;
  ReadingWatch watch = {};    ///< For single pictures.
  std::stop_token stop = {};  ///< Ends reading; the reader throws Cancelled.
};

}  // namespace threadscape::io
