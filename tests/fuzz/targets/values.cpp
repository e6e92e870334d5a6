// The values of the command line: sizes, seeds, names, and parameters as text. Accepted parameters are written and read
// again.

#include <array>

#include "app/bench/bench_plan.h"
#include "app/cli/option_values.h"
#include "compute/core/kind_info.h"
#include "compute/core/synthetic.h"
#include "compute/registry/registry.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

namespace {

void assign_and_read(const AlgorithmInfo& algorithm, std::size_t index, const std::string& text) {
  ParamBox params = algorithm.defaults();
  const std::vector<FieldRef> fields = params.fields();
  if (fields.empty()) return;
  const std::string_view name = fields[index % fields.size()].name;
  params.assign(name, text);
  const std::string written = to_text(params.fields()[index % fields.size()]);
  ParamBox again = algorithm.defaults();
  again.assign(name, written);
  expect(again == params,
         std::string(name) + " of " + std::string(algorithm.name) + " is read back otherwise: " + written);
}

}  // namespace

FUZZ_TARGET(values) {
  const std::size_t kind = input.choice(10);
  if (kind == 9) {
    const AlgorithmInfo& algorithm = algorithms()[input.choice(algorithms().size())];
    const std::size_t field = input.choice(64);
    return assign_and_read(algorithm, field, input.text());
  }
  const std::string text = input.text();
  using Parse = void (*)(const std::string& text);
  constexpr std::array<Parse, 9> parsers{
      [](const std::string& t) { (void)app::parse_size(t); },
      [](const std::string& t) { (void)app::parse_seed(t); },
      [](const std::string& t) { (void)app::parse_set("--set", t); },
      [](const std::string& t) { (void)app::parse_depth(t); },
      [](const std::string& t) { (void)app::parse_theme(t); },
      [](const std::string& t) { (void)app::parse_extent("--sizes", t); },
      [](const std::string& t) { (void)parse_input_pattern(t); },
      [](const std::string& t) { (void)find_kind(t); },
      [](const std::string& t) { (void)find_algorithm(t); },
  };
  parsers[kind](text);
}

}  // namespace threadscape::fuzz
