#include "compute/warp/line_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace threadscape::warp {
namespace {

TEST(WarpLineTable, DamagedTablesEnd) {
  std::string table("\x20\0\0\0\2\0\x10\0\0\0\1\1\xfb\x0e\x0a\0\1\1\1\1\0\0\0\1\0\0", 26);
  table += std::string("\0\x09\2\x10\0\0\0\0\0\0\0\x03\x05\1\2\x10\1\0\1\1", 20);
  const std::vector<LineSequence> whole = read_line_table(table);
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_EQ(whole[0].named_at, 29U);
  ASSERT_EQ(whole[0].rows.size(), 2U);
  EXPECT_EQ(whole[0].rows[0].address, 16U);
  EXPECT_EQ(whole[0].rows[0].line, 6U);
  EXPECT_EQ(whole[0].rows[1].address, 32U);
  for (std::size_t length = 0; length < table.size(); ++length)
    EXPECT_TRUE(read_line_table(table.substr(0, length)).empty()) << length;
  for (std::size_t at = 0; at < table.size(); ++at) {
    std::string damaged = table;
    damaged[at] = '\xff';
    EXPECT_LE(read_line_table(damaged).size(), 1U);
  }
}

}  // namespace
}  // namespace threadscape::warp
