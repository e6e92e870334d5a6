#include "compute/warp/ptx.h"

#include <algorithm>
#include <array>

#include "compute/core/errors.h"
#include "compute/warp/ptx_parser.h"
#include "compute/warp/wmma.h"

namespace threadscape::warp {
namespace {

struct TypeRow {
  std::string_view name;
  int bytes;
};
/// The rows of all types, in the order of Type.
constexpr std::array<TypeRow, 21> type_rows{
    {{"", 0},    {"pred", 4}, {"b8", 1},   {"b16", 2},   {"b32", 4},    {"b64", 8}, {"b128", 16},
     {"u8", 1},  {"u16", 2},  {"u32", 4},  {"u64", 8},   {"s8", 1},     {"s16", 2}, {"s32", 4},
     {"s64", 8}, {"f16", 2},  {"bf16", 2}, {"f16x2", 4}, {"bf16x2", 4}, {"f32", 4}, {"f64", 8}}};

}  // namespace

int bytes_of(Type type) {
  return type_rows[static_cast<std::size_t>(type)].bytes;
}

Type type_named(std::string_view name) {
  for (std::size_t i = 1; i < type_rows.size(); ++i)
    if (type_rows[i].name == name) return static_cast<Type>(i);
  return Type::None;
}

const Function* Module::kernel(std::string_view name) const {
  const auto found = std::find_if(functions.begin(), functions.end(), [&](const Function& function) {
    return function.entry && function.defined && function.name == name;
  });
  return found == functions.end() ? nullptr : &*found;
}

std::string_view Module::function_at(const Location& location) const {
  if (location.function == 0 || location.function > debug_strings.size()) return {};
  return debug_strings.data() + location.function - 1;
}

Module parse_ptx(std::string_view text) {
  if (text.size() > PtxLimits::text) throw UsageError("the text of PTX is larger than 64 MiB");
  if (text.find("wmma.") == std::string_view::npos) return PtxParser(text).parse();
  const std::string expanded = expand_wmma(text);
  return PtxParser(expanded).parse();
}

}  // namespace threadscape::warp
