#include "compute/io/pictures/row_files.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/io/file_extension.h"
#include "compute/io/input_file.h"
#include "compute/io/numbers/npy_array.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/standard_stream.h"
#include "generated/file_libraries.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

template <class T>
void add_opaque(const std::byte* from, std::int64_t width, T opaque, std::byte* to) {
  const T* source = reinterpret_cast<const T*>(from);
  T* pixel = reinterpret_cast<T*>(to);
  for (std::int64_t x = 0; x < width; ++x, source += 3, pixel += 4) {
    std::copy_n(source, 3, pixel);
    pixel[3] = opaque;
  }
}

class NpyRows final : public PictureRows {
 public:
  NpyRows(InputFile file, fs::path path, const NpyHeader& header, const Shape& shape)
      : file_(std::move(file)),
        path_(std::move(path)),
        shape_(shape),
        samples_(shape.channels == 1 ? 1 : 3),
        at_(static_cast<std::int64_t>(header.size)),
        row_(static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(samples_) * size_of(shape.element)) {}

  [[nodiscard]] const Shape& shape() const override { return shape_; }
  [[nodiscard]] FileColour colour() const override { return samples_ == 1 ? FileColour::grey : FileColour::rgb; }
  [[nodiscard]] std::size_t held_bytes() const override { return row_.size(); }
  void read(const HostOut& rows) override {
    for (std::int64_t y = 0; y < rows.shape.height; ++y) {
      if (!file_.read_at(at_, row_.data(), row_.size())) cannot_read(path_, "it is truncated");
      at_ += static_cast<std::int64_t>(row_.size());
      copy_row(row_.data(), samples_, shape_, rows.data + static_cast<std::size_t>(y) * rows.pitch);
    }
  }

 private:
  InputFile file_;
  fs::path path_;
  Shape shape_;
  int samples_;
  std::int64_t at_;
  std::vector<std::byte> row_;
};

std::unique_ptr<PictureRows> open_npy_rows(InputFile file, const fs::path& path, Bytes beginning,
                                           std::string& why_not) {
  const NpyHeader header = read_npy_header(beginning);
  const std::size_t axes = header.extents.size();
  const bool numbers = (header.kind == 'u' && header.bytes <= 2) || (header.kind == 'f' && header.bytes == 4);
  if (axes < 2 || axes > 3 || (axes == 3 && header.extents[2] != 1 && header.extents[2] != 3) || !numbers ||
      header.swapped || header.fortran) {
    why_not = "its array " + header.text() +
              " is none of u1, u2 or f4 in this machine's order, row by row, (height, width) or (height, width, 3)";
    return nullptr;
  }
  const Element element = header.kind == 'f' ? Element::f32 : header.bytes == 1 ? Element::u8 : Element::u16;
  const int channels = axes == 3 && header.extents[2] == 3 ? 4 : 1;
  const Shape shape = Shape::image(element, channels, header.extents[1], header.extents[0]);
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (shape.width < 1 || shape.height < 1 || shape.width > most || shape.height > most)
    throw DecodeFailure{"its array " + header.text() + " is empty or too long"};
  if ((file.size() - static_cast<std::int64_t>(header.size)) / header.bytes < header.count())
    throw DecodeFailure{"it is truncated"};
  return std::make_unique<NpyRows>(std::move(file), path, header, shape);
}

class NpyRowWriter final : public PictureRowWriter {
 public:
  NpyRowWriter(const fs::path& path, const Shape& shape, FileColour colour) : file_(path), shape_(shape) {
    samples_ = shape.channels == 1 ? 1U : colour == FileColour::rgb ? 3U : 4U;
    std::vector<std::int64_t> extents{shape.height, shape.width};
    if (samples_ > 1) extents.push_back(static_cast<std::int64_t>(samples_));
    const char* const type = shape.element == Element::f32 ? "<f4" : shape.element == Element::u16 ? "<u2" : "|u1";
    file_.write(npy_header_text(type, extents));
  }

