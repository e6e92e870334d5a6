#pragma once
// Instructions of PTX as text.

#include <string>

#include "compute/warp/ptx.h"

namespace threadscape::warp {

/// The instruction as PTX writes it: "@%p1 ld.global.f32 %f2, [%rd4+16];". Labels are the numbers of the instructions
/// that they stand before, counted from 1; parameters and variables lack the names of what they are in.
[[nodiscard]] std::string text_of(const Module& module, const Function& function, const Instruction& instruction);

}  // namespace threadscape::warp
