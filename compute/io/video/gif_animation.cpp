// GIF through giflib: each frame has a palette of its own of up to 256 colours, found by median cut.

#include <gif_lib.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/io/file_writer.h"
#include "compute/io/video/animation.h"

namespace threadscape::io {

namespace {

constexpr int palette_size = 256;
constexpr int palette_bits = 8;

class GifWriter final : public AnimationWriter {
 public:
  using AnimationWriter::AnimationWriter;

 private:
  struct Close {
    void operator()(GifFileType* gif) const { EGifCloseFile(gif, nullptr); }
  };
  struct FreeMap {
    void operator()(ColorMapObject* map) const { GifFreeMapObject(map); }
  };

  void begin(int width, int height) override {
    constexpr int max_side = 65535;
    if (width > max_side || height > max_side)
      throw UsageError("cannot write '" + path().string() + "': a GIF has at most 65535 pixels a side");
    file_.emplace(path());
    int error = 0;
    gif_.reset(EGifOpen(this, on_write, &error));
    if (!gif_) fail_because(error);
    EGifSetGifVersion(gif_.get(), true);
    require(EGifPutScreenDesc(gif_.get(), width, height, palette_bits, 0, nullptr));
    write_loop();
  }

  void add_rgba(HostIn picture, double begin, double end) override {
    const FrameBox box = changed_box(before_, picture);
    const auto items = static_cast<std::size_t>(box.width) * static_cast<std::size_t>(box.height);
    std::vector<GifByteType> red(items), green(items), blue(items), indices(items);
    std::size_t i = 0;
    for (int y = box.y; y < box.y + box.height; ++y) {
      const auto* pixel = reinterpret_cast<const Rgba8*>(picture.data + static_cast<std::size_t>(y) * picture.pitch);
      for (int x = box.x; x < box.x + box.width; ++x, ++i) {
        red[i] = pixel[x].r;
        green[i] = pixel[x].g;
        blue[i] = pixel[x].b;
      }
    }
    int colours = palette_size;
    std::vector<GifColorType> palette(palette_size);
    require(GifQuantizeBuffer(static_cast<unsigned>(box.width), static_cast<unsigned>(box.height), &colours, red.data(),
                              green.data(), blue.data(), indices.data(), palette.data()));
    write_delay(begin, end);
    const std::unique_ptr<ColorMapObject, FreeMap> map(GifMakeMapObject(palette_size, palette.data()));
    require(EGifPutImageDesc(gif_.get(), box.x, box.y, box.width, box.height, false, map.get()));
    for (int y = 0; y < box.height; ++y)
      require(EGifPutLine(
          gif_.get(), indices.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(box.width), box.width));
    HostArray copy_of(picture.shape);
    copy(picture, copy_of.view());
    before_ = std::move(copy_of);
  }

  void end() override {
    int error = 0;
    if (EGifCloseFile(gif_.release(), &error) != GIF_OK) fail_because(error);
    if (thrown_) std::rethrow_exception(thrown_);
    file_->commit();
  }

  static int on_write(GifFileType* gif, const GifByteType* bytes, int count) {
    auto& self = *static_cast<GifWriter*>(gif->UserData);
    try {
      self.file_->write(bytes, static_cast<std::size_t>(count));
      return count;
    } catch (...) {
      self.thrown_ = std::current_exception();  // Exceptions must not pass through C code.
      return 0;
    }
  }

  /// The extension of Netscape that makes an animation repeat without end.
  void write_loop() {
    constexpr char name[] = "NETSCAPE2.0";
    constexpr GifByteType endless[] = {1, 0, 0};
    require(EGifPutExtensionLeader(gif_.get(), APPLICATION_EXT_FUNC_CODE));
    require(EGifPutExtensionBlock(gif_.get(), sizeof name - 1, name));
    require(EGifPutExtensionBlock(gif_.get(), sizeof endless, endless));
    require(EGifPutExtensionTrailer(gif_.get()));
  }

  /// The time of the next frame in hundredths of a second. Rounded sums keep the average rate.
  void write_delay(double begin, double end) {
    constexpr long most = 65535;
    const GraphicsControlBlock control{
        .DisposalMode = DISPOSE_DO_NOT,
        .UserInputFlag = false,
        .DelayTime = static_cast<int>(std::clamp(std::lround(100 * end) - std::lround(100 * begin), 1L, most)),
        .TransparentColor = NO_TRANSPARENT_COLOR};
    GifByteType bytes[4];
    EGifGCBToExtension(&control, bytes);
    require(EGifPutExtension(gif_.get(), GRAPHICS_EXT_FUNC_CODE, sizeof bytes, bytes));
  }

  void require(int result) const {
    if (result != GIF_OK) fail_because(gif_->Error);
  }
  [[noreturn]] void fail_because(int error) const {
    if (thrown_) std::rethrow_exception(thrown_);
    const char* text = GifErrorString(error);
    fail(text != nullptr ? text : "giflib failed");
  }

  std::optional<FileWriter> file_;
  std::exception_ptr thrown_;
  std::unique_ptr<GifFileType, Close> gif_;
  std::optional<HostArray> before_;  ///< The frame before the next one.
};

}  // namespace

std::unique_ptr<FrameWriter> make_gif(const std::filesystem::path& path, const FrameWriterOptions& options) {
  return std::make_unique<GifWriter>(path, options);
}

}  // namespace threadscape::io
