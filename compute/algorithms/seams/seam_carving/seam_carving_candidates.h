#pragma once
// output=candidates on the CPU: all seams that the picture could lose next.

#include "compute/algorithms/seams/seam_carving/seam_carving_host.h"

namespace threadscape::seam_carving {

/// Writes grey values, candidates and the cheapest of them to `out`, as SeamCarving::output_shape() states. `out` is
/// transposed if the seams are `of_rows`.
void show_candidates(const RemainingPicture& picture, bool of_rows, HostScratch& scratch,
                     const ImageView<Rgba32f>& out);
/// Working memory in bytes of show_candidates().
[[nodiscard]] std::size_t candidate_bytes(const Plan& plan);

}  // namespace threadscape::seam_carving
