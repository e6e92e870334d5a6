// Headers of MetaImage and NRRD in the forms that 3D Slicer, ITK and pynrrd write and read, made here line by line. All
// volumes are 2 x 3 x 4 numbers in the order of the file, from 0 to 23.

#include <zlib.h>

#include <algorithm>

#include "compute/io/volumes/volume_file.h"
#include "generated/file_libraries.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

constexpr int count = 24;

template <class T>
std::string ramp_of(bool swapped = false, int first = 0, int last = count) {
  std::string bytes;
  for (int i = first; i < last; ++i) {
    const T value = static_cast<T>(i);
    std::string one(reinterpret_cast<const char*>(&value), sizeof value);
    if (swapped) std::ranges::reverse(one);
    bytes += one;
  }
  return bytes;
}

std::string ramp_text() {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += std::to_string(i) + (i % 5 == 4 ? "\n" : " ");
  return text;
}

std::string packed_by_zlib(const std::string& bytes) {
  std::string packed(compressBound(bytes.size()), '\0');
  uLongf size = packed.size();
  EXPECT_EQ(compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                     bytes.size()),
            Z_OK);
  packed.resize(size);
  return packed;
}

class VolumeHeaders : public TestFolder {
 protected:
  /// Expects the ramp in the file, and these sides of a voxel along x, y and z.
  void expect_ramp(const std::string& name, const std::array<double, 3>& spacing = {1, 1, 1}) const {
    SCOPED_TRACE(name);
    try {
      const io::Loaded volume = io::load_volume(path(name), {}, {});
      EXPECT_EQ(volume.pixels.shape(), (Shape{Kind::volume, Element::f32, 1, 2, 3, 4}));
      std::vector<double> wanted(count);
      for (int i = 0; i < count; ++i)
        wanted[static_cast<std::size_t>(i)] = i;
      EXPECT_EQ(floats_of(volume.pixels), wanted);
      const std::array<double, 3> read = io::VolumeReader(path(name), {}).spacing();
      for (std::size_t axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(read[axis], spacing[axis], 1e-12) << "a length is the root of a sum of squares";
    } catch (const EnvironmentError& error) {
      ADD_FAILURE() << error.what();
    }
  }
  std::string failure(const std::string& name) const {
    try {
      (void)io::load_volume(path(name), {}, {});
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "accepted";
  }
  void write_nrrd(const std::string& name, const std::string& fields, const std::string& numbers) const {
    write_bytes(path(name),
                "NRRD0004\n# a comment\ntype: short\ndimension: 3\nsizes: 2 3 4\nencoding: raw\nendian: little\n" +
                    fields + "\n" + numbers);
  }
  void write_meta(const std::string& name, const std::string& lines, const std::string& numbers) const {
    write_bytes(path(name), "NDims = 3\nDimSize = 2 3 4\nElementType = MET_SHORT\n" + lines + numbers);
  }
};

TEST_F(VolumeHeaders, NrrdSidesOfVoxels) {
  const std::string numbers = ramp_of<std::int16_t>();
  write_nrrd("spacings.nrrd", "spacings: 0.5 0.7 2\n", numbers);
  expect_ramp("spacings.nrrd", {0.5, 2, 0.7});
  write_nrrd("directions.nrrd", "space: left-posterior-superior\nspace directions: (0.5,0,0) (0,0.7,0) (0,0,2)\n",
             numbers);
  expect_ramp("directions.nrrd", {0.5, 2, 0.7});
  write_nrrd("turned.nrrd", "space directions: (0, 0.3, 0.4) (-0.7,0,0) (0,0,-2)\n", numbers);
  expect_ramp("turned.nrrd", {0.5, 2, 0.7});
  write_nrrd("unknown.nrrd", "spacings: 0.5 0.7 nan\n", numbers);
  expect_ramp("unknown.nrrd", {0.5, 1, 0.7});
  write_nrrd("none.nrrd", "spacings: nan nan nan\n", numbers);
  expect_ramp("none.nrrd");
  EXPECT_EQ(io::VolumeReader(path("none.nrrd"), {}).settings().size(), 1u) << "no length is stated";
}

TEST_F(VolumeHeaders, NrrdFieldsMayBeWrittenInManyWays) {
  write_nrrd("blank.nrrd", "", ramp_of<std::int16_t>());
  expect_ramp("blank.nrrd");
  write_bytes(path("capitals.nrrd"),
              "NRRD0005\r\nType:int16_t\r\nDimension:3\r\nSizes:2 3 4\r\nEncoding:RAW\r\nEndian:little\r\n"
              "key:=value\r\n\r\n" +
                  ramp_of<std::int16_t>());
  expect_ramp("capitals.nrrd");
  const auto typed = [&](const std::string& name, const std::string& numbers) {
    write_bytes(path("type.nrrd"), "NRRD0004\ntype: " + name +
                                       "\ndimension: 3\nsizes: 2 3 4\nencoding: raw\nendian: little\n\n" + numbers);
    SCOPED_TRACE(name);
    expect_ramp("type.nrrd");
  };
  for (const char* name : {"signed char", "int8", "int8_t", "uchar", "unsigned char", "uint8", "uint8_t"})
    typed(name, ramp_of<std::uint8_t>());
  for (const char* name : {"short", "short int", "signed short", "signed short int", "int16", "int16_t", "ushort",
                           "unsigned short", "unsigned short int", "uint16", "uint16_t"})
    typed(name, ramp_of<std::int16_t>());
  for (const char* name : {"int", "signed int", "int32", "int32_t", "uint", "unsigned int", "uint32", "uint32_t"})
    typed(name, ramp_of<std::int32_t>());
  for (const char* name :
       {"longlong", "long long", "long long int", "signed long long", "signed long long int", "int64", "int64_t",
        "ulonglong", "unsigned long long", "unsigned long long int", "uint64", "uint64_t"})
    typed(name, ramp_of<std::int64_t>());
  typed("float", ramp_of<float>());
  typed("double", ramp_of<double>());
}

TEST_F(VolumeHeaders, NrrdAxesOfOneEntryAreNone) {
  write_bytes(path("four.nrrd"),
              "NRRD0004\ntype: uint8\ndimension: 4\nsizes: 1 2 3 4\nkinds: vector domain domain domain\n"
              "space directions: none (0.5,0,0) (0,0.7,0) (0,0,2)\nencoding: raw\n\n" +
                  ramp_of<std::uint8_t>());
  expect_ramp("four.nrrd", {0.5, 2, 0.7});
  write_bytes(path("times.nrrd"), "NRRD0004\ntype: uint8\ndimension: 4\nsizes: 2 3 4 2\nencoding: raw\n\n" +
                                      ramp_of<std::uint8_t>() + ramp_of<std::uint8_t>());
  EXPECT_NE(failure("times.nrrd").find("4 axes"), std::string::npos);
}

TEST_F(VolumeHeaders, NrrdCodings) {
  write_nrrd("big.nrrd", "endian: big\n", ramp_of<std::int16_t>(true));
  expect_ramp("big.nrrd");
  write_nrrd("text.nrrd", "encoding: ascii\n", ramp_text());
  expect_ramp("text.nrrd");
  write_nrrd("few.nrrd", "encoding: text\n", "1 2 3");
  EXPECT_NE(failure("few.nrrd").find("fewer numbers"), std::string::npos);
  write_nrrd("word.nrrd", "encoding: txt\n", "1 2 three" + std::string(40, ' '));
  EXPECT_NE(failure("word.nrrd").find("number 3 of it is none"), std::string::npos);
  write_nrrd("zip.nrrd", "encoding: gzip\nbyte skip: 3\n", packed_by_zlib("xyz" + ramp_of<std::int16_t>()));
  expect_ramp("zip.nrrd");
  // What bzip2 -9 makes of the ramp.
  const std::string packed = from_hex(
      "425a683931415926535941616f55000000e0007fffff80200022350000032141a3468320344512d8d73e1194e95b5f19"
      "d6f9df1a1800be2ee48a70a12082c2deaa");
  write_nrrd("bz.nrrd", "encoding: bzip2\n", packed);
  if (TS_HAS_BZIP2)
    expect_ramp("bz.nrrd");
  else
    EXPECT_NE(failure("bz.nrrd").find("libbz2-dev"), std::string::npos);
  write_nrrd("cut.nrrd", "encoding: bzip2\n", packed.substr(0, packed.size() - 9));
  EXPECT_NE(failure("cut.nrrd"), "accepted");
  write_nrrd("long.nrrd", "encoding: bzip2\nsizes: 2 3 3\n", packed);
  EXPECT_NE(failure("long.nrrd"), "accepted");
}

TEST_F(VolumeHeaders, NrrdNumbersInOtherFiles) {
  write_bytes(path("n.raw"), ramp_of<std::int16_t>());
  write_nrrd("a.nhdr", "data file: n.raw\n", "");
  expect_ramp("a.nhdr");
  write_bytes(path("skip.raw"), "one\ntwo\nxx" + ramp_of<std::int16_t>());
  write_nrrd("skip.nhdr", "DataFile: skip.raw\nline skip: 2\nbyte skip: 2\n", "");
  expect_ramp("skip.nhdr");
  write_nrrd("end.nhdr", "data file: skip.raw\nbyte skip: -1\n", "");
  expect_ramp("end.nhdr");
  for (int part = 0; part < 4; ++part)
    write_bytes(path("p_" + std::to_string(part) + ".raw"), ramp_of<std::int16_t>(false, 6 * part, 6 * part + 6));
  write_nrrd("pattern.nhdr", "data file: p_%d.raw 0 3 1\n", "");
  expect_ramp("pattern.nhdr");
  write_nrrd("list.nhdr", "data file: LIST\np_0.raw\np_1.raw\np_2.raw\np_3.raw\n", "");
  expect_ramp("list.nhdr");
  write_nrrd("unequal.nhdr", "data file: p_%d.raw 0 2 1\n", "");
  EXPECT_NE(failure("unequal.nhdr").find("4 layers are in 3 files"), std::string::npos);
  write_nrrd("outside.nhdr", "data file: /etc/passwd\n", "");
  EXPECT_NE(failure("outside.nhdr").find("outside of its folder"), std::string::npos);
}

TEST_F(VolumeHeaders, MetaImageTypesAndOrders) {
  for (const char* truth : {"True", "true", "TRUE", "T", "1"}) {
    write_meta("big.mha", std::string("BinaryDataByteOrderMSB = ") + truth + "\nElementDataFile = LOCAL\n",
               ramp_of<std::int16_t>(true));
    expect_ramp("big.mha");
  }
  write_meta("little.mha", "ElementByteOrderMSB = False\nElementDataFile = LOCAL\n", ramp_of<std::int16_t>());
  expect_ramp("little.mha");
  const auto typed = [&](const std::string& type, const std::string& numbers) {
    write_meta("type.mha", "ElementType = " + type + "\nElementDataFile = LOCAL\n", numbers);
    SCOPED_TRACE(type);
    expect_ramp("type.mha");
  };
  typed("MET_CHAR", ramp_of<std::int8_t>());
  typed("MET_INT", ramp_of<std::int32_t>());
  typed("MET_UINT", ramp_of<std::uint32_t>());
  typed("MET_LONG", ramp_of<std::int32_t>());
  typed("MET_LONG_LONG", ramp_of<std::int64_t>());
  typed("MET_ULONG_LONG", ramp_of<std::uint64_t>());
}

TEST_F(VolumeHeaders, MetaImageSidesOfVoxels) {
  const std::string local = "ElementDataFile = LOCAL\n", numbers = ramp_of<std::int16_t>();
  write_meta("size.mha", "ElementSize = 0.5 0.7 2\n" + local, numbers);
  expect_ramp("size.mha", {0.5, 2, 0.7});
  write_meta("both.mha", "ElementSpacing = 0.5 0.7 2\nElementSize = 9 9 9\n" + local, numbers);
  expect_ramp("both.mha", {0.5, 2, 0.7});
}

TEST_F(VolumeHeaders, MetaImageNumbers) {
  write_meta("packed.mha", "CompressedData = True\nCompressedDataSize = 40\nElementDataFile = LOCAL\n",
             packed_by_zlib(ramp_of<std::int16_t>()));
  expect_ramp("packed.mha");
  write_bytes(path("text.txt"), ramp_text());
  write_meta("text.mhd", "BinaryData = False\nElementDataFile = text.txt\n", "");
  expect_ramp("text.mhd");
  write_bytes(path("head.raw"), "header" + ramp_of<std::int16_t>());
  write_meta("head.mhd", "HeaderSize = 6\nElementDataFile = head.raw\n", "");
  expect_ramp("head.mhd");
  write_meta("end.mhd", "HeaderSize = -1\nElementDataFile = head.raw\n", "");
  expect_ramp("end.mhd");
  for (int part = 0; part < 4; ++part)
    write_bytes(path("s0" + std::to_string(part) + ".raw"), ramp_of<std::int16_t>(false, 6 * part, 6 * part + 6));
  write_meta("list.mhd", "ElementDataFile = LIST\n", "s00.raw\ns01.raw\ns02.raw\ns03.raw\n");
  expect_ramp("list.mhd");
  write_meta("pattern.mhd", "ElementDataFile = s%02d.raw 0 3 1\n", "");
  expect_ramp("pattern.mhd");
  write_meta("empty.mhd", "ElementDataFile = LIST\n", "");
  EXPECT_NE(failure("empty.mhd").find("no names follow"), std::string::npos);
}

TEST_F(VolumeHeaders, BytesBehindTheNumbersAreSaid) {
  write_nrrd("long.nrrd", "", ramp_of<std::int16_t>() + "rest");
  expect_ramp("long.nrrd");
  const std::string note = io::load_volume(path("long.nrrd"), {}, {}).note;
  EXPECT_NE(note.find("long.nrrd': the 4 bytes behind its numbers are left out"), std::string::npos) << note;
}

TEST_F(VolumeHeaders, AxesThatAreNotAtRightAnglesAreSaid) {
  const auto note = [&](const std::string& directions) {
    write_nrrd("a.nrrd", "space dimension: 3\nspace directions: " + directions + "\n", ramp_of<std::int16_t>());
    return io::load_volume(path("a.nrrd"), {}, {}).note;
  };
  EXPECT_EQ(note("(0.5,0,0) (0,0.7,0) (0,0,2)"), "");
  EXPECT_EQ(note("(0.3,0.4,0) (-0.4,0.3,0) (0,0,2)"), "") << "turned, but not sheared";
  EXPECT_NE(note("(0.5,0,0) (0.2,0.7,0) (0,0,2)").find("not at right angles"), std::string::npos);
}

TEST_F(VolumeHeaders, TwoAxesAreASingleLayer) {
  write_bytes(path("a.nrrd"),
              "NRRD0004\ntype: uchar\ndimension: 2\nsizes: 2 3\nencoding: raw\nspacings: 2 3\n\n\1\2\3\4\5\6");
  write_bytes(path("a.mha"),
              "NDims = 2\nDimSize = 2 3\nElementSpacing = 2 3\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n"
              "\1\2\3\4\5\6");
  for (const char* name : {"a.nrrd", "a.mha"}) {
    const io::VolumeReader reader(path(name), {});
    EXPECT_EQ(reader.shape(), (Shape{Kind::volume, Element::f32, 1, 2, 3, 1})) << name;
    EXPECT_EQ(reader.spacing(), (std::array<double, 3>{2, 1, 3})) << name;
    EXPECT_EQ(floats_of(io::load_volume(path(name), {}, {}).pixels), (std::vector<double>{1, 2, 3, 4, 5, 6})) << name;
  }
}

TEST_F(VolumeHeaders, NumPysDefaultTypeIsRead) {
  std::string array("\x93NUMPY\x01\0\x46\0", 10);
  array += "{'descr': '<i8', 'fortran_order': False, 'shape': (4, 3, 2), }";
  array.resize(10 + 0x46 - 1, ' ');
  write_bytes(path("a.npy"), array + "\n" + ramp_of<std::int64_t>());
  expect_ramp("a.npy");
}

}  // namespace
}  // namespace threadscape
