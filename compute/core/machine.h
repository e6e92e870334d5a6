#pragma once
// The resources of the machine that this process may use: threads and host memory.

#include <cstddef>
#include <optional>

namespace threadscape {

/// Number of hardware threads that this process may use.
[[nodiscard]] int hardware_threads();
/// Maximum number of threads that a run may request. More threads than the hardware has are allowed, though slow;
/// thousands of threads would terminate the process.
[[nodiscard]] int max_threads();
/// Bytes of host memory that can be allocated without swapping: MemAvailable of the kernel, or less if a control
/// group (of a container, a service or a job), the address space or memory_limit() leaves less. The call reads system
/// files, which takes some microseconds.
[[nodiscard]] std::size_t free_host_bytes();
/// The bytes of memory that this process may hold: fifteen sixteenths of the machine's, unless another number is set. 0
/// sets the initial one.
[[nodiscard]] std::size_t memory_limit();
void set_memory_limit(std::size_t bytes);
/// Returns free_host_bytes() if it is less than `bytes`, and nothing if so many bytes can be allocated. The system is
/// not asked about less than 64 MiB, which would take longer than reading a small file does.
[[nodiscard]] std::optional<std::size_t> free_host_bytes_below(std::size_t bytes);

}  // namespace threadscape
