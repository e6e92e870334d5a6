#pragma once
// What the process of a twin may do: compute, start threads, write to descriptors that are open. It is the code of a
// user, which may be wrong or hostile.

#include <cstdint>
#include <filesystem>

namespace threadscape::sketch {

/// Takes rights from the calling process, which is about to be replaced by a program of `folder`. It can read the files
/// of that folder and of the system's libraries alone, write none, make no process and no connection, and gets at most
/// so many bytes of memory and seconds of processor time. Returns false where the kernel lacks what is needed for
/// that. Where it has no Landlock, files can be read. It allocates nothing, since the process may be the copy of one
/// with threads.
[[nodiscard]] bool confine(const std::filesystem::path& folder, std::uint64_t memory, std::uint64_t seconds);

}  // namespace threadscape::sketch
