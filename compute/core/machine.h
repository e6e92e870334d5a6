#pragma once
// What this process may take from the machine: threads and host memory.

#include <cstddef>

namespace threadscape {

/// Number of hardware threads that this process may use.
[[nodiscard]] int hardware_threads();
/// Upper bound of the number of threads that a run may ask for. More threads than the hardware has work, slowly;
/// thousands of them would end the process.
[[nodiscard]] int max_threads();
/// Bytes of host memory that can be taken without swapping: what the kernel calls available, or less where a container
/// has a limit of its own. Reads files of the system, so it costs some microseconds.
[[nodiscard]] std::size_t free_host_bytes();

}  // namespace threadscape
