#pragma once
// Draws Markdown into the current window of ImGui.

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "app/lesson/markdown.h"
#include "app/ui/theme.h"

namespace threadscape::app {

/// How Markdown is drawn.
struct MarkdownLook {
  const Fonts& fonts;
  /// Draws the picture of a span as an item that is at most so wide. May be empty: then the text of the picture stands
  /// for it.
  std::function<void(const MarkdownSpan& span, float width)> picture = {};
};

/// The cells of a table by row, of which the first one is its head.
using MarkdownRows = std::vector<std::vector<std::vector<MarkdownSpan>>>;

/// Draws text in as many lines as the width needs, `scale` times as high as other text.
void draw_spans(std::span<const MarkdownSpan> spans, const MarkdownLook& look, float scale = 1.0f);
/// Draws a source with the colours of its words; long lines scroll. Each has an ID of its own.
void draw_source(std::string_view source, const MarkdownLook& look, int id);
/// Draws a table. Each has an ID of its own.
void draw_rows(const MarkdownRows& rows, const MarkdownLook& look, int id);
/// Draws blocks one after another.
void draw_markdown(std::span<const MarkdownBlock> blocks, const MarkdownLook& look);
void draw_markdown(std::string_view text, const MarkdownLook& look);

}  // namespace threadscape::app
