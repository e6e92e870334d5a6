#pragma once
// What readers of files take and return.

#include <array>
#include <cstdint>
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

/// How files are read. The limits of their size are in limits.h.
struct LoadOptions {
  /// The type that pixels are converted to after decoding; the file's own type where it is not set.
  std::optional<Element> element = {};
  /// How normals are made that the file of a mesh does not have.
  NormalOptions normals = {};
  VolumeReading volume = {};
  /// A header may name data outside of its own folder. Set by --allow-outside.
  bool allow_outside = false;
  std::stop_token stop = {};  ///< Ends reading; the reader throws Cancelled.
};

}  // namespace threadscape::io
