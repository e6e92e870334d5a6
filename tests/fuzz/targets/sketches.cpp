// Sketches: the heads of kernels that a user writes, and the plans of their runs.

#include <algorithm>

#include "compute/sketch/plan.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

FUZZ_TARGET(sketches) {
  const sketch::Sketch sketch = sketch::make_sketch(input.text(), "sketch.cu");
  expect(!sketch.head.statements.empty(), "nothing is launched");
  const std::vector<sketch::Value> values = sketch::default_values(sketch.head);
  const sketch::DataType& reads = sketch.head.reads;
  Shape given{reads.kind, reads.element, reads.channels, 13, 1, 1};
  if (reads.kind == Kind::none) given = {};
  if (reads.kind == Kind::scalar) given.width = 1;
  if (reads.kind == Kind::image || reads.kind == Kind::heightfield || reads.kind == Kind::volume) given.height = 7;
  if (reads.kind == Kind::volume) given.depth = 3;
  const Shape result = sketch::result_shape(sketch, values, given);
  expect(result.width > 0 && result.height > 0 && result.depth > 0, "the result has no extent");
  const sketch::Plan plan = sketch::make_plan(sketch, values, given, result, 1);
  std::size_t end = 0;
  for (const sketch::Buffer& buffer : plan.buffers) {
    expect(buffer.offset >= end, "two buffers overlap");
    end = buffer.offset + buffer.bytes;
  }
  expect(end <= plan.bytes, "a buffer is longer than the memory");
  for (const sketch::Call& call : plan.calls)
    expect(call.arguments.size() == sketch.head.statements[call.statement].arguments.size(), "an argument is missing");
}

}  // namespace threadscape::fuzz
