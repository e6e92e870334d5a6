// Lists of steps as text and as JSON. What was accepted is written in both forms and read again.

#include "compute/registry/steps.h"
#include "compute/core/path_text.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

FUZZ_TARGET(steps) {
  const bool json = input.choice(2) == 1;
  const std::vector<Step> steps = json ? steps_from_json(input.text()) : parse_steps(input.text());
  expect(parse_steps(to_text(steps)) == steps, "steps are read back otherwise from text: " + to_text(steps));
  note_result(to_text(steps));
  // JSON holds UTF-8 only; in other texts, which names of files may be, bytes are replaced.
  if (!is_utf8(to_text(steps))) return;
  expect(steps_from_json(steps_to_json(steps)) == steps, "steps are read back otherwise from JSON: " + to_text(steps));
}

}  // namespace threadscape::fuzz
