#include "compute/io/video/camera.h"

#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <span>
#include <utility>

#include "compute/core/errors.h"
#include "compute/io/folder_reader.h"
#include "compute/io/limits.h"
#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view device_prefix = "/dev/video";

/// Formats that are read, the better ones first: those without losses before JPEG.
constexpr std::array<std::pair<std::uint32_t, std::string_view>, 6> camera_formats{{{V4L2_PIX_FMT_YUYV, "YUYV"},
                                                                                    {V4L2_PIX_FMT_NV12, "NV12"},
                                                                                    {V4L2_PIX_FMT_YUV420, "YUV420"},
                                                                                    {V4L2_PIX_FMT_RGB24, "RGB24"},
                                                                                    {V4L2_PIX_FMT_GREY, "grey"},
                                                                                    {V4L2_PIX_FMT_MJPEG, "JPEG"}}};

std::uint8_t to_byte(int value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0, 255));
}

/// ITU-R BT.601 with Y of 16..235, in fixed point with 8 bits after the point.
Rgba8 to_rgba(int y, int u, int v) {
  const int c = 298 * (y - 16) + 128, d = u - 128, e = v - 128;
  return {to_byte((c + 409 * e) >> 8), to_byte((c - 100 * d - 208 * e) >> 8), to_byte((c + 516 * d) >> 8), 255};
}

/// Bytes that a frame of this format has at least; 0 for JPEG, whose decoder checks it.
std::size_t frame_bytes(std::uint32_t format, std::size_t width, std::size_t height, std::size_t pitch) {
  switch (format) {
    case V4L2_PIX_FMT_YUYV:
      return pitch * (height - 1) + (width + 1) / 2 * 4;
    case V4L2_PIX_FMT_NV12:
    case V4L2_PIX_FMT_YUV420:
      return pitch * height + (height + 1) / 2 * ((pitch + 1) / 2) * 2;
    case V4L2_PIX_FMT_RGB24:
      return pitch * (height - 1) + width * 3;
    case V4L2_PIX_FMT_GREY:
      return pitch * (height - 1) + width;
    default:
      return 0;
  }
}

class Camera final : public FrameSource {
 public:
  Camera(std::string path, const FrameOptions& options, CameraCalls calls)
      : path_(std::move(path)), stop_(options.stop), calls_(std::move(calls)) {
    file_ = calls_.open(path_.c_str());
    if (file_ < 0) fail(cause_of_open(errno));
    try {
      set_up(options.frames_per_second);
      start();
    } catch (...) {
      shut_down();
      throw;
    }
  }
  ~Camera() override { shut_down(); }

  [[nodiscard]] const FrameInfo& info() const override { return info_; }
  [[nodiscard]] std::string note() const override { return note_; }
  [[nodiscard]] std::int64_t count() override { return -1; }
  void seek(std::int64_t) override { throw UsageError("'" + path_ + "' is a camera: its frames come once, in order"); }

  bool advance() override {
    for (bool good = false; !good;) {
      if (!note_.empty() || !wait_for_frame()) return false;
      v4l2_buffer buffer = empty_buffer();
      if (control(VIDIOC_DQBUF, &buffer) != 0) return end_with(std::strerror(errno));
      now_ = std::chrono::steady_clock::now();
      good = buffer.index < buffers_.size() && (buffer.flags & V4L2_BUF_FLAG_ERROR) == 0 &&
             take(buffers_[buffer.index], buffer.bytesused);
      if (control(VIDIOC_QBUF, &buffer) != 0) return end_with(std::strerror(errno));
      damaged_ = good ? 0 : damaged_ + 1;
      if (damaged_ >= max_damaged) return end_with("its frames are damaged");
    }
    if (index_ < 0) first_ = now_;
    ++index_;
    seconds_ = std::chrono::duration<double>(now_ - first_).count();
    return true;
  }

  void picture(Frame& frame) override {
    if (frame.pixels.shape() != pixels_.shape()) frame.pixels = HostArray(pixels_.shape());
    copy(pixels_.view(), frame.pixels.view());
    frame.index = index_;
    frame.seconds = seconds_;
  }

 private:
  /// A buffer of the driver.
  struct Mapped {
    const std::uint8_t* data = nullptr;
    std::size_t bytes = 0;
  };
  static constexpr int max_damaged = 30;  ///< Damaged frames one after another, after which the camera is given up.

  [[noreturn]] void fail(const std::string& cause) const {
    throw EnvironmentError("cannot use the camera '" + path_ + "': " + cause);
  }
  static std::string cause_of_open(int error) {
    if (error == ENOENT) return "there is no such camera; plug one in, or load its driver";
    if (error == EACCES || error == EPERM) return "access is denied; add the user to the group video";
    if (error == EBUSY) return "another program uses it; close that program";
    return std::strerror(error);
  }

  int control(unsigned long request, void* argument) const {
    int result = 0;
    do
      result = calls_.control(file_, request, argument);
    while (result != 0 && errno == EINTR);
    return result;
  }

  static v4l2_buffer empty_buffer() {
    v4l2_buffer buffer{};
    buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    buffer.memory = V4L2_MEMORY_MMAP;
    return buffer;
  }

