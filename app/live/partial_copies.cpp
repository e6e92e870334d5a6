#include "app/live/partial_copies.h"

#include <algorithm>

namespace threadscape::app {

namespace {

constexpr auto interval = std::chrono::milliseconds(100);
constexpr int max_work_share = 10;  // a copy is followed by a pause of so many times its duration
constexpr std::size_t max_copy_bytes = std::size_t{64} << 20;

}  // namespace

void PartialCopies::begin(std::function<void()> wake) {
  begun_ = false;
  ticker_.start(interval, std::move(wake));
}

bool PartialCopies::due(double run_ms) const {
  return run_ms >= first_ms_ && (!begun_ || Clock::now() >= next_);
}

void PartialCopies::copy(const Work& work, const std::function<double()>& progress, interop::HostUploader& uploader,
                         ResultSlot& result) {
  const auto start = Clock::now();
  if (!begun_ || result.partial() == nullptr || result.partial()->work != work) {
    result.begin_partial(work);
    begun_ = true;
    next_slice_ = 0;
  }
  PartialResult& partial = *result.partial();
  if (gl::VolumeTexture* volume = result.memory().volume()) {
    copy_slices(*volume, progress, uploader, partial);
  } else {
    const double done = progress();  // before the copy, which holds at least that much
    uploader.submit_part(*result.memory().texture());
    partial.share = done;
  }
  result.contents_changed();
  const auto end = Clock::now();
  next_ = end + std::max<Clock::duration>(interval, max_work_share * (end - start));
}

void PartialCopies::copy_slices(gl::VolumeTexture& volume, const std::function<double()>& progress,
                                interop::HostUploader& uploader, PartialResult& partial) {
  const int depth = volume.size().z;
  const std::size_t slice = std::max<std::size_t>(volume.shape().bytes() / static_cast<std::size_t>(depth), 1);
  const int count =
      static_cast<int>(std::clamp<std::size_t>(max_copy_bytes / slice, 1, static_cast<std::size_t>(depth)));
  const bool begins = next_slice_ == 0;  // all slices were cleared
  const int first = next_slice_ >= depth ? 0 : next_slice_;
  next_slice_ = std::min(first + count, depth);
  // What the run had reported is in its memory (see Progress); what it writes meanwhile may be in the copy or not.
  if (first == 0) round_share_ = progress();
  uploader.submit_slices(volume, first, next_slice_ - first);
  if (next_slice_ == depth) partial.share = round_share_;
  partial.changed_slices = begins ? std::pair{0, 0} : std::pair{first, next_slice_};
}

}  // namespace threadscape::app
