#include "compute/io/file_extension.h"

#include <algorithm>

namespace threadscape::io {

namespace {

std::string lower(std::string text) {
  // ASCII only, so that the result does not depend on the locale.
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

}  // namespace

std::string extension_of(const std::filesystem::path& path) {
  std::string last = lower(path.extension().string());
  // The format of a compressed file is that of its content.
  if (last == ".gz" && lower(path.stem().extension().string()) == ".nii") last.insert(0, ".nii");
  return last;
}

std::string stem_of(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.substr(0, name.size() - extension_of(path).size());
}

std::string enumerated(std::span<const std::string_view> items, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && i + 1 < items.size())
      text += ", ";
    else if (i > 0)
      text.append(" ").append(last).append(" ");
    text += items[i];
  }
  return text;
}

}  // namespace threadscape::io
