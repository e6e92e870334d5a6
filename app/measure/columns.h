#pragma once
// The figures of a measurement in reports. Each is declared once, in columns.cpp: its name in JSON, in CSV and in the
// table, and how it is read and written. A new figure is a member of Measurement and a row of that table.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "app/measure/json_node.h"
#include "app/measure/report_file.h"

namespace threadscape::app {

/// A measurement with the report that it belongs to, to which some figures refer.
struct ReportRow {
  const Report& report;
  const Measurement& row;
  const std::vector<const Measurement*>& rows;  ///< All rows that are shown.
};

enum class TextForm : std::uint8_t { csv, table };

struct Column {
  std::string_view json;   ///< Member of a result in JSON; "" if it has none.
  std::string_view csv;    ///< Header in CSV; "" if it is not there.
  std::string_view table;  ///< Header in the table; "" if it is not there.
  /// Sets the member of the result, or leaves it out if there is nothing to say.
  std::function<void(const ReportRow&, Json&)> write = {};
  std::function<void(const JsonNode&, Measurement&)> read = {};  ///< Null for what follows from other figures.
  std::function<std::string(const ReportRow&, TextForm)> text = {};
  bool required = false;  ///< If true, a result without the member is refused.
  bool planned = false;   ///< If true, points that were skipped have it too.
};

[[nodiscard]] std::span<const Column> columns();

/// The headers in CSV of the columns that state what was measured, as numbers.
[[nodiscard]] std::vector<std::string> figure_names();
/// The column with such a header; null if there is none.
[[nodiscard]] const Column* find_figure(std::string_view csv);
/// The figure of a row; unset if the row does not have it.
[[nodiscard]] std::optional<double> figure_of(const Column& figure, const Report& report, const Measurement& row);

}  // namespace threadscape::app
