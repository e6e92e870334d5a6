// Painted structuring elements: conversion from and to text, and resizing.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "compute/algorithms/morphology/morphology/morphology_element.h"
#include "compute/core/errors.h"

namespace threadscape::morphology {

namespace {

struct Size {
  int width = 0, height = 0;
  std::string_view cells;  ///< The characters after the size.
};

/// Parses the size at the begin of a text, as in "12x9:", with any number of digits.
std::optional<Size> parse_size(std::string_view text) {
  Size size;
  const char* const end = text.data() + text.size();
  const auto number = [end](const char* from, int& value, char after) -> const char* {
    if (from == end || *from < '0' || *from > '9') return nullptr;  // from_chars() accepts a minus as well.
    const auto [to, error] = std::from_chars(from, end, value);
    if (error == std::errc::result_out_of_range) value = max_painted + 1;
    return to != end && *to == after ? to + 1 : nullptr;
  };
  const char* at = number(text.data(), size.width, 'x');
  if (at != nullptr) at = number(at, size.height, ':');
  if (at == nullptr) return std::nullopt;
  size.cells = text.substr(static_cast<std::size_t>(at - text.data()));
  return size;
}

constexpr std::string_view digits = "0123456789abcdef";

/// The grey level that two hexadecimal digits stand for, -1 for "--".
std::optional<int> parse_level(char high, char low) {
  if (high == '-' && low == '-') return -1;
  const auto digit = [](char c) { return digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 'a' - 'A') : c); };
  if (digit(high) == std::string_view::npos || digit(low) == std::string_view::npos) return std::nullopt;
  return static_cast<int>(digit(high) * 16 + digit(low));
}

[[noreturn]] void refuse(std::string_view text, const std::string& why) {
  constexpr std::size_t shown = 40;
  throw UsageError("the painted element '" + std::string(text.substr(0, shown)) + (text.size() > shown ? "..." : "") +
                   "' " + why);
}

}  // namespace

bool is_painted(std::string_view text) {
  return parse_size(text).has_value();
}

StructuringElement parse_painted(std::string_view text) {
  const std::optional<Size> size = parse_size(text);
  if (!size) refuse(text, "does not begin with its size, as 3x3: does");
  const auto fits = [](int side) { return side >= 1 && side <= max_painted; };
  if (!fits(size->width) || !fits(size->height))
    refuse(text, "has a side that is not 1.." + std::to_string(max_painted) + " pixels; larger ones are files");
  std::string cells(size->cells);
  std::erase(cells, '/');
  StructuringElement element = blank_element(size->width, size->height, -1, -1);
  const std::size_t count = element.part.size();
  element.background.assign(count, 0);
  const auto refuse_pixel = [&](std::size_t i, std::string_view what, std::string_view accepted) {
    const auto width = static_cast<std::size_t>(element.width);
    refuse(text, "has '" + std::string(what) + "' at x " + std::to_string(i % width) + ", y " +
                     std::to_string(i / width) + "; accepted are " + std::string(accepted));
  };
  if (cells.size() == count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (cells[i] != '0' && cells[i] != '1' && cells[i] != 'x')
        refuse_pixel(i, {&cells[i], 1}, "0, 1 and x, or two hexadecimal digits or -- for each pixel");
      element.part[i] = cells[i] == '1';
      element.background[i] = cells[i] == '0';
    }
  } else if (cells.size() == 2 * count) {
    element.levels.assign(count, 0.0f);
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<int> level = parse_level(cells[2 * i], cells[2 * i + 1]);
      if (!level) refuse_pixel(i, {&cells[2 * i], 2}, "00..ff and --, or one of 0, 1, x for each pixel");
      element.part[i] = *level >= 0;
      element.background[i] = *level < 0;
      element.levels[i] = static_cast<float>(std::max(*level, 0));
    }
  } else {
    refuse(text, "has " + std::to_string(cells.size()) + " characters for its pixels; " + std::to_string(count) +
                     " (0, 1, x) or " + std::to_string(2 * count) + " (hexadecimal grey levels, --) are wanted");
  }
  return element;
}

std::string painted_text(const StructuringElement& element) {
  std::string text = std::to_string(element.width) + "x" + std::to_string(element.height) + ":";
  for (int y = 0; y < element.height; ++y) {
    if (y > 0) text += '/';
    for (int x = 0; x < element.width; ++x) {
      const std::size_t i = element.index(x, y);
      if (element.levels.empty()) {
        text += element.part[i] ? '1' : element.background[i] ? '0' : 'x';
      } else if (element.part[i]) {
        const auto level = static_cast<std::size_t>(std::clamp(std::lround(element.levels[i]), 0L, 255L));
        text += {digits[level / 16], digits[level % 16]};
      } else {
        text += "--";
      }
    }
  }
  return text;
}

StructuringElement resized(const StructuringElement& element, int width, int height) {
  const int left = width / 2 - element.width / 2, top = height / 2 - element.height / 2;
  StructuringElement result = blank_element(width, height, -1, -1);
  result.origin_x = std::clamp(element.origin_x + left, 0, width - 1);
  result.origin_y = std::clamp(element.origin_y + top, 0, height - 1);
  result.background.assign(result.part.size(), 1);
  if (!element.levels.empty()) result.levels.assign(result.part.size(), 0.0f);
  for (int y = std::max(0, top); y < std::min(height, top + element.height); ++y)
    for (int x = std::max(0, left); x < std::min(width, left + element.width); ++x) {
      const std::size_t from = element.index(x - left, y - top), to = result.index(x, y);
      result.part[to] = element.part[from];
      result.background[to] = element.background[from];
      if (!element.levels.empty()) result.levels[to] = element.levels[from];
    }
  return result;
}

}  // namespace threadscape::morphology
