#include "compute/core/kind_info.h"

#include <array>
#include <string>

#include "compute/core/errors.h"

namespace threadscape {

namespace {

/// In the order of Kind.
constexpr std::array<KindInfo, 8> kinds{{
    {.name = "none", .user_name = "none", .dimensions = 0},
    {.name = "image", .user_name = "picture", .dimensions = 2, .coloured = true},
    {.name = "heightfield", .user_name = "heightfield", .dimensions = 2},
    {.name = "volume", .user_name = "volume", .dimensions = 3},
    {.name = "sequence", .user_name = "sequence", .dimensions = 1},
    {.name = "scalar", .user_name = "scalar", .dimensions = 0},
    {.name = "mesh", .user_name = "mesh", .dimensions = 1},
    {.name = "clip", .user_name = "clip", .dimensions = 3, .coloured = true},
}};
static_assert(kinds.size() == static_cast<std::size_t>(Kind::clip) + 1, "every kind has a row");

}  // namespace

const KindInfo& info_of(Kind kind) {
  return kinds[static_cast<std::size_t>(kind)];
}

const KindInfo& find_kind(std::string_view name) {
  std::string known;
  for (const KindInfo& info : kinds) {
    if (info.name == name) return info;
    known += (known.empty() ? "" : " | ") + std::string(info.name);
  }
  throw UsageError("kind of data '" + std::string(name) + "': accepted are " + known);
}

std::string_view name_of(Kind kind) {
  return info_of(kind).name;
}

}  // namespace threadscape
