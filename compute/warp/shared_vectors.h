#pragma once
// What NVIDIA's assembler does with loads of shared memory: it joins neighbouring ones, so that machine code makes fewer
// requests, of 64 and 128 bits, than PTX does.

#include "compute/warp/ptx.h"

namespace threadscape::warp {

/// Joins loads of 32 and 64 bits in shared memory to vectors of 64 and 128 bits, as ptxas does where the address is known
/// to be a multiple of the vector's size, and nothing between the loads may change what they read. Returns the number of
/// loads that are gone.
int join_shared_loads(Module& module, Function& function);

}  // namespace threadscape::warp
