#include "compute/algorithms/sequences/transfer/transfer.h"
#include "compute/registry/facets/traffic.h"

namespace threadscape {

namespace {

/// The bytes that cross the bus.
double bytes_of_copies(const ParamBox& box, const Shape& input) {
  const bool twice = box.as<Transfer::Params>().direction == Transfer::Direction::both;
  return static_cast<double>(input.bytes()) * (twice ? 2.0 : 1.0);
}

RunPlaces places(const ParamBox& box) {
  const auto& params = box.as<Transfer::Params>();
  const Place host = params.memory == Transfer::Memory::pageable ? Place::pageable : Place::pinned;
  return {.input = params.direction == Transfer::Direction::down ? Place::device : host,
          .output = params.direction == Transfer::Direction::up ? Place::device : host};
}

}  // namespace

Traffic describe_transfer_traffic() {
  return {.bytes = bytes_of_copies, .places = places};
}

}  // namespace threadscape
