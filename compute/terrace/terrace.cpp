#include "compute/terrace/terrace.h"

#include "compute/io/heightfield_file.h"

namespace threadscape {

Shape Terrace::output_shape(const Params&, const Shape& input) {
  terrain::require_heights("terrace", input);
  return terrain::float_heights(input);
}

std::size_t Terrace::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

std::string Terrace::report(const Params&, const HostIn&, const HostIn& result) {
  return io::range_text(result);
}

AlgorithmInfo describe_terrace() {
  return describe<Terrace>("terrace");
}

}  // namespace threadscape
