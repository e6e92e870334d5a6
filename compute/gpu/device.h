#pragma once
// The GPU as the rest of the program sees it, in builds with and without CUDA.

#include <cstddef>
#include <string>

namespace threadscape::cuda {

struct DeviceInfo {
  bool compiled = false;   ///< This build has CUDA code.
  bool available = false;  ///< A device that runs this build was found when the program started; see device_problem().
  std::string reason;      ///< Why no device was found, in the driver's words; "" when available.
  int index = 0;           ///< Ordinal of the device in the CUDA runtime.
  std::string name;
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  std::size_t total_bytes = 0;
  int driver_version = 0, runtime_version = 0;  ///< 13000 is version 13.0.
  int l2_bytes = 0;
  int memory_clock_khz = 0, bus_width_bits = 0;
};

/// Rows of images and heightfields in device memory are padded to this many bytes: a wide memory transaction, and a
/// multiple of every vector load.
inline constexpr std::size_t device_row_alignment = 256;

/// The properties of the device, asked once and kept. They stay the same when the device is retired, so whoever decides
/// whether to run on it asks device_problem().
[[nodiscard]] const DeviceInfo& device_info();
/// Why the CUDA backend cannot be used now: it is absent from this build, there is no device, or the device was
/// retired. "" when it can be used.
[[nodiscard]] std::string device_problem();
/// Throws BackendAbsent with device_problem() unless that is "".
void require_device();
/// Free bytes of device memory now; 0 when the CUDA backend cannot be used.
[[nodiscard]] std::size_t free_device_bytes();
/// Ends the use of the device for this run of the program, after a sticky error. The first reason is kept, since later
/// errors follow from the first one. May be called from any thread.
void retire_device(const std::string& reason);
/// Destroys the context of the retired device. OpenGL may be waiting for kernels of that context, and goes on then. The
/// call takes seconds (13 s on an H200 after an illegal address). If memory was shared with OpenGL, the thread that
/// owns the GL context calls it. Nothing may use CUDA any more. Does nothing while the device is not retired.
void release_retired_device();

}  // namespace threadscape::cuda
