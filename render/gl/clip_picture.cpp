#include "render/gl/clip_picture.h"

namespace threadscape::gl {

const Texture* ClipPicture::of(const Resource* data, std::uint64_t version) {
  if (data == nullptr || data->shape().kind != Kind::clip || data->buffer() == nullptr) {
    newest_ = {};
    from_ = 0;
    return data != nullptr ? data->texture() : nullptr;
  }
  const Shape picture = frame_shape(data->shape());
  if (from_ == data->buffer()->id() && version_ == version && newest_.fits(picture)) return &newest_;
  if (!newest_.fits(picture)) {
    newest_ = {};  // first, so that both never exist at once
    newest_ = Texture(picture);
  }
  const std::size_t row = static_cast<std::size_t>(picture.width) * picture.pixel_bytes();
  const std::size_t before =
      static_cast<std::size_t>(data->shape().depth - 1) * static_cast<std::size_t>(picture.height);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, data->buffer()->id());
  // With a bound buffer, the address is the offset of the newest frame in it.
  newest_.copy_from(reinterpret_cast<const std::byte*>(row * before), row);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  from_ = data->buffer()->id();
  version_ = version;
  return &newest_;
}

}  // namespace threadscape::gl
