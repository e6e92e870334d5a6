#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/session/work.h"
#include "render/gl/resource.h"

namespace threadscape::app {

/// The displayed input: the data in host memory, which runs work on, and the GPU memory that it is displayed from.
///
/// A large input is uploaded in parts over several frames. Until the last part is there the slot keeps the input from
/// before, so that nothing flickers; then the memory is replaced.
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

  /// How a source that is on the device comes into memory(): by the host, or by CUDA on a condition.
  enum class ByDevice : std::uint8_t {
    no,
    into_old_memory,  ///< If the memory of the frame before fits, which shows that frame meanwhile.
    into_any_memory   ///< CUDA or write_instead_of_device() comes before anything is drawn.
  };

  /// Returns whether show() frees or replaces memory() when it is called with this source: then nothing of CUDA may be
  /// registered with it any more.
  [[nodiscard]] bool replaces_memory(const std::shared_ptr<const Source>& source) const;
  /// Displays another input, or none: at once if it is small, otherwise it is arriving() from now on. Does nothing for
  /// the source that is displayed or arriving. Throws UsageError and EnvironmentError when GL cannot take it; the data
  /// are there nevertheless, and the same source is not tried again.
  ///
  /// A source that is on the device already (Source::on_device) is not uploaded if `by_device` allows that:
  /// awaits_device() is true from then on.
  void show(const std::shared_ptr<const Source>& source, ByDevice by_device = ByDevice::no);
  /// Returns true while memory() does not hold the source, because CUDA is to copy it there.
  [[nodiscard]] bool awaits_device() const { return awaits_device_; }
  /// Says that CUDA has queued that copy.
  void written_by_device() { awaits_device_ = false; }
  /// Uploads the source from host memory if awaits_device(). Throws as show() does.
  void write_instead_of_device();
  /// Uploads the latest input again, into new GPU memory. Throws as show() does.
  void show_again();
  /// Returns whether an input is being uploaded that is not displayed yet.
  [[nodiscard]] bool arriving() const { return arriving_.has_value(); }
  /// "photo.tif: 40 %" while a file is arriving whose upload has taken at least `patience_ms` milliseconds; otherwise
  /// "".
  [[nodiscard]] std::string arriving_text(double patience_ms) const;
  /// Uploads parts of the arriving input for about `budget_ms` milliseconds, one at least, and displays it when all are
  /// there. Does nothing if no input is arriving. Throws as show() does.
  void upload_parts(double budget_ms);

  /// Milliseconds that the CPU spent on the upload of the present input.
  [[nodiscard]] double upload_ms() const { return upload_ms_; }

 private:
  struct Arriving {
    std::shared_ptr<const Source> source;
    gl::Resource memory;
    int parts_done = 0;
    double upload_ms = 0.0;
  };

  /// The source that is displayed, or the one that is arriving.
  [[nodiscard]] const std::shared_ptr<const Source>& latest() const { return arriving_ ? arriving_->source : source_; }
  /// Allocates GPU memory beside the present one. If there is not enough for both, that is freed.
  [[nodiscard]] gl::Resource allocate(const Shape& shape);
  /// The source is there, but not in GPU memory.
  void keep_without_memory(std::shared_ptr<const Source> source);

  std::shared_ptr<const Source> source_;
  gl::Resource memory_;
  double upload_ms_ = 0.0;
  bool awaits_device_ = false;
  std::optional<Arriving> arriving_;
};

}  // namespace threadscape::app
