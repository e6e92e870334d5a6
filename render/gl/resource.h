#pragma once
// GPU memory for data of any kind.

#include "compute/core/data.h"
#include "compute/core/kind_info.h"
#include "render/gl/buffer.h"
#include "render/gl/pending_read.h"
#include "render/gl/texture.h"
#include "render/gl/volume_texture.h"

namespace threadscape::gl {

/// GPU memory for data of any kind in the form that drawing needs: a texture for pictures and heightfields, a
/// three-dimensional texture for volumes of numbers that textures can hold, and a buffer without padding between rows
/// for everything else. Move-only.
class Resource {
 public:
  Resource() = default;
  /// The contents are undefined. Throws UsageError for pictures without a texture format, and EnvironmentError if GL
  /// cannot create the resource.
  explicit Resource(const Shape& shape);

  [[nodiscard]] bool empty() const { return texture_.empty() && volume_.empty() && buffer_.id() == 0; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] bool fits(const Shape& shape) const { return !empty() && shape == shape_; }
  /// Returns whether data of this kind are held as a texture. This function and VolumeTexture::can_hold() decide how
  /// each kind of data is held.
  [[nodiscard]] static bool is_texture(Kind kind) { return info_of(kind).dimensions == 2; }
  // Each of the following returns null if the resource is of another form.
  [[nodiscard]] const Texture* texture() const { return texture_.empty() ? nullptr : &texture_; }
  [[nodiscard]] Texture* texture() { return texture_.empty() ? nullptr : &texture_; }
  [[nodiscard]] const VolumeTexture* volume() const { return volume_.empty() ? nullptr : &volume_; }
  [[nodiscard]] VolumeTexture* volume() { return volume_.empty() ? nullptr : &volume_; }
  [[nodiscard]] const Buffer* buffer() const { return buffer_.id() == 0 ? nullptr : &buffer_; }

  /// Copies from host memory, for inputs, which are set once. Throws UsageError if the shape does not fit.
  ///
  /// Uploads stay on the drawing thread, since GL commands need the GL context, which is current on that thread alone;
  /// a second context would need a fence and a flush for every upload. The call costs one copy of the data by the CPU
  /// (textures: by the driver, before it returns; buffers: into newly mapped memory), so its time grows with the bytes;
  /// write_part() spreads it over frames. Repeated uploads use interop::HostUploader: any thread fills its mapped
  /// memory, the drawing thread only queues the copy on the GPU, and poll_upload_ms() measures it.
  void write(HostIn data);
  /// Number of parts that write_part() copies, of about 1 MiB each: rows of a picture, slices of a volume, or bytes of
  /// a buffer of one row. Other buffers are one part.
  [[nodiscard]] int write_parts() const;
  /// Copies one part, 0 .. write_parts() - 1, of the data. All parts, in any order, are what write() copies.
  void write_part(HostIn data, int part);
  /// Queues the read of everything without waiting for it, for files that the window saves. Throws EnvironmentError if
  /// there is not enough memory.
  [[nodiscard]] PendingRead begin_read() const;
  /// Reads everything back, for tests and where nobody waits for the next frame. Waits for the GPU.
  [[nodiscard]] HostArray read() const;

 private:
  /// Rows of a picture, or slices of a volume, in each part but the last.
  [[nodiscard]] int part_extent() const;
  /// Returns whether write_part() copies a piece of a buffer.
  [[nodiscard]] bool has_pieces() const { return buffer() != nullptr && shape_.height * shape_.depth == 1; }

  Shape shape_;
  Texture texture_;
  VolumeTexture volume_;
  Buffer buffer_;
};

}  // namespace threadscape::gl
