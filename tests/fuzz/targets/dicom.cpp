// DICOM: files as a series of their own. What is read is the same when it is read again.

#include <cmath>
#include <filesystem>
#include <string>

#include "compute/io/volumes/volume_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/support/compute/scoped_limit.h"

namespace threadscape::fuzz {

FUZZ_TARGET(dicom) {
  const ScopedLimit voxels(io::Limit::voxels, 1 << 24);
  // The folder of a file is searched for the rest of its series, so it holds this file alone.
  const auto folder = scratch_path("series");
  std::filesystem::create_directory(folder);
  const auto path = scratch_file("series/IM0001", input.bytes());
  const io::VolumeReader reader(path, {});
  for (const double side : reader.spacing())
    expect(std::isfinite(side) && side > 0, "the spacing is no length");
  expect(reader.note().find('\n') == std::string::npos, "the note has several lines");
  const io::Loaded volume = io::load_volume(path, {}, {});
  note_result(volume.pixels.view());
  expect(volume.pixels.shape() == reader.shape(), "the volume has another size than its header");
  expect(equal_data(volume.pixels.view(), io::load_volume(folder, {}, {}).pixels.view()),
         "the folder is read with other voxels than its file");
}

}  // namespace threadscape::fuzz
