// Volumes: MetaImage with its numbers in the same or another file, NRRD, NPY, NIfTI, .dat and .raw. Each is written and
// read again.

#include <array>
#include <cmath>
#include <string>

#include "compute/io/volumes/volume_file.h"
#include "compute/registry/file_settings.h"
#include "compute/registry/registry.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

namespace {

constexpr std::array<const char*, 8> names{"volume.mhd",  "volume.mha", "volume.dat", "volume.raw",
                                           "volume.nrrd", "volume.npy", "volume.nii", "volume.hdr"};

void write_and_read_volume(HostIn volume, const io::VolumeReader& reader) {
  const auto path = scratch_path("written.mhd");
  io::save_volume(path, volume, {.spacing = reader.spacing()});
  io::VolumeReader again(path, {});
  expect(again.spacing() == reader.spacing(), ".mhd is read back with another spacing");
  expect(equal_data(volume, io::load_volume(path, {}, {}).pixels.view()), ".mhd is read back with other voxels");
  const auto nifti = scratch_path("written.nii");
  io::save_volume(nifti, volume, {});
  expect(equal_data(volume, io::load_volume(nifti, {}, {}).pixels.view()), ".nii is read back with other voxels");
  if (!reader.dat()) return;
  const auto dat = scratch_path("written.dat");
  io::save_dat(dat, *reader.dat(), volume);
  expect(io::VolumeReader(dat, {}).dat() == reader.dat(), ".dat is read back with another header");
  expect(equal_data(volume, io::load_volume(dat, {}, {}).pixels.view()), ".dat is read back with other voxels");
}

}  // namespace

FUZZ_TARGET(volumes) {
  const std::string name = names[input.choice(names.size())];
  Shape wanted{.kind = Kind::volume, .element = Element::f32};
  if (name == "volume.raw") {
    wanted.width = static_cast<std::int64_t>(input.choice(8));
    wanted.height = static_cast<std::int64_t>(input.choice(8));
    wanted.depth = static_cast<std::int64_t>(input.choice(8));
  }
  // Headers may name this file of 96 bytes.
  static const auto numbers = scratch_file("numbers.raw", io::Bytes(std::array<std::byte, 96>{}));
  static const auto image = scratch_file("volume.img", io::Bytes(std::array<std::byte, 96>{}));
  const auto path = scratch_file(name, input.bytes());
  io::VolumeReader reader(path, wanted);
  for (const double side : reader.spacing())
    expect(std::isfinite(side) && side > 0, "the spacing is no length");
  // The settings that a file states are assigned to parameters without asking the user.
  for (const AlgorithmInfo& algorithm : algorithms()) {
    ParamBox params = algorithm.defaults();
    apply_settings(algorithm, reader.settings(), params);
  }
  const io::Loaded volume = io::load_volume(path, wanted, {});
  note_result(volume.pixels.view());
  write_and_read_volume(volume.pixels.view(), reader);
}

}  // namespace threadscape::fuzz
