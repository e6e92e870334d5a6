#pragma once
// What the speed-ups of a report over the backend serial are made of.

#include <string>
#include <vector>

#include "app/analysis/speedup.h"
#include "app/measure/report_file.h"

namespace threadscape::app {

struct SpeedupParts : Speedup {
  const Measurement* whole = nullptr;  ///< The row of openmp with all threads.
};

/// The parts of each row of openmp with several threads for which the report has the rows that they need.
[[nodiscard]] std::vector<SpeedupParts> speedup_parts(const Report& report);
/// The rows of openmp with several threads beside a row of serial, of which the report lacks those rows.
[[nodiscard]] std::vector<const Measurement*> unsplit_rows(const Report& report);

struct DeviceParts : DeviceSpeedup {
  const Measurement* whole = nullptr;    ///< The row of cuda.
  const Measurement* cpu_row = nullptr;  ///< The fastest row of openmp on the most threads.
};
/// The parts of each row of cuda on a GPU beside a row of serial and one of openmp with several threads. The emulated
/// device has counts, but no times of a GPU.
[[nodiscard]] std::vector<DeviceParts> device_parts(const Report& report);

/// The parts as a sentence.
[[nodiscard]] std::string speedup_sentence(const SpeedupParts& parts);
[[nodiscard]] std::string speedup_sentence(const DeviceParts& parts);

/// These sentences of all rows, with a line above that names the baseline; "" if there are none.
[[nodiscard]] std::string speedup_text(const Report& report);

}  // namespace threadscape::app
