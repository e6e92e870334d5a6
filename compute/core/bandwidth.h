#pragma once

namespace threadscape {

/// Bytes per second (read plus written) at which `threads` threads copy between two arrays far larger than the caches:
/// the limit of every filter that reads and writes each pixel once. The best of several runs; takes about 0.2 s.
[[nodiscard]] double host_copy_bandwidth(int threads);
/// The same for reading alone: the limit of a reduction.
[[nodiscard]] double host_read_bandwidth(int threads);

}  // namespace threadscape
