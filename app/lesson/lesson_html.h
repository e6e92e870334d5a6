#pragma once
// A lesson as one HTML file that needs no network and no scripts, and prints as a handout.

#include <stop_token>
#include <string>

#include "app/lesson/lesson.h"

namespace threadscape::app {

struct HtmlOptions {
  bool solutions = true;  ///< With answers, hints and solutions, which are folded.
  std::stop_token stop = {};
};

/// Pictures, tables and plots are computed for it. Throws what running the blocks throws, EnvironmentError for a
/// picture that cannot be read, UsageError for one without a text that says what is seen, and Cancelled.
[[nodiscard]] std::string lesson_html(const Lesson& lesson, const HtmlOptions& options);

}  // namespace threadscape::app
