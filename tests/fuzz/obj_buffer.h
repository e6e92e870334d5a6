#pragma once
// Assimp's importer of OBJ files takes a buffer of 16 MiB for each file and fills it, with zeros and then with ends of
// lines, which was more than half of the processor time of the target of models. Inputs of the fuzzer are small, so
// that only the first few KiB are used. Here the buffer is a private mapping of a file in memory that holds as many
// ends of lines, so that a reader takes a page of its own only where it writes.

namespace threadscape::fuzz {

/// Maps the buffer, which the processes inherit that split off from this one. Where that fails, they take one of their
/// own.
void map_obj_buffer();

}  // namespace threadscape::fuzz
