#pragma once

#include <memory>

#include "app/session/work.h"
#include "render/gl/resource.h"

namespace threadscape::app {

/// The displayed input: the data in host memory, which runs work on, and the GPU memory that it is displayed from.
class InputSlot {
 public:
  /// Null when there is none.
  [[nodiscard]] const std::shared_ptr<const Source>& source() const { return source_; }
  /// Shape of the data; of no kind when there is none.
  [[nodiscard]] Shape shape() const { return source_ ? source_->picture.pixels.shape() : Shape{}; }
  /// Source::id; 0 when there is none.
  [[nodiscard]] std::uint64_t id() const { return source_ ? source_->id : 0; }
  /// Empty when there is no input, or GL cannot take it.
  [[nodiscard]] const gl::Resource& memory() const { return memory_; }

  /// Displays another input, or none. Throws UsageError and EnvironmentError when GL cannot take it; the data are there
  /// nevertheless, and the same source is not tried again.
  void show(const std::shared_ptr<const Source>& source);
  /// Uploads the present input again, into new GPU memory. Throws as show() does.
  void show_again();
  /// Milliseconds that the CPU spent on the upload of the present input.
  [[nodiscard]] double upload_ms() const { return upload_ms_; }

 private:
  std::shared_ptr<const Source> source_;
  gl::Resource memory_;
  double upload_ms_ = 0.0;
};

}  // namespace threadscape::app
