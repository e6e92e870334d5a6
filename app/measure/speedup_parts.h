#pragma once
// What a speed-up of openmp over serial is made of. Its product has three factors, each of which is a quotient of two
// measured medians:
//
//   serial / loops, 1 thread        code      about 1: the same loops, compiled for threads
//   loops, 1 thread / X, 1 thread   vectors   SIMD, and the other method that X may have
//   X, 1 thread / X, all threads    threads
//
// X is another variant of openmp. An algorithm without the variant `loops` has one factor for code and vectors.

#include <string>
#include <vector>

#include "app/measure/report_file.h"

namespace threadscape::app {

struct SpeedupParts {
  const Measurement* whole = nullptr;  ///< The row of X with all threads.
  double over_serial = 0.0;            ///< The product of the three factors.
  double code = 1.0, vectors = 1.0, threads = 1.0;
  double loop_threads = 0.0;  ///< The gain of `loops` from the same number of threads; 0 = not measured.
  bool has_loops = false;     ///< If false, `code` is 1 and `vectors` has its factor.
};

/// The parts of each row of openmp with several threads for which the report has the rows that they need.
[[nodiscard]] std::vector<SpeedupParts> speedup_parts(const Report& report);

/// The parts as a sentence.
[[nodiscard]] std::string speedup_sentence(const SpeedupParts& parts);

/// These sentences of all rows, with a line above that names the baseline; "" if there are none.
[[nodiscard]] std::string speedup_text(const Report& report);

}  // namespace threadscape::app
