#pragma once
// What commands do with the file of a sketch in place of an algorithm's name.

#include <string>

#include "app/bench/bench.h"
#include "app/session/sketch_file.h"

namespace threadscape::app {

/// Returns true if a name in place of an algorithm's is that of a file with kernels: if it ends in .cu.
[[nodiscard]] bool names_kernels(const std::string& name);
/// `bench FILE.cu`: runs the sketch on a picture of the first size under the microscope and prints the counts of its
/// kernels. Returns the exit code.
int count_sketch(const BenchOptions& options);
/// `bench FILE.cu --against ALGORITHM`: compares the sketch with an algorithm or another sketch, by times in turns
/// where both run on a GPU and else by the counts of their kernels. Returns the exit code.
int compare_sketch(const BenchOptions& options);
/// `verify FILE`: compares the sketch with an algorithm and prints what differs. Returns the exit code.
int verify_sketch(const std::string& file, const SketchCheck& check, bool quiet);

}  // namespace threadscape::app
