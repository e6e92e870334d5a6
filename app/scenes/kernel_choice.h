#pragma once
// Which CUDA kernel a diagram draws, what its title says about that, and the list to choose another one from.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/session/work.h"

namespace threadscape::app {

/// The CUDA variant that is drawn. `chosen` is its number from 1 on; 0 takes the one that runs, or `otherwise` while
/// another backend runs.
[[nodiscard]] int drawn_kernel(const Work& work, int chosen, int otherwise);
/// The title of a diagram of a CUDA variant, which begins with its name. If that does not run, the title says what
/// does: "CUDA kernel shuffle (not running: OpenMP simd runs)   16-byte loads ...".
[[nodiscard]] std::string kernel_title(const Work& work, int variant, const std::string& title);
/// "not running: OpenMP merge runs".
[[nodiscard]] std::string not_running(const Work& work);
/// The name in the list of the CUDA variant with this number, as in drawn_kernel(). The first entry says that what it
/// draws is an example while something else runs: a backend without kernels, or with `among` a variant of another name,
/// "example (not running: OpenMP simd runs)".
[[nodiscard]] std::string kernel_name(const Work& work, int kernel, std::span<const std::string_view> among = {});
/// Draws the list of the CUDA variants; with `among`, of those with these names alone. Returns the number that was
/// chosen; nothing without a choice.
[[nodiscard]] std::optional<int> kernel_list(const Work& work, int chosen,
                                             std::span<const std::string_view> among = {});

}  // namespace threadscape::app
