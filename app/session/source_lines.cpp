#include "app/session/source_lines.h"

#include <sstream>

#include "compute/core/errors.h"
#include "compute/io/input_file.h"

namespace threadscape::app {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> read_lines(const std::string& file) {
  try {
    const std::vector<std::byte> bytes = io::load_bytes(file, io::Limit::json_bytes);
    return lines_of(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  } catch (const Error&) {
    return {};  // Counts of the file's lines are shown without their texts.
  }
}

}  // namespace

void SourceLines::add(const std::string& file, const std::string& text) {
  files_[file] = lines_of(text);
}

const std::vector<std::string>& SourceLines::of(const std::string& file) {
  if (const auto found = files_.find(file); found != files_.end()) return found->second;
  std::vector<std::string> lines;
  const std::size_t own = file.rfind("compute/");
  if (own != std::string::npos && !root_.empty()) lines = read_lines((root_ / file.substr(own)).string());
  if (lines.empty()) lines = read_lines(file);
  return files_.emplace(file, std::move(lines)).first->second;
}

std::string SourceLines::line(const std::string& file, int number) {
  const std::vector<std::string>& lines = of(file);
  if (number < 1 || number > static_cast<int>(lines.size())) return "";
  const std::string& text = lines[static_cast<std::size_t>(number - 1)];
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin);
}

}  // namespace threadscape::app
