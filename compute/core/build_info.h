#pragma once
// What this build was made from. The values are in a source of their own (cmake/build_info.cpp.in), so that a new
// commit or the first change after one compiles nothing else again.

#include <string_view>

namespace threadscape::build_info {

extern const std::string_view version;
extern const std::string_view git_hash;
extern const bool git_dirty;  ///< Tracked files differed from git_hash.
extern const std::string_view compiler;
extern const std::string_view flags;
extern const std::string_view build_type;
extern const std::string_view cuda_version;  ///< The version of nvcc; empty without CUDA.

}  // namespace threadscape::build_info
