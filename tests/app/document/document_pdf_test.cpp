// Documents as PDF: the structure of the file, its letters, and what is on its pages.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "app/document/byte_picture.h"
#include "app/document/document.h"
#include "app/document/pdf_file.h"

namespace threadscape::app {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++found;
  return found;
}

/// Fails unless every entry of the table of objects leads to the object with its number.
void expect_objects(const std::string& pdf) {
  ASSERT_TRUE(pdf.starts_with("%PDF-1.4\n"));
  ASSERT_TRUE(pdf.ends_with("%%EOF\n"));
  const std::size_t named = std::strtoul(pdf.c_str() + pdf.rfind("startxref\n") + 10, nullptr, 10);
  ASSERT_EQ(pdf.substr(named, 7), "xref\n0 ");
  std::size_t at = pdf.find('\n', named + 5) + 1;
  const std::size_t objects = std::strtoul(pdf.c_str() + named + 7, nullptr, 10);
  for (std::size_t i = 0; i < objects; ++i, at += 20) {
    if (i == 0) continue;
    const std::string head = std::to_string(i) + " 0 obj\n";
    EXPECT_EQ(pdf.substr(std::strtoul(pdf.c_str() + at, nullptr, 10), head.size()), head);
  }
  EXPECT_EQ(pdf.substr(at, 8), "trailer\n");
}

/// The places of all texts on all pages, and the texts.
struct Placed {
  double x = 0.0, y = 0.0;
  std::string text;
};
std::vector<Placed> texts_of(const std::string& pdf) {
  std::vector<Placed> found;
  const std::regex operators(R"(([-0-9.]+) ([-0-9.]+) Tm \((.*)\) Tj)");
  for (std::sregex_iterator at(pdf.begin(), pdf.end(), operators), end; at != end; ++at)
    found.push_back({std::stod((*at)[1]), std::stod((*at)[2]), (*at)[3]});
  return found;
}

Document long_document() {
  Document document{.title = "A (long) title", .summary = "A summary."};
  DocumentTable table{.rows = {{"name", "ms"}}, .caption = "Times."};
  for (int i = 0; i < 120; ++i)
    table.rows.push_back({"row " + std::to_string(i) + std::string(i == 7 ? 400 : 1, 'w'), std::to_string(i)});
  document.blocks.emplace_back(DocumentHeading{"Figures"});
  document.blocks.emplace_back(std::move(table));
  Chart chart{.title = "Time", .x_label = "threads", .y_label = "ms"};
  chart.lines.push_back({.label = "openmp", .x = {1, 2, 4}, .y = {4, 2, 1}});
  document.blocks.emplace_back(DocumentChart{chart, "Time by threads."});
  document.blocks.emplace_back(DocumentList{{"one", "two"}});
  document.blocks.emplace_back(DocumentCommands{"threadscape bench sobel --sizes 64\n" + std::string(300, 'x')});
  HostArray picture(Shape::image(Element::u8, 4, 300, 200));
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 1200; ++x)
      picture.view().data[static_cast<std::size_t>(y) * picture.pitch() + static_cast<std::size_t>(x)] = std::byte{128};
  document.blocks.emplace_back(DocumentPicture{std::move(picture), "A picture."});
  return document;
}

TEST(Pdf, ObjectsAreWhereTheTableSays) {
  const std::string pdf = document_pdf(long_document());
  expect_objects(pdf);
  EXPECT_EQ(count(pdf, "/Subtype /Image /Width 300 /Height 200"), 1u);
  EXPECT_EQ(count(pdf, "/Title (A \\(long\\) title)"), 1u);
  const std::size_t pages = count(pdf, "/Type /Page ");
  EXPECT_GE(pages, 3u);
  EXPECT_EQ(count(pdf, "/Count " + std::to_string(pages) + " "), 1u);
}

TEST(Pdf, NothingIsOutsideOfThePage) {
  const std::vector<Placed> texts = texts_of(document_pdf(long_document()));
  std::size_t heads = 0;
  for (const Placed& placed : texts) {
    EXPECT_GE(placed.x, 0.0) << placed.text;
    EXPECT_LE(placed.x, PdfFile::page_width) << placed.text;
    EXPECT_GE(placed.y, 0.0) << placed.text;
    EXPECT_LE(placed.y, PdfFile::page_height) << placed.text;
    if (placed.text == "name") ++heads;
  }
  EXPECT_GE(heads, 2u) << "every page of a table has its head";
  for (int i = 0; i < 120; ++i) {
    if (i == 7) continue;  // It is longer than a line.
    const std::string wanted = "row " + std::to_string(i) + "w";
    EXPECT_EQ(std::ranges::count_if(texts, [&](const Placed& placed) { return placed.text == wanted; }), 1) << wanted;
  }
}

TEST(Pdf, LettersAreThoseOfTheFonts) {
  EXPECT_EQ(pdf_letters("a\u00b5\u03bc\u00d7\u2264\u2026"), "a\xb5\xb5\xd7<=\x85");
  EXPECT_EQ(pdf_letters("\u4f60\xff!\xe2\x82"), "?\?!??");
  EXPECT_EQ(pdf_letters("two\nlines"), "two lines");
  EXPECT_DOUBLE_EQ(pdf_width("Wi ", PdfFont::regular, 10.0), 9.44 + 2.22 + 2.78);
  EXPECT_DOUBLE_EQ(pdf_width("Wi ", PdfFont::code, 10.0), 18.0);
}

TEST(Pdf, LargePicturesAreAveraged) {
  HostArray picture(Shape::image(Element::u8, 1, 5, 2));
  const unsigned char values[2][5] = {{0, 4, 8, 8, 100}, {2, 2, 8, 9, 200}};
  for (std::size_t y = 0; y < 2; ++y)
    for (std::size_t x = 0; x < 5; ++x)
      picture.view().data[y * picture.pitch() + x] = std::byte{values[y][x]};
  const HostArray small = byte_picture(picture.view(), 3);
  ASSERT_EQ(small.shape(), Shape::image(Element::u8, 1, 3, 1));
  EXPECT_EQ(std::to_integer<int>(small.data()[0]), 2);
  EXPECT_EQ(std::to_integer<int>(small.data()[1]), 8);
  EXPECT_EQ(std::to_integer<int>(small.data()[2]), 150) << "the rim has fewer pixels";
  EXPECT_EQ(byte_picture(picture.view(), 5).shape(), picture.shape());
}

TEST(Document, HtmlNeedsNoNetworkAndNoScripts) {
  const std::string html = document_html(long_document());
  EXPECT_EQ(count(html, "<h2>Figures</h2>"), 1u);
  EXPECT_EQ(count(html, "<svg"), 1u);
  EXPECT_EQ(count(html, "alt=\"A picture.\""), 1u);
  EXPECT_EQ(count(html, "<script") + count(html, "src=\"http") + count(html, "<link"), 0u);
  EXPECT_EQ(count(html, "<tr>"), 121u);
  EXPECT_TRUE(document_bytes(long_document(), "a.PDF").starts_with("%PDF"));
  EXPECT_TRUE(document_bytes(long_document(), "a.html").starts_with("<!DOCTYPE html>"));
  EXPECT_FALSE(is_document_path("a.png"));
}

}  // namespace
}  // namespace threadscape::app
