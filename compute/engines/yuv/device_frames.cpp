#include "compute/engines/yuv/device_frames.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "compute/engines/yuv/yuv_cuda.h"
#include "compute/gpu/executor.h"

namespace threadscape::cuda {

namespace {

/// Page-locked memory that a frame passes through. `sent` takes place when its upload has read the memory.
struct Staging {
  explicit Staging(gpu::Device& device) : memory(device), sent(device) {}
  gpu::PinnedBuffer memory;
  gpu::OrderEvent sent;
};

/// The memory of a frame on the device, with what orders its use.
struct Slot {
  explicit Slot(gpu::Device& of) : device(of), upload(of), convert(of), uploaded(of), converted(of) {}
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;
  ~Slot() { device.release(block); }

  void reserve(std::size_t wanted) {
    if (wanted <= bytes) return;
    device.release(std::exchange(block, nullptr));
    bytes = 0;
    block = device.allocate(wanted);
    bytes = wanted;
  }

  gpu::Device& device;
  void* block = nullptr;
  std::size_t bytes = 0;
  gpu::EventTimer upload, convert;
  gpu::OrderEvent uploaded, converted;
};

/// The slots that no frame has now, and the ring of page-locked memory. Frames keep it, so that it outlives them.
struct Pool {
  /// A clip in time releases all of its frames at once. No more of them than this are kept for later frames.
  static constexpr std::size_t max_free = 8;

  explicit Pool(gpu::Device& device) : executor(device), staging{Staging(device), Staging(device), Staging(device)} {}

  gpu::Executor executor;
  std::mutex mutex;  ///< Protects `free`.
  std::vector<std::unique_ptr<Slot>> free;
  std::array<Staging, 3> staging;  ///< Only the thread that uploads uses it.
  std::size_t uploads = 0;         ///< The number of uploads begun, which go through the ring in turns.

  std::unique_ptr<Slot> take() {
    {
      const std::lock_guard lock(mutex);
      if (!free.empty()) {
        std::unique_ptr<Slot> slot = std::move(free.back());
        free.pop_back();
        return slot;
      }
    }
    return std::make_unique<Slot>(executor.device());
  }
  void give_back(std::unique_ptr<Slot> slot) {
    const std::lock_guard lock(mutex);
    if (free.size() < max_free) free.push_back(std::move(slot));
  }
  /// The memory of the ring that is the next in turn, with room for a frame. Waits until its last upload has read it.
  Staging& next_staging(std::size_t bytes) {
    Staging& next = staging[uploads++ % staging.size()];
    next.sent.wait();
    next.memory.reserve(bytes);
    return next;
  }
};

/// What a frame consists of: planes, or the rows of a picture. Addresses are offsets into the slot's memory.
struct Content {
  Shape shape;
  std::size_t pitch = 0;  ///< Bytes from row to row of pixels; 0 for planes.
  YuvPlanes planes;       ///< With addresses in device memory.
};

class UploadedFrame final : public DeviceFrame {
 public:
  UploadedFrame(std::shared_ptr<Pool> pool, std::unique_ptr<Slot> slot, const Content& content)
      : pool_(std::move(pool)), slot_(std::move(slot)), content_(content) {}
  ~UploadedFrame() override { pool_->give_back(std::move(slot_)); }

  [[nodiscard]] const Shape& shape() const override { return content_.shape; }

  void convert(const DeviceOut& picture, CudaStream stream) override {
    slot_->uploaded.hold(stream);
    slot_->convert.start(stream);
    if (content_.pitch == 0)
      yuv_to_rgba(content_.planes, {.linear = picture, .surface = 0, .shape = picture.shape}, stream);
    else
      copy_pixels(picture, stream);
    slot_->converted.record(stream);
    converted(stream);
  }

  void converted(CudaStream stream) override {
    slot_->convert.stop(stream);
    was_converted_ = true;
  }

  [[nodiscard]] Times times() const override {
    return {.upload_ms = slot_->upload.milliseconds(),
            .convert_ms = was_converted_ ? slot_->convert.milliseconds() : 0};
  }

 private:
  void copy_pixels(const DeviceOut& picture, CudaStream stream) const {
    if (picture.shape != content_.shape)
      throw UsageError("a frame of " + to_string(content_.shape) + " makes no picture of " + to_string(picture.shape));
    stream.device->copy({.from = slot_->block,
                         .from_pitch = content_.pitch,
                         .to = picture.data,
                         .to_pitch = picture.pitch,
                         .row_bytes = static_cast<std::size_t>(picture.shape.width) * picture.shape.pixel_bytes(),
                         .rows = static_cast<std::size_t>(picture.shape.height)},
                        gpu::CopyKind::within_device, stream);
  }

