#pragma once
// What a result says beside its time, in words.

#include <string>
#include <vector>

#include "app/measure/report_file.h"

namespace threadscape::app {

/// The rates of the run with the bytes and operations that they count, the counters of the CPU, the kernels of CUDA,
/// and what happened on the machine that makes the times doubtful. What was not measured has no sentence.
[[nodiscard]] std::vector<std::string> row_sentences(const ReportRow& row);

}  // namespace threadscape::app
