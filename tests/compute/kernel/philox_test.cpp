#include "compute/kernel/philox.h"

#include <gtest/gtest.h>

namespace threadscape {
namespace {

// Known answers of Random123 (tests/kat_vectors, philox4x32 10).
TEST(Philox, KnownAnswers) {
  constexpr std::uint32_t f = 0xFFFFFFFFu;
  EXPECT_EQ(philox({{0, 0, 0, 0}}, 0), (PhiloxBlock{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}));
  EXPECT_EQ(philox({{f, f, f, f}}, 0xFFFFFFFFFFFFFFFFull),
            (PhiloxBlock{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}));
  // Counter and key are digits of pi.
  EXPECT_EQ(philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0x299f31d0a4093822ull),
            (PhiloxBlock{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}));
}

TEST(Philox, IsUsableAtCompileTime) {
  static_assert(philox({{0, 0, 0, 0}}, 0).word[0] == 0x6627e8d5);
  static_assert(unit_float(0) == 0.0f);
}

TEST(Philox, UnitFloatStaysBelowOne) {
  EXPECT_LT(unit_float(0xFFFFFFFFu), 1.0f);
  EXPECT_EQ(unit_float(0x80000000u), 0.5f);
}

}  // namespace
}  // namespace threadscape
