#include "app/document/pdf_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <span>

#include "compute/io/deflate.h"

namespace threadscape::app {

namespace {

/// The widths of the letters from space to ~ of Helvetica, in thousandths of its size.
constexpr std::array<std::uint16_t, 95> letter_widths{
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};

/// Signs beyond Latin-1, with what stands for them in Windows-1252.
struct Substitute {
  char32_t sign;
  const char* letters;
};
constexpr std::array<Substitute, 14> substitutes{{{U'\u20ac', "\x80"},
                                                  {U'\u2026', "\x85"},
                                                  {U'\u2018', "\x91"},
                                                  {U'\u2019', "\x92"},
                                                  {U'\u201c', "\x93"},
                                                  {U'\u201d', "\x94"},
                                                  {U'\u2022', "\x95"},
                                                  {U'\u2013', "\x96"},
                                                  {U'\u2014', "\x97"},
                                                  {U'\u2122', "\x99"},
                                                  {U'\u2212', "-"},
                                                  {U'\u2264', "<="},
                                                  {U'\u2265', ">="},
                                                  {U'\u03bc', "\xb5"}}};

/// Takes the next character of a text in UTF-8. A byte that is none is U+FFFD.
char32_t next_sign(std::string_view& text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  char32_t sign = length == 1 ? first : first & (0x7fU >> length);
  bool whole = length <= text.size() && (first < 0x80 || first >= 0xc2);
  for (std::size_t i = 1; whole && i < length; ++i) {
    whole = (byte(i) & 0xc0) == 0x80;
    sign = (sign << 6) | (byte(i) & 0x3fU);
  }
  text.remove_prefix(whole ? length : 1);
  return whole ? sign : U'\ufffd';
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", std::isfinite(value) ? value : 0.0);
  return text.data();
}
std::string numbers(std::initializer_list<double> values) {
  std::string text;
  for (const double value : values)
    text += number(value) + " ";
  return text;
}
/// A point of the page, whose y grows upwards in the file.
std::string point(double x, double y) {
  return numbers({x, PdfFile::page_height - y});
}
std::string colour(unsigned value) {
  const auto part = [value](unsigned shift) { return static_cast<double>((value >> shift) & 255U) / 255.0; };
  return numbers({part(16), part(8), part(0)});
}
std::string literal(std::string_view letters) {
  std::string text = "(";
  for (const char c : letters)
    text += c == '(' || c == ')' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return text + ")";
}
std::string stream(const std::string& entries, std::string_view data) {
  return "<< " + entries + " /Length " + std::to_string(data.size()) + " >>\nstream\n" + std::string(data) +
         "\nendstream";
}

}  // namespace

std::string pdf_letters(std::string_view text) {
  std::string letters;
  while (!text.empty()) {
    const char32_t sign = next_sign(text);
    const auto* const found = std::ranges::find(substitutes, sign, &Substitute::sign);
    if (found != substitutes.end())
      letters += found->letters;
    else if (sign == U'\n' || sign == U'\t')
      letters += ' ';
    else if ((sign >= 0x20 && sign < 0x7f) || (sign >= 0xa0 && sign <= 0xff))
      letters += static_cast<char>(sign);
    else
      letters += '?';
  }
  return letters;
}

double pdf_width(std::string_view letters, PdfFont font, double size) {
  constexpr double code_width = 600.0, accented = 611.0, bold = 1.1;
  double width = 0.0;
  for (const char c : letters) {
    const auto place = static_cast<std::size_t>(static_cast<unsigned char>(c)) - 0x20;
    width += font == PdfFont::code ? code_width : place < letter_widths.size() ? letter_widths[place] : accented;
  }
  return width * size / 1000.0 * (font == PdfFont::bold ? bold : 1.0);
}

void PdfFile::text(double x, double y, std::string_view letters, const PdfText& style) {
  if (letters.empty()) return;
  const double angle = -style.degrees * std::numbers::pi / 180.0;
  pages_.back() += "BT " + colour(style.colour) + "rg /F" + std::to_string(static_cast<int>(style.font) + 1) + " " +
                   number(style.size) + " Tf " +
                   numbers({std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle)}) + point(x, y) +
                   "Tm " + literal(letters) + " Tj ET\n";
}

std::string PdfFile::begin(const Ink& ink, bool closed) {
  std::string& page = pages_.back();
  if (ink.fill) page += colour(*ink.fill) + "rg ";
  if (ink.stroke)
    page += colour(*ink.stroke) + "RG " + number(ink.width) + " w " +
            (ink.dash > 0 ? "[" + std::to_string(ink.dash) + " " + std::to_string(ink.gap) + "] 0 d " : "[] 0 d ");
  if (ink.fill) return ink.stroke ? "b\n" : "f\n";
  return !ink.stroke ? "n\n" : closed ? "s\n" : "S\n";
}

void PdfFile::path(const std::vector<std::pair<double, double>>& points, const Ink& ink, bool closed) {
  if (points.empty()) return;
  const std::string paint = begin(ink, closed);
  for (std::size_t i = 0; i < points.size(); ++i)
    pages_.back() += point(points[i].first, points[i].second) + (i == 0 ? "m " : "l ");
  pages_.back() += paint;
}