  std::shared_ptr<Pool> pool_;
  std::unique_ptr<Slot> slot_;
  Content content_;
  bool was_converted_ = false;
};

std::size_t aligned(std::size_t bytes) {
  return (bytes + gpu::row_alignment - 1) / gpu::row_alignment * gpu::row_alignment;
}

void copy_rows(const std::uint8_t* from, std::ptrdiff_t from_pitch, std::byte* to, std::size_t to_pitch,
               std::size_t row, int rows) {
  for (int y = 0; y < rows; ++y)
    std::memcpy(to + static_cast<std::size_t>(y) * to_pitch, from + y * from_pitch, row);
}

class Frames final : public DeviceFrames {
 public:
  explicit Frames(gpu::Device& device) : pool_(std::make_shared<Pool>(device)) {}

  std::unique_ptr<DeviceFrame> upload(const YuvPlanes& planes) override {
    return guarded([&]() -> std::unique_ptr<DeviceFrame> {
      const auto width = static_cast<std::size_t>(planes.width);
      const std::size_t columns = (width + 1) / 2;
      const int rows = (planes.height + 1) / 2;
      const bool nv12 = planes.v == nullptr;
      const std::size_t y_pitch = aligned(width), u_row = nv12 ? 2 * columns : columns, u_pitch = aligned(u_row);
      const std::size_t u_at = y_pitch * static_cast<std::size_t>(planes.height);
      const std::size_t v_at = u_at + u_pitch * static_cast<std::size_t>(rows);
      const std::size_t bytes = nv12 ? v_at : v_at + u_pitch * static_cast<std::size_t>(rows);
      std::unique_ptr<Slot> slot = prepared(bytes);
      Staging& staging = pool_->next_staging(bytes);
      std::byte* const host = staging.memory.data();
      copy_rows(planes.y, planes.y_pitch, host, y_pitch, width, planes.height);
      copy_rows(planes.u, planes.u_pitch, host + u_at, u_pitch, u_row, rows);
      if (!nv12) copy_rows(planes.v, planes.v_pitch, host + v_at, u_pitch, u_row, rows);
      const auto* const base = static_cast<const std::uint8_t*>(slot->block);
      Content content{.shape = Shape::image(Element::u8, 4, planes.width, planes.height), .planes = planes};
      content.planes.y = base;
      content.planes.u = base + u_at;
      content.planes.v = nv12 ? nullptr : base + v_at;
      content.planes.y_pitch = static_cast<std::ptrdiff_t>(y_pitch);
      content.planes.u_pitch = static_cast<std::ptrdiff_t>(u_pitch);
      content.planes.v_pitch = nv12 ? 0 : static_cast<std::ptrdiff_t>(u_pitch);
      return send(std::move(slot), staging, bytes, content);
    });
  }

  std::unique_ptr<DeviceFrame> upload(const HostIn& pixels) override {
    return guarded([&]() -> std::unique_ptr<DeviceFrame> {
      const Shape& shape = pixels.shape;
      const std::size_t bytes = std::max<std::size_t>(array_bytes(shape, gpu::row_alignment), 1);
      const std::size_t pitch = row_bytes(shape, gpu::row_alignment);
      std::unique_ptr<Slot> slot = prepared(bytes);
      Staging& staging = pool_->next_staging(bytes);
      copy_rows(reinterpret_cast<const std::uint8_t*>(pixels.data), static_cast<std::ptrdiff_t>(pixels.pitch),
                staging.memory.data(), pitch, static_cast<std::size_t>(shape.width) * shape.pixel_bytes(),
                static_cast<int>(shape.height));
      return send(std::move(slot), staging, bytes, {.shape = shape, .pitch = pitch, .planes = {}});
    });
  }

 private:
  /// A slot with room for a frame.
  [[nodiscard]] std::unique_ptr<Slot> prepared(std::size_t bytes) const {
    std::unique_ptr<Slot> slot = pool_->take();
    slot->reserve(bytes);
    return slot;
  }

  [[nodiscard]] std::unique_ptr<DeviceFrame> send(std::unique_ptr<Slot> slot, Staging& staging, std::size_t bytes,
                                                  const Content& content) const {
    const CudaStream stream = pool_->executor.stream();
    slot->converted.hold(stream);
    slot->upload.start(stream);
    stream.device->copy({.from = staging.memory.data(), .to = slot->block, .row_bytes = bytes, .rows = 1},
                        gpu::CopyKind::to_device, stream);
    slot->upload.stop(stream);
    staging.sent.record(stream);
    slot->uploaded.record(stream);
    return std::make_unique<UploadedFrame>(pool_, std::move(slot), content);
  }

  template <class Work>
  [[nodiscard]] std::unique_ptr<DeviceFrame> guarded(const Work& work) const {
    pool_->executor.device().require();
    return pool_->executor.guarded(work);
  }

  std::shared_ptr<Pool> pool_;
};

}  // namespace

std::unique_ptr<DeviceFrames> make_device_frames(gpu::Device& device) {
  return std::make_unique<Frames>(device);
}

}  // namespace threadscape::cuda