  void set_up(double frames_per_second) {
    v4l2_capability can{};
    if (control(VIDIOC_QUERYCAP, &can) != 0) fail("it is no camera of Video4Linux2");
    const std::uint32_t all = (can.capabilities & V4L2_CAP_DEVICE_CAPS) != 0 ? can.device_caps : can.capabilities;
    if ((all & V4L2_CAP_VIDEO_CAPTURE) == 0) fail("the device records no pictures; try the next number");
    if ((all & V4L2_CAP_STREAMING) == 0) fail("the device does not stream; another camera is needed");
    choose_format();
    v4l2_streamparm rate{};
    rate.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (control(VIDIOC_G_PARM, &rate) == 0) {
      v4l2_fract& time = rate.parm.capture.timeperframe;
      if (frames_per_second > 0) {
        time = {1000, static_cast<std::uint32_t>(std::clamp(frames_per_second, 0.01, 10000.0) * 1000)};
        // A camera that has fixed rates keeps its own.
        (void)control(VIDIOC_S_PARM, &rate);
      }
      if (time.numerator > 0 && time.denominator > 0)
        info_.frames_per_second = static_cast<double>(time.denominator) / time.numerator;
    }
    const auto name = reinterpret_cast<const char*>(can.card);
    info_.what = "camera " + std::string(name, strnlen(name, sizeof can.card)) + ", " + std::string(format_name_) +
                 ", " + std::to_string(info_.width) + "x" + std::to_string(info_.height);
    info_.seekable = false;
  }

  /// Asks for the present size in the first of the known formats that the camera has.
  void choose_format() {
    v4l2_format present{};
    present.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (control(VIDIOC_G_FMT, &present) != 0) fail(std::strerror(errno));
    for (const auto& [format, name] : camera_formats) {
      v4l2_format wanted = present;
      wanted.fmt.pix.pixelformat = format;
      wanted.fmt.pix.field = V4L2_FIELD_ANY;
      wanted.fmt.pix.bytesperline = 0;
      if (control(VIDIOC_S_FMT, &wanted) != 0 || wanted.fmt.pix.pixelformat != format) continue;
      const v4l2_pix_format& pixels = wanted.fmt.pix;
      if (pixels.width == 0 || pixels.height == 0 || pixels.width > max_side || pixels.height > max_side)
        fail("it states a size of " + std::to_string(pixels.width) + "x" + std::to_string(pixels.height));
      if (std::int64_t{pixels.width} * pixels.height > limit_of(Limit::pixels)) fail(limit_text(Limit::pixels));
      format_ = format;
      format_name_ = name;
      info_.width = static_cast<int>(pixels.width);
      info_.height = static_cast<int>(pixels.height);
      const std::size_t least = format == V4L2_PIX_FMT_YUYV    ? (pixels.width + 1) / 2 * 4
                                : format == V4L2_PIX_FMT_RGB24 ? std::size_t{pixels.width} * 3
                                                               : pixels.width;
      pitch_ = std::max<std::size_t>(pixels.bytesperline, least);
      return;
    }
    fail("it has none of the formats YUYV, NV12, YUV420, RGB24, grey and JPEG");
  }

