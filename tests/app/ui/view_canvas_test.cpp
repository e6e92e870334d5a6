// Text over views that are smaller than it.

#include "app/ui/view_canvas.h"

#include <limits>

#include "tests/support/app/image_desk.h"

namespace threadscape::app {
namespace {

class ViewCanvasTest : public ImageSceneTest {
 protected:
  /// Number of vertices that `draw` adds to the canvas.
  template <class Draw>
  int vertices_of(const Draw& draw) {
    (void)platform_->poll(false);
    ui_->begin_frame();
    ViewCanvas canvas(frame_);
    draw(canvas);
    const int count = canvas.list().VtxBuffer.Size;
    canvas.finish();
    ui_->drop_frame();
    return count;
  }
};

TEST_F(ViewCanvasTest, TextWithoutRoomIsLeftOut) {
  if (!platform_) return;
  const auto text_in = [&](float room, float size) {
    return vertices_of([&](ViewCanvas& canvas) {
      canvas.text({10, 10}, "Threads", size, ink(), Align::left, room);
      canvas.text({10, 30}, "Threads", size, ink(), Align::centre, room);
    });
  };
  EXPECT_GT(text_in(200.0f, 14.0f), 0);
  EXPECT_GT(text_in(20.0f, 14.0f), 0);
  for (const float room : {1.0f, 0.0f, -30.0f})
    EXPECT_EQ(text_in(room, 14.0f), 0) << room;
  for (const float size : {0.4f, 0.0f, -3.0f, std::numeric_limits<float>::quiet_NaN()})
    EXPECT_EQ(text_in(200.0f, size), 0) << size;
}

TEST_F(ViewCanvasTest, LabelsOfNoHeightEnd) {
  if (!platform_) return;
  EXPECT_GE(vertices_of([](ViewCanvas& canvas) {
              canvas.label({10, 10}, "one", 0.0f, ink());
              canvas.label_lines({10, 10}, "one two three", 0.0f, ink(), Align::left, -5.0f);
            }),
            0);
}

}  // namespace
}  // namespace threadscape::app
