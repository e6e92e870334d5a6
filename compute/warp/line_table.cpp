#include "compute/warp/line_table.h"

#include <cstring>

namespace threadscape::warp {

namespace {

/// Takes numbers from bytes; after the last one all are 0 and `ended` is true.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T take() {
    T value{};
    if (bytes_.size() - at_ < sizeof value) {
      end();
      return value;
    }
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  /// A number in groups of seven bits, the lowest first.
  std::uint64_t take_unsigned() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = take<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) break;
    }
    return value;
  }
  std::int64_t take_signed() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64;) {
      const auto byte = take<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7fu} << shift;
      shift += 7;
      if (byte >= 0x80) continue;
      if ((byte & 0x40) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
      break;
    }
    return static_cast<std::int64_t>(value);
  }
  void skip_to(std::uint64_t at) {
    if (at < at_ || at > bytes_.size())
      end();
    else
      at_ = at;
  }
  [[nodiscard]] std::uint64_t at() const { return at_; }
  [[nodiscard]] bool ended() const { return at_ >= bytes_.size(); }

 private:
  void end() { at_ = bytes_.size(); }
  std::string_view bytes_;
  std::uint64_t at_ = 0;
};

}  // namespace

std::vector<LineSequence> read_line_table(std::string_view table) {
  std::vector<LineSequence> sequences;
  Bytes bytes(table);
  (void)bytes.take<std::uint32_t>();  // The length of the table.
  if (bytes.take<std::uint16_t>() != 2) return sequences;
  const auto header = bytes.take<std::uint32_t>();
  const std::uint64_t program = bytes.at() + header;
  const auto unit = bytes.take<std::uint8_t>();
  (void)bytes.take<std::uint8_t>();  // Whether rows begin statements.
  const auto line_base = bytes.take<std::int8_t>();
  const auto line_range = bytes.take<std::uint8_t>(), first_special = bytes.take<std::uint8_t>();
  if (line_range == 0 || first_special < 10) return sequences;
  std::vector<std::uint8_t> operands(first_special);
  for (unsigned code = 1; code < first_special; ++code)
    operands[code] = bytes.take<std::uint8_t>();
  bytes.skip_to(program);

  LineSequence sequence;
  LineRow row{.address = 0, .line = 1};
  const auto move = [&](std::uint64_t addresses, std::int64_t lines) {
    row.address += addresses;
    row.line = static_cast<std::uint32_t>(row.line + lines);
  };
  while (!bytes.ended()) {
    const auto code = bytes.take<std::uint8_t>();
    if (code >= first_special) {
      const unsigned moved = code - first_special;
      move(std::uint64_t{moved / line_range} * unit, line_base + static_cast<int>(moved % line_range));
      sequence.rows.push_back(row);
      continue;
    }
    switch (code) {
      case 0: {
        const std::uint64_t size = bytes.take_unsigned(), begin = bytes.at();
        const auto extended = bytes.take<std::uint8_t>();
        if (extended == 1) {
          sequences.push_back(std::move(sequence));
          sequence = {};
          row = {.address = 0, .line = 1};
        } else if (extended == 2) {
          sequence.named_at = bytes.at();
          row.address = bytes.take<std::uint64_t>();
        }
        bytes.skip_to(begin + size);
        break;
      }
      case 1:
        sequence.rows.push_back(row);
        break;
      case 2:
        move(bytes.take_unsigned() * unit, 0);
        break;
      case 3:
        move(0, bytes.take_signed());
        break;
      case 8:
        move(std::uint64_t{(255u - first_special) / line_range} * unit, 0);
        break;
      case 9:
        move(bytes.take<std::uint16_t>(), 0);
        break;
      default:
        for (int k = 0; k < operands[code]; ++k)
          (void)bytes.take_unsigned();
    }
  }
  return sequences;
}

}  // namespace threadscape::warp