  void start() {
    v4l2_requestbuffers request{};
    request.count = 4;
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    request.memory = V4L2_MEMORY_MMAP;
    if (control(VIDIOC_REQBUFS, &request) != 0) fail(cause_of_open(errno));
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(request.count, VIDEO_MAX_FRAME); ++i) {
      v4l2_buffer buffer = empty_buffer();
      buffer.index = i;
      if (control(VIDIOC_QUERYBUF, &buffer) != 0) fail(std::strerror(errno));
      void* const data = calls_.map(file_, buffer.length, buffer.m.offset);
      if (data == nullptr) fail(std::strerror(errno));
      buffers_.push_back({static_cast<const std::uint8_t*>(data), buffer.length});
      if (control(VIDIOC_QBUF, &buffer) != 0) fail(std::strerror(errno));
    }
    if (buffers_.empty()) fail("its driver gives no buffers");
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (control(VIDIOC_STREAMON, &type) != 0) fail(cause_of_open(errno));
    streams_ = true;
  }

  void shut_down() {
    if (file_ < 0) return;
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (streams_) (void)control(VIDIOC_STREAMOFF, &type);
    for (const Mapped& buffer : buffers_)
      calls_.unmap(const_cast<std::uint8_t*>(buffer.data), buffer.bytes);
    calls_.close(std::exchange(file_, -1));
  }

  bool end_with(const std::string& cause) {
    note_ = "the camera '" + path_ + "' gives no more frames: " + cause;
    return false;
  }

  bool wait_for_frame() {
    constexpr int slice_ms = 50;
    const std::int64_t seconds = limit_of(Limit::silence);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    for (;;) {
      if (stop_.stop_requested()) throw Cancelled();
      const int ready = calls_.wait(file_, slice_ms);
      if (ready > 0) return true;
      if (ready < 0 && errno != EINTR) return end_with(std::strerror(errno));
      if (std::chrono::steady_clock::now() >= end)
        return end_with("nothing came for " + std::to_string(seconds) + " s; " + limit_text(Limit::silence));
    }
  }

  /// Converts the bytes of a frame. Returns false if they are damaged.
  bool take(const Mapped& buffer, std::size_t used) {
    const auto width = static_cast<std::size_t>(info_.width), height = static_cast<std::size_t>(info_.height);
    const std::size_t bytes = std::min(used, buffer.bytes);
    if (format_ == V4L2_PIX_FMT_MJPEG) return take_jpeg({buffer.data, bytes});
    if (bytes < frame_bytes(format_, width, height, pitch_)) return false;
    const Shape shape = Shape::image(Element::u8, format_ == V4L2_PIX_FMT_GREY ? 1 : 4, info_.width, info_.height);
    if (pixels_.shape() != shape) pixels_ = HostArray(shape);
    for (std::size_t y = 0; y < height; ++y)
      convert_row(buffer.data, y);
    return true;
  }

  bool take_jpeg(std::span<const std::uint8_t> bytes) {
    try {
      pixels_ = decode_picture(std::as_bytes(bytes)).pixels;
      return true;
    } catch (const EnvironmentError&) {
      return false;
    } catch (const DecodeFailure&) {
      return false;
    }
  }

  void convert_row(const std::uint8_t* data, std::size_t y) {
    const auto width = static_cast<std::size_t>(info_.width);
    const auto row = static_cast<int>(y);
    const std::uint8_t* const from = data + y * pitch_;
    if (format_ == V4L2_PIX_FMT_GREY) {
      std::memcpy(pixels_.image<std::uint8_t>().row(row), from, width);
      return;
    }
    Rgba8* const to = pixels_.image<Rgba8>().row(row);
    const std::uint8_t* const colours = data + pitch_ * static_cast<std::size_t>(info_.height);
    const std::size_t half = (pitch_ + 1) / 2, half_rows = (static_cast<std::size_t>(info_.height) + 1) / 2;
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t pair = x / 2;
      switch (format_) {
        case V4L2_PIX_FMT_YUYV:
          to[x] = to_rgba(from[2 * x], from[4 * pair + 1], from[4 * pair + 3]);
          break;
        case V4L2_PIX_FMT_NV12: {
          const std::uint8_t* const uv = colours + y / 2 * (half * 2) + 2 * pair;
          to[x] = to_rgba(from[x], uv[0], uv[1]);
          break;
        }
        case V4L2_PIX_FMT_YUV420: {
          const std::size_t at = y / 2 * half + pair;
          to[x] = to_rgba(from[x], colours[at], colours[half * half_rows + at]);
          break;
        }
        default:
          to[x] = {from[3 * x], from[3 * x + 1], from[3 * x + 2], 255};
      }
    }
  }

  static constexpr std::uint32_t max_side = 1 << 16;

  std::string path_;
  std::stop_token stop_;
  CameraCalls calls_;
  int file_ = -1;
  bool streams_ = false;
  FrameInfo info_;
  std::uint32_t format_ = 0;
  std::string_view format_name_;
  std::size_t pitch_ = 0;
  std::vector<Mapped> buffers_;
  HostArray pixels_;
  std::int64_t index_ = -1;
  double seconds_ = 0;
  std::chrono::steady_clock::time_point first_, now_;  ///< When the first and the last frame came.
  int damaged_ = 0;
  std::string note_;
};

}  // namespace

CameraCalls system_camera_calls() {
  return {.open = [](const char* path) { return ::open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC); },
          .control = [](int file, unsigned long request, void* argument) { return ioctl(file, request, argument); },
          .map = [](int file, std::size_t bytes, std::int64_t offset) -> void* {
            void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
            return data == MAP_FAILED ? nullptr : data;
          },
          .unmap = [](void* data, std::size_t bytes) { (void)munmap(data, bytes); },
          .wait =
              [](int file, int milliseconds) {
                pollfd wanted{file, POLLIN, 0};
                const int ready = poll(&wanted, 1, milliseconds);
                if (ready > 0 && (wanted.revents & POLLIN) == 0) {
                  errno = ENODEV;
                  return -1;
                }
                return ready;
              },
          .close = [](int file) { (void)::close(file); }};
}

bool is_camera(std::string_view name) {
  if (!name.starts_with(device_prefix)) return false;
  name.remove_prefix(device_prefix.size());
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

std::unique_ptr<FrameSource> open_camera(const std::string& path, const FrameOptions& options, CameraCalls calls) {
  return std::make_unique<Camera>(path, options, std::move(calls));
}

std::vector<FrameSourceKind> camera_kinds() {
  std::vector<FrameSourceKind> found;
  for (FolderReader reader("/dev"); const auto entry = reader.next();)
    if (const std::string path = entry->string(); is_camera(path)) found.push_back({"camera " + path, path, ""});
  std::ranges::sort(found, {}, &FrameSourceKind::open);
  if (found.empty())
    found.push_back({"camera", "", "there is no /dev/video0: no camera is plugged in or its driver is missing"});
  return found;
}

}  // namespace threadscape::io
