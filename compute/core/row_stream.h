#pragma once
// Pictures that need not fit into memory: their rows are read and written from the first to the last.

#include <cstddef>
#include <cstdint>

#include "compute/core/data_view.h"

namespace threadscape {

class RowReader {
 public:
  virtual ~RowReader() = default;
  [[nodiscard]] virtual const Shape& shape() const = 0;
  /// The bytes that reading takes beside the rows of the caller.
  [[nodiscard]] virtual std::size_t held_bytes() const = 0;
  /// Reads the next rows, as many as the view has. Throws EnvironmentError.
  virtual void read(const HostOut& rows) = 0;
};

class RowWriter {
 public:
  virtual ~RowWriter() = default;
  /// The number of rows that are stored together: all calls of write() but the last one get a multiple of it.
  [[nodiscard]] virtual std::int64_t rows_together() const = 0;
  /// The bytes that writing so many rows takes beside them, and what is kept until the end.
  [[nodiscard]] virtual std::size_t held_bytes(std::int64_t rows) const = 0;
  /// Writes the next rows. Throws EnvironmentError.
  virtual void write(const HostIn& rows) = 0;
};

}  // namespace threadscape