void PdfFile::rectangle(double x, double y, double width, double height, const Ink& ink) {
  path({{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}}, ink, true);
}

void PdfFile::circle(double x, double y, double radius, const Ink& ink) {
  const double k = radius * 4.0 / 3.0 * (std::numbers::sqrt2 - 1.0);  // Four Bezier curves make the circle.
  const std::string paint = begin(ink, true);
  const auto curve = [&](double x1, double y1, double x2, double y2, double x3, double y3) {
    pages_.back() += point(x + x1, y + y1) + point(x + x2, y + y2) + point(x + x3, y + y3) + "c ";
  };
  pages_.back() += point(x + radius, y) + "m ";
  curve(radius, k, k, radius, 0, radius);
  curve(-k, radius, -radius, k, -radius, 0);
  curve(-radius, -k, -k, -radius, 0, -radius);
  curve(k, -radius, radius, -k, radius, 0);
  pages_.back() += paint;
}

void PdfFile::picture(double x, double y, double width, double height, HostIn pixels) {
  const Shape& shape = pixels.shape;
  const bool coloured = shape.channels == 4;
  std::vector<std::byte> bytes;
  for (std::int64_t row = 0; row < shape.height; ++row) {
    const std::byte* const line = pixels.data + static_cast<std::size_t>(row) * pixels.pitch;
    for (std::int64_t column = 0; column < shape.width; ++column) {
      if (!coloured) {
        bytes.push_back(line[column]);
        continue;
      }
      const std::span<const std::byte> four(line + 4 * column, 4);
      const int opacity = std::to_integer<int>(four[3]);
      for (std::size_t channel = 0; channel < 3; ++channel)
        bytes.push_back(static_cast<std::byte>(
            (std::to_integer<int>(four[channel]) * opacity + 255 * (255 - opacity) + 127) / 255));
    }
  }
  constexpr int level = 6;
  const std::vector<std::byte> packed = io::deflated(bytes, level);
  pictures_.push_back(stream("/Type /XObject /Subtype /Image /Width " + std::to_string(shape.width) + " /Height " +
                                 std::to_string(shape.height) + " /BitsPerComponent 8 /ColorSpace " +
                                 (coloured ? "/DeviceRGB" : "/DeviceGray") + " /Filter /FlateDecode",
                             {reinterpret_cast<const char*>(packed.data()), packed.size()}));
  pages_.back() += "q " + numbers({width, 0, 0, height}) + point(x, y + height) + "cm /P" +
                   std::to_string(pictures_.size()) + " Do Q\n";
}

std::string PdfFile::finish(std::string_view title) const {
  // Objects 1 to 7 are the catalogue, the list of pages, the fonts, what pages share, and the title; pictures and pages
  // follow, and each page is two objects.
  constexpr std::size_t first_picture = 8;
  const std::size_t first_page = first_picture + pictures_.size();
  const auto reference = [](std::size_t object) { return std::to_string(object) + " 0 R"; };
  std::string kids, shared;
  for (std::size_t i = 0; i < pages_.size(); ++i)
    kids += reference(first_page + 2 * i) + " ";
  for (std::size_t i = 0; i < pictures_.size(); ++i)
    shared += "/P" + std::to_string(i + 1) + " " + reference(first_picture + i) + " ";
  std::vector<std::string> objects{
      "<< /Type /Catalog /Pages 2 0 R /Lang (en) /ViewerPreferences << /DisplayDocTitle true >> >>",
      "<< /Type /Pages /Kids [" + kids + "] /Count " + std::to_string(pages_.size()) + " >>"};
  for (const char* font : {"Helvetica", "Helvetica-Bold", "Courier"})
    objects.push_back(std::string("<< /Type /Font /Subtype /Type1 /BaseFont /") + font +
                      " /Encoding /WinAnsiEncoding >>");
  objects.push_back("<< /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> /XObject << " + shared + ">> >>");
  objects.push_back("<< /Title " + literal(pdf_letters(title)) + " /Creator (Threadscape) >>");
  objects.insert(objects.end(), pictures_.begin(), pictures_.end());
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    objects.push_back("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 " + number(page_width) + " " + number(page_height) +
                      "] /Resources 6 0 R /Contents " + reference(first_page + 2 * i + 1) + " >>");
    objects.push_back(stream("", pages_[i]));
  }
  std::string file = "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", places;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    std::array<char, 32> place{};
    std::snprintf(place.data(), place.size(), "%010zu 00000 n \n", file.size());
    places += place.data();
    file += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
  }
  const std::size_t table = file.size(), count = objects.size() + 1;
  return file + "xref\n0 " + std::to_string(count) + "\n0000000000 65535 f \n" + places + "trailer\n<< /Size " +
         std::to_string(count) + " /Root 1 0 R /Info 7 0 R >>\nstartxref\n" + std::to_string(table) + "\n%%EOF\n";
}

}  // namespace threadscape::app
