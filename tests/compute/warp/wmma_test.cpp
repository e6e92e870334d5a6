#include "compute/warp/wmma.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "compute/warp/half.h"
#include "tests/compute/warp/warp_testing.h"

namespace threadscape::warp {
namespace {

/// Where the matrices are in the input, in bytes, and their strides in elements.
constexpr int b_at = 1024, c_at = 4096, stride = 24, sum_stride = 20;

/// A product of two 16 x 16 matrices whose elements are small whole numbers, so that all sums are exact.
struct Product {
  bool a_by_columns = false, b_by_columns = false, sums_by_columns = false, single = true, shared = false;

  [[nodiscard]] static int a(int row, int k) { return (3 * row + 5 * k) % 7 - 3; }
  [[nodiscard]] static int b(int k, int column) { return (2 * k + 11 * column) % 5 - 1; }
  [[nodiscard]] static int c(int row, int column) { return row - 2 * column; }

  [[nodiscard]] int place(int row, int column, bool by_columns, int pitch) const {
    return by_columns ? column * pitch + row : row * pitch + column;
  }
  void fill(Trial& trial) const {
    auto* const bytes = reinterpret_cast<std::byte*>(trial.in.data());
    const auto put = [&](int at, int index, int value, bool in_single) {
      const std::uint32_t bits =
          in_single ? std::bit_cast<std::uint32_t>(static_cast<float>(value)) : Fp16::bits(value);
      const int size = in_single ? 4 : 2;
      std::memcpy(bytes + at + index * size, &bits, static_cast<std::size_t>(size));
    };
    for (int i = 0; i < 16; ++i)
      for (int k = 0; k < 16; ++k) {
        put(0, place(i, k, a_by_columns, stride), a(i, k), false);
        put(b_at, place(i, k, b_by_columns, stride), b(i, k), false);
        put(c_at, place(i, k, sums_by_columns, sum_stride), c(i, k), single);
      }
  }
  [[nodiscard]] double result(const Trial& trial, int row, int column) const {
    const int index = place(row, column, sums_by_columns, sum_stride);
    const auto* const bytes = reinterpret_cast<const std::byte*>(trial.out.data());
    if (single) {
      float value = 0;
      std::memcpy(&value, bytes + 4 * index, 4);
      return value;
    }
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes + 2 * index, 2);
    return Fp16::value(bits);
  }
  [[nodiscard]] std::string text() const {
    const auto layout = [](bool by_columns) { return std::string(by_columns ? ".col" : ".row"); };
    const std::string space = shared ? ".shared" : ".global", at = shared ? "%r3" : "%rd2",
                      type = single ? ".f32" : ".f16";
    const std::string sums = single ? "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}" : "{%r30, %r31, %r32, %r33}";
    const std::string a_words = "{%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}",
                      b_words = "{%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27}";
    std::string body = "mov.u32 %r5, " + std::to_string(stride) + ";\n";
    if (shared) {
      body += "mul.wide.u32 %rd5, %r1, 4;\nadd.s64 %rd6, %rd2, %rd5;\nshl.b32 %r4, %r1, 2;\nmov.u32 %r3, s;\n";
      body += "add.u32 %r4, %r4, %r3;\n";
      for (int at_byte = 0; at_byte < 2048; at_byte += 128)
        body += "ld.global.u32 %r6, [%rd6+" + std::to_string(at_byte) + "];\nst.shared.u32 [%r4+" +
                std::to_string(at_byte) + "], %r6;\n";
      body += "bar.warp.sync -1;\n";
    }
    const std::string load = "wmma.load", form = ".m16n16k16";
    body +=
        load + ".a.sync.aligned" + layout(a_by_columns) + form + space + ".f16 " + a_words + ", [" + at + "], 24;\n";
    body += load + ".b.sync.aligned" + layout(b_by_columns) + form + space + ".f16 " + b_words + ", [" + at + "+" +
            std::to_string(b_at) + "], %r5;\n";
    body += load + ".c.sync.aligned" + layout(sums_by_columns) + form + ".global" + type + " " + sums + ", [%rd2+" +
            std::to_string(c_at) + "], " + std::to_string(sum_stride) + ";\n";
    body += "wmma.mma.sync.aligned" + layout(a_by_columns) + layout(b_by_columns) + form + type + type + " " + sums +
            ", " + a_words + ", " + b_words + ", " + sums + ";\n";
    body += "wmma.store.d.sync.aligned" + layout(sums_by_columns) + form + ".global" + type + " [%rd1], " + sums +
            ", " + std::to_string(sum_stride) + ";\n";
    return kernel_text(body, "", ".shared .align 16 .b8 s[4096];\n");
  }
};

TEST(WarpWmma, ProductsAreThoseOfTheMatricesInAllLayouts) {
  for (int choice = 0; choice < 32; ++choice) {
    const Product product{(choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0, (choice & 8) != 0,
                          (choice & 16) != 0};
    Trial trial;
    product.fill(trial);
    const LaunchResult result = trial.run(product.text());
    ASSERT_EQ(result.stopped, "") << choice;
    EXPECT_TRUE(result.faults.empty()) << choice;
    for (int row = 0; row < 16; ++row)
      for (int column = 0; column < 16; ++column) {
        int sum = Product::c(row, column);
        for (int k = 0; k < 16; ++k)
          sum += Product::a(row, k) * Product::b(k, column);
        ASSERT_EQ(product.result(trial, row, column), sum) << choice << " " << row << " " << column;
      }
  }
}

TEST(WarpWmma, LoadsAreThoseOfTheAssembler) {
  // Four words a lane for each of A and B, four pairs of sums, and four pairs that are stored.
  const Product product{.b_by_columns = true};
  Trial trial;
  product.fill(trial);
  const LaunchResult result = trial.run(product.text());
  EXPECT_EQ(result.total.global_load_requests, 12U);
  EXPECT_EQ(result.total.global_store_requests, 4U);
}

TEST(WarpWmma, ExpansionsStayOnTheirLine) {
  const std::string text =
      "a\nwmma.mma.sync.aligned.row.col.m16n16k16.f16.f16\n{%a, %b, %c, %d}, {%e, %f, %g, %h},\n"
      "{%i, %j, %k, %l}, {%m, %n, %o, %p};\nb";
  const std::string expanded = expand_wmma(text);
  EXPECT_EQ(std::ranges::count(expanded, '\n'), std::ranges::count(text, '\n'));
  EXPECT_NE(expanded.find(
                "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%c, %d}, {%e, %f, %g, %h}, {%k, %l}, {%o, %p};"),
            std::string::npos);
}

TEST(WarpWmma, OtherFormsStay) {
  for (const std::string text : {"wmma.load.a.sync.aligned.row.m32n8k16.global.f16 {%a, %b}, [%rd1];",
                                 "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 {%a}, {%b}, {%c}, {%d};",
                                 "@%p1 wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%rd1], {%a, %b, %c, %d};",
                                 "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%a", "wmma.;", "wmma.load.a;"})
    EXPECT_EQ(expand_wmma(text), text);
}

}  // namespace
}  // namespace threadscape::warp
