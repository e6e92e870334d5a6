#pragma once
// NVIDIA's library of image functions, NPP, beside our filters on CUDA. It is opened at run time and is not needed to
// build the program: the CUDA Toolkit has it, and so has the package nvidia-npp of the Python index.

#include <span>
#include <string>

#include "app/bench/peers/peer.h"

namespace threadscape::app {

/// The functions of NPP that compute what our algorithms compute. Empty without a CUDA device, or if the libraries
/// (libnppc, libnppif and libnppim of version 12 or 13) are not on the search path of the dynamic linker.
[[nodiscard]] std::span<const Peer> npp_peers();

/// Why npp_peers() is empty; "" if it is not.
[[nodiscard]] std::string npp_problem();

}  // namespace threadscape::app
