#include "compute/algorithms/sequences/memory_access/memory_access.h"
#include "compute/registry/facets/traffic.h"

namespace threadscape {

namespace {

/// The bytes of all words that the threads read and write: for patterns with a table, every read of the table counts.
double bytes_of_accesses(const ParamBox& box, const Shape& input) {
  const auto& params = box.as<MemoryAccess::Params>();
  const int table_reads = memory_access::reads_table(params.pattern) ? params.rounds * memory_access::round_reads : 0;
  return static_cast<double>(input.items()) * sizeof(std::uint32_t) * (2.0 + table_reads);
}

}  // namespace

Traffic describe_memory_access_traffic() {
  return {.bytes = bytes_of_accesses};
}

}  // namespace threadscape
