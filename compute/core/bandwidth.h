#pragma once

namespace threadscape {

/// Bytes per second (read plus written) at which `threads` threads copy between two arrays far larger than the caches.
/// No filter that reads and writes each pixel once can be faster. The result is the best of several runs; the
/// measurement takes about 0.2 s.
[[nodiscard]] double host_copy_bandwidth(int threads);
/// Bytes per second at which `threads` threads read an array far larger than the caches, the best of several runs. No
/// reduction can be faster.
[[nodiscard]] double host_read_bandwidth(int threads);

}  // namespace threadscape