  [[nodiscard]] std::int64_t rows_together() const override { return 1; }
  [[nodiscard]] std::size_t held_bytes(std::int64_t /*rows*/) const override { return row_bytes(); }
  void write(const HostIn& rows) override {
    row_.resize(row_bytes());
    const std::size_t number = size_of(shape_.element), pixel = shape_.pixel_bytes();
    for (std::int64_t y = 0; y < rows.shape.height; ++y) {
      const std::byte* from = rows.data + static_cast<std::size_t>(y) * rows.pitch;
      for (std::int64_t x = 0; samples_ == 3 && x < shape_.width; ++x)
        std::memcpy(row_.data() + static_cast<std::size_t>(x) * 3 * number, from + static_cast<std::size_t>(x) * pixel,
                    3 * number);
      file_.write(samples_ == 3 ? row_.data() : from, row_.size());
    }
  }
  void finish() override { file_.commit(); }

 private:
  [[nodiscard]] std::size_t row_bytes() const {
    return static_cast<std::size_t>(shape_.width) * samples_ * size_of(shape_.element);
  }

  FileWriter file_;
  Shape shape_;
  std::size_t samples_ = 1;
  std::vector<std::byte> row_;
};

}  // namespace

void copy_row(const std::byte* from, int samples, const Shape& shape, std::byte* to) {
  if (samples == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(shape.width) * size_of(shape.element));
  } else if (shape.element == Element::u8) {
    add_opaque<std::uint8_t>(from, shape.width, 255, to);
  } else if (shape.element == Element::u16) {
    add_opaque<std::uint16_t>(from, shape.width, 65535, to);
  } else {
    add_opaque<float>(from, shape.width, 1.0f, to);
  }
}

std::unique_ptr<PictureRows> open_picture_rows(const fs::path& path, std::string& why_not,
                                               const std::stop_token& stop) {
  if (is_standard_stream(path)) {
    why_not = "standard input is read as a whole";
    return nullptr;
  }
  InputFile file(path, stop);
  if (!file.is_regular()) {
    why_not = "it is a pipe, which is read as a whole";
    return nullptr;
  }
  std::vector<std::byte> beginning(static_cast<std::size_t>(std::min(picture_beginning, file.size())));
  if (!file.read_at(0, beginning.data(), beginning.size())) cannot_read(path, "it is truncated");
  try {
    if (is_npy(beginning)) return open_npy_rows(std::move(file), path, beginning, why_not);
    const ImageFormat* const format = beginning.empty() ? nullptr : sniffed_format(beginning);
    if (TS_HAS_TIFF && format != nullptr && format->name == "TIFF") return open_tiff_rows(path, why_not, stop);
    why_not = std::string(format == nullptr ? "it" : format->name) +
              " is read as a whole: the rows of TIFF and NPY are read one after another";
    return nullptr;
  } catch (const DecodeFailure& failure) {
    cannot_read(path, failure.cause);
  }
}

std::unique_ptr<PictureRowWriter> make_picture_rows(const fs::path& path, const Shape& shape, FileColour colour,
                                                    const PictureFacts& facts, int threads) {
  const std::string extension = extension_of(path);
  if (is_standard_stream(path)) throw UsageError("standard output is written as a whole, not in strips");
  if (extension == ".npy") return std::make_unique<NpyRowWriter>(path, shape, colour);
  if (TS_HAS_TIFF && (extension == ".tif" || extension == ".tiff"))
    return make_tiff_rows(path, shape, colour, facts, threads);
  throw UsageError("cannot write '" + path.string() + "' in strips: .tif, .tiff and .npy can be");
}

#if !TS_HAS_TIFF
std::unique_ptr<PictureRows> open_tiff_rows(const fs::path&, std::string&, const std::stop_token&) {
  throw UsageError("this build reads no TIFF");
}
std::unique_ptr<PictureRowWriter> make_tiff_rows(const fs::path&, const Shape&, FileColour, const PictureFacts&, int) {
  throw UsageError("this build writes no TIFF");
}
#endif

}  // namespace threadscape::io
