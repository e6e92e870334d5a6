#include "app/cli/commands/list_tables.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/cli/command_text.h"
#include "app/cli/parser.h"
#include "app/report/text.h"
#include "compute/core/kind_info.h"
#include "compute/io/data_file.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/frame_writer.h"

namespace threadscape::app {

namespace {

/// The kinds of data that are in files.
constexpr std::array kinds_of_files{Kind::image,    Kind::heightfield, Kind::volume,
                                    Kind::sequence, Kind::mesh,        Kind::clip};

/// The types of numbers that a format is written with; empty if it is only read.
std::vector<std::string_view> written_numbers(const io::ImageFormat& format) {
  std::vector<std::string_view> numbers;
  if (format.encode == nullptr) return numbers;
  if (format.numbers.u8) numbers.emplace_back("8 bit");
  if (format.numbers.u16) numbers.emplace_back("16 bit");
  if (format.numbers.f32) numbers.emplace_back("float");
  return numbers;
}

std::string_view colours_of(const io::ImageFormat& format) {
  if (format.alpha) return format.colour ? "grey, RGB, RGBA" : "grey, grey with alpha";
  return format.colour ? "grey, RGB" : "grey";
}

/// The formats whose library this build was made without, or whose encoder this machine lacks.
std::vector<std::string_view> absent_formats() {
  std::vector<std::string_view> absent;
  if (!TS_HAS_TIFF) absent.emplace_back("TIFF");
  if (!TS_HAS_WEBP) absent.emplace_back("WebP");
  if (!TS_HAS_EXR) absent.emplace_back("OpenEXR");
  const std::vector<std::string_view> frames = io::frame_extensions();
  for (const std::string_view extension : {".gif", ".webp", ".mp4", ".webm", ".mkv"})
    if (std::ranges::find(frames, extension) == frames.end()) absent.emplace_back(extension);
  return absent;
}

std::string with_commas(const std::vector<std::string_view>& words) {
  return words.empty() ? "-" : joined(words, ", ");
}

}  // namespace

Json files_json() {
  Json json{{"pictures", Json::array()}, {"data", Json::array()}};
  for (const io::ImageFormat& format : io::image_formats()) {
    Json row{{"name", format.name}, {"extensions", Json(format.extensions)}, {"written", written_numbers(format)}};
    if (format.encode != nullptr) row["colours"] = colours_of(format);
    json["pictures"].push_back(row);
  }
  for (const Kind kind : kinds_of_files)
    json["data"].push_back({{"kind", name_of(kind)},
                            {"name", info_of(kind).user_name},
                            {"read", io::data_extensions(kind, io::FormatUse::read)},
                            {"written", io::data_extensions(kind, io::FormatUse::written)}});
  json["moving"] = {{"read", io::video_extensions()}, {"written", io::frame_extensions()}};
  json["absent"] = absent_formats();
  return json;
}

std::string files_text() {
  std::vector<std::vector<std::string>> pictures{{"picture format", "extensions", "written with", "colours"}};
  for (const io::ImageFormat& format : io::image_formats())
    pictures.push_back({std::string(format.name), joined(format.extensions, ", "), with_commas(written_numbers(format)),
                        std::string(format.encode != nullptr ? colours_of(format) : "-")});
  std::vector<std::vector<std::string>> data{{"kind of data", "read from", "written to"}};
  const auto add = [&data](std::string_view kind, const std::vector<std::string_view>& read,
                           const std::vector<std::string_view>& written) {
    data.push_back({std::string(kind), with_commas(read), with_commas(written)});
  };
  for (const Kind kind : kinds_of_files)
    add(info_of(kind).user_name, io::data_extensions(kind, io::FormatUse::read),
        io::data_extensions(kind, io::FormatUse::written));
  add("moving pictures", io::video_extensions(), io::frame_extensions());
  const std::vector<std::string_view> absent = absent_formats();
  return format_table(pictures) + "\n" + format_table(data) +
         (absent.empty() ? "" : "\nNot in this build or on this machine: " + joined(absent, ", ") + "\n");
}

Json commands_json() {
  const Parser parser;
  Json json{{"commands", Json::array()}};
  for (const CLI::App* command : commands_of(parser.app())) {
    Json options = Json::array();
    for (const CLI::Option* option : command->get_options())
      options.push_back({{"name", term_of(*option)}, {"help", explanation_of(*option)}});
    json["commands"].push_back({{"name", command->get_name()},
                                {"summary", command->get_description()},
                                {"arguments", synopsis_of(*command).substr(1)},
                                {"options", options},
                                {"examples", examples_of(*command)}});
  }
  for (const auto& [code, meaning] : exit_code_rows())
    json["exit_codes"][code] = meaning;
  return json;
}

std::string commands_text() {
  const Parser parser;
  std::vector<std::vector<std::string>> rows;
  for (const CLI::App* command : commands_of(parser.app()))
    rows.push_back({"threadscape " + command->get_name() + synopsis_of(*command), command->get_description()});
  return format_table(rows);
}

}  // namespace threadscape::app
