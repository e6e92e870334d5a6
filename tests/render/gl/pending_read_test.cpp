// Tests of reads that do not wait: what arrives is what the synchronous read returns.

#include "render/gl/pending_read.h"

#include <chrono>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/core/synthetic.h"
#include "render/gl/resource.h"
#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace {

using testing::same_pixels;
using PendingReadTest = testing::GlTest;

/// Textures of every format, volumes, and data that only buffers hold. The widths need padding in other layouts.
std::vector<Shape> all_shapes() {
  std::vector<Shape> shapes;
  for (const Element element : {Element::u8, Element::u16, Element::f32}) {
    shapes.push_back(Shape::image(element, 1, 37, 11));
    shapes.push_back(Shape::image(element, 4, 37, 11));
    shapes.push_back({Kind::heightfield, element, 1, 33, 33, 1});
    shapes.push_back({Kind::volume, element, 1, 7, 5, 3});
  }
  shapes.push_back({Kind::volume, Element::f64, 1, 5, 3, 2});
  shapes.push_back({Kind::sequence, Element::i32, 1, 1001, 1, 1});
  shapes.push_back({Kind::scalar, Element::i64, 1, 1, 1, 1});
  return shapes;
}

/// Polls once a millisecond, as a window polls once a frame.
HostIn arrival_of(gl::PendingRead& read) {
  for (int i = 0; i < 10000; ++i) {
    if (const std::optional<HostIn> contents = read.poll()) return *contents;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  throw EnvironmentError("the contents never arrived");
}

TEST_F(PendingReadTest, EqualsTheSynchronousReadForEveryKindAndFormat) {
  for (const Shape& shape : all_shapes()) {
    SCOPED_TRACE(to_string(shape));
    gl::Resource resource(shape);
    resource.write(make_synthetic(InputPattern::noise, shape, 3).view());
    const HostArray expected = resource.read();
    gl::PendingRead read = resource.begin_read();
    const HostIn contents = arrival_of(read);
    EXPECT_EQ(contents.shape, shape);
    EXPECT_TRUE(same_pixels(contents, expected.view()));
  }
}

TEST_F(PendingReadTest, LaterChangesOfTheSourceDoNotReachIt) {
  for (const Shape& shape : all_shapes()) {
    SCOPED_TRACE(to_string(shape));
    std::optional<gl::Resource> resource(shape);
    const HostArray first = make_synthetic(InputPattern::noise, shape, 3);
    resource->write(first.view());
    gl::PendingRead read = resource->begin_read();
    resource->write(make_synthetic(InputPattern::noise, shape, 4).view());
    resource.reset();
    EXPECT_TRUE(same_pixels(arrival_of(read), first.view()));
  }
}

TEST_F(PendingReadTest, PollingEarlyDoesNoHarm) {
  const Shape shape = Shape::image(Element::f32, 4, 512, 512);
  gl::Resource resource(shape);
  const HostArray data = make_synthetic(InputPattern::noise, shape, 5);
  resource.write(data.view());
  gl::PendingRead read = resource.begin_read();
  for (int i = 0; i < 20; ++i) {
    const std::optional<HostIn> contents = read.poll();
    EXPECT_TRUE(!contents || same_pixels(*contents, data.view())) << "contents that have not all arrived";
  }
  EXPECT_TRUE(same_pixels(read.wait(), data.view()));
  ASSERT_TRUE(read.poll());
  EXPECT_TRUE(same_pixels(*read.poll(), data.view()));
}

TEST_F(PendingReadTest, ReadsInFlightKeepTheirOwnContentsAndCanBeMovedAndDropped) {
  const Shape shape = Shape::image(Element::u8, 4, 201, 99);
  gl::Resource resource(shape);
  std::vector<HostArray> data;
  std::vector<gl::PendingRead> reads;  // Growing moves its elements.
  for (std::uint64_t i = 0; i < 5; ++i) {
    data.push_back(make_synthetic(InputPattern::noise, shape, i));
    resource.write(data.back().view());
    reads.push_back(resource.begin_read());
  }
  reads.erase(reads.begin() + 1);  // before it was polled
  data.erase(data.begin() + 1);
  for (std::size_t i = 0; i < reads.size(); ++i)
    EXPECT_TRUE(same_pixels(arrival_of(reads[i]), data[i].view())) << i;
}

TEST_F(PendingReadTest, AnEmptySequenceArrives) {
  const gl::Resource resource(Shape{Kind::sequence, Element::u32, 1, 0, 1, 1});
  gl::PendingRead read = resource.begin_read();
  EXPECT_EQ(arrival_of(read).shape, resource.shape());
}

}  // namespace
}  // namespace threadscape
