// Presets: JSON files of parameters. What was accepted is written and read again.

#include "app/session/run_options.h"
#include "compute/registry/registry.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

FUZZ_TARGET(presets) {
  const AlgorithmInfo& algorithm = algorithms()[input.choice(algorithms().size())];
  app::AlgorithmOptions options;
  options.preset = scratch_file("preset.json", input.bytes());
  const ParamBox params = app::make_params(algorithm, options);

  const std::string text = to_json(params);
  note_result(text);
  options.preset = scratch_file("written.json", std::as_bytes(std::span(text)));
  expect(app::make_params(algorithm, options) == params,
         "parameters of " + std::string(algorithm.name) + " are read back otherwise: " + text);
}

}  // namespace threadscape::fuzz
