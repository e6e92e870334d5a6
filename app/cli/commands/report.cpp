#include "app/cli/commands/report.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/option_values.h"
#include "app/cli/shared_options.h"
#include "app/document/byte_picture.h"
#include "app/lab/report_document.h"
#include "app/report/long_task.h"
#include "compute/core/errors.h"
#include "compute/io/data_file.h"
#include "compute/io/file_writer.h"

namespace threadscape::app {

namespace {

namespace fs = std::filesystem;

struct ReportCommand {
  std::vector<fs::path> files;
  fs::path output;
  std::string title;
  io::LoadOptions load;
  bool quiet = false;
};

DocumentPicture picture_of(const fs::path& file, const ReportCommand& command) {
  const io::Loaded loaded = io::load_data(file, Shape{.kind = Kind::image}, command.load);
  print_note(loaded.note, command.quiet);
  const Shape& shape = loaded.pixels.shape();
  return {.pixels = byte_picture(loaded.pixels.view(), longest_on_page),
          .caption = file.filename().string() + ", " + to_string(shape)};
}

int report(const ReportCommand& command) {
  if (!is_document_path(command.output))
    throw UsageError("-o '" + command.output.string() + "': a .html or .pdf file is wanted");
  io::require_writable(command.output);
  LongTask task("report", command.quiet);
  ReportParts parts{.title = command.title};
  for (const fs::path& file : command.files) {
    task.check();
    if (file.extension() != ".json") {
      parts.pictures.push_back(picture_of(file, command));
      continue;
    }
    if (is_session_path(file))
      throw UsageError(file.string() +
                       ": a session is no report of `threadscape bench --json`: draw it by `threadscape "
                       "render " +
                       file.filename().string() + " -o picture.png`, and name the picture");
    std::vector<Report> reports = load_reports(file);
    for (Report& one : reports)
      one.name = file.stem().string() + (reports.size() > 1 ? ", " + one.suite : "");
    std::ranges::move(reports, std::back_inserter(parts.reports));
  }
  io::save_bytes(command.output, document_bytes(report_document(std::move(parts)), command.output));
  return static_cast<int>(ExitCode::done);
}

}  // namespace

CommandAction set_up_report(CLI::App& app, FindDevices /*find_devices*/) {
  const auto command = std::make_shared<ReportCommand>();
  app.add_option("files", command->files, "Reports of `threadscape bench --json`, and pictures of any format")
      ->required()
      ->type_name("FILE");
  add_path(app, "-o,--output", command->output, "The .html or .pdf file")->required()->type_name("FILE");
  app.add_option("--title", command->title, "What stands above it (default: what was measured)")->type_name("TEXT");
  add_load_options(app, command->load);
  app.add_flag("-q,--quiet", command->quiet, "Print errors only");
  app.footer(
      "Measures nothing. Machine, pictures, plots, what limits each run, tables, and the commands to repeat it; of two "
      "reports of the same work also which is faster. HTML needs neither network nor scripts.\n\n"
      "Examples:\n"
      "  threadscape report bench.json -o report.html\n"
      "  threadscape report bench.json photo.png edges.png -o report.pdf --title \"Edges of a photo\"\n"
      "  threadscape report before.json after.json -o compared.pdf");
  return [command] { return report(*command); };
}

}  // namespace threadscape::app
