#pragma once
// The device code that nvcc embeds into an object file, as the host code of that file registers it at the start of the
// program.

#include <string>

namespace threadscape::gpu {

/// The PTX in an embedded fat binary: that for the newest virtual architecture, if there are several; "" if it has
/// none, because it was compiled to machine code alone. `wrapper` is what nvcc's host code gives to
/// __cudaRegisterFatBinary(). Throws DeviceError for code that is compressed in a way other than LZ4 (nvcc
/// --compress-mode=speed).
[[nodiscard]] std::string embedded_ptx(const void* wrapper);

}  // namespace threadscape::gpu
