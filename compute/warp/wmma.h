#pragma once
// The products of matrices of CUDA's header mma.h in PTX (wmma), written by the instructions that GPUs have for them.

#include <string>
#include <string_view>

namespace threadscape::warp {

/// Replaces wmma.load, wmma.mma and wmma.store of the shape m16n16k16 by loads, stores, ldmatrix, movmatrix and two
/// mma.sync.m16n8k16, as the assembler of CUDA 13 does for compute capability 9.0: half precision and bfloat16, with
/// sums in half or single precision. Each stays on its line. What is of another form stays as it is.
[[nodiscard]] std::string expand_wmma(std::string_view text);

}  // namespace threadscape::warp
