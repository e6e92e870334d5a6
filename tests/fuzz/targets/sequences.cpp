// Sequences: raw numbers of every type, written and read again.

#include <array>

#include "compute/io/numbers/sequence_file.h"
#include "tests/fuzz/fuzzing.h"

namespace threadscape::fuzz {

FUZZ_TARGET(sequences) {
  constexpr std::array elements{Element::u8,  Element::u16, Element::u32, Element::i32,
                                Element::i64, Element::f32, Element::f64};
  const Element element = elements[input.choice(elements.size())];
  const HostArray numbers = io::load_sequence(scratch_file("numbers.bin", input.bytes()), element);
  note_result(numbers.view());
  const auto path = scratch_path("written.raw");
  io::save_sequence(path, numbers.view());
  expect(equal_data(numbers.view(), io::load_sequence(path, element).view()), "a sequence is read back otherwise");
}

}  // namespace threadscape::fuzz
