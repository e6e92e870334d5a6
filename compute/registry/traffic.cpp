#include "compute/registry/traffic.h"

#include <array>
#include <utility>

namespace threadscape {

#define THREADSCAPE_TRAFFIC(name) Traffic describe_##name##_traffic();
#include "traffic.inc"
#undef THREADSCAPE_TRAFFIC

const Traffic& traffic_of(std::string_view algorithm) {
  static const std::array known{
      std::pair{std::string_view{}, Traffic{}},
#define THREADSCAPE_TRAFFIC(name) std::pair{std::string_view(#name), describe_##name##_traffic()},
#include "traffic.inc"
#undef THREADSCAPE_TRAFFIC
  };
  for (const auto& [name, traffic] : known)
    if (name == algorithm) return traffic;
  return known.front().second;
}

double bytes_moved(std::string_view algorithm, const ParamBox& params, const Shape& input, const Shape& output) {
  const Traffic& traffic = traffic_of(algorithm);
  if (traffic.bytes != nullptr) return traffic.bytes(params, input);
  return static_cast<double>(input.bytes() + output.bytes());
}

RunPlaces places_of(std::string_view algorithm, const ParamBox& params) {
  const Traffic& traffic = traffic_of(algorithm);
  return traffic.places != nullptr ? traffic.places(params) : RunPlaces{};
}

}  // namespace threadscape
