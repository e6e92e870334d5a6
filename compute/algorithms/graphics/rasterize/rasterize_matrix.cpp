#include "compute/algorithms/graphics/rasterize/rasterize_matrix.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <system_error>
#include <utility>
#include <vector>

namespace threadscape::rasterize {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The numbers of a text with commas between them; none if one of them is no number.
std::optional<std::vector<float>> numbers_of(std::string_view text) {
  std::vector<float> numbers;
  for (;;) {
    const std::size_t comma = text.find(',');
    const std::string_view word = trimmed(text.substr(0, comma));
    float value = 0.0f;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size()) return {};
    numbers.push_back(value);
    if (comma == std::string_view::npos) return numbers;
    text.remove_prefix(comma + 1);
  }
}

/// Solves m x = b for the last column of `m`, which has `Size` rows and Size + 1 columns, by Gaussian elimination with
/// the largest pivots. Returns false if a pivot is 0.
template <std::size_t Size>
bool solve(std::array<std::array<double, Size + 1>, Size>& m, std::array<double, Size>& x) {
  for (std::size_t column = 0; column < Size; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < Size; ++row)
      if (std::abs(m[row][column]) > std::abs(m[pivot][column])) pivot = row;
    if (m[pivot][column] == 0.0) return false;
    std::swap(m[pivot], m[column]);
    for (std::size_t row = column + 1; row < Size; ++row) {
      const double factor = m[row][column] / m[column][column];
      for (std::size_t i = column; i <= Size; ++i)
        m[row][i] -= factor * m[column][i];
    }
  }
  for (std::size_t row = Size; row-- > 0;) {
    double sum = m[row][Size];
    for (std::size_t i = row + 1; i < Size; ++i)
      sum -= m[row][i] * x[i];
    x[row] = sum / m[row][row];
  }
  return true;
}

/// The volume that the upper left `size` x `size` part spans, relative to the product of the lengths of its rows, or of
/// its columns if that is larger: 1 for axes at right angles, 0 for a singular matrix (Hadamard's inequality).
double relative_determinant(const Matrix4& m, std::size_t size) {
  std::array<std::array<double, 4>, 4> work{};
  double rows = 1.0, columns = 1.0;
  for (std::size_t i = 0; i < size; ++i) {
    double row = 0.0, column = 0.0;
    for (std::size_t j = 0; j < size; ++j) {
      work[i][j] = m[4 * i + j];
      row += m[4 * i + j] * m[4 * i + j];
      column += m[4 * j + i] * m[4 * j + i];
    }
    rows *= std::sqrt(row);
    columns *= std::sqrt(column);
  }
  double determinant = 1.0;
  for (std::size_t column = 0; column < size; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < size; ++row)
      if (std::abs(work[row][column]) > std::abs(work[pivot][column])) pivot = row;
    if (work[pivot][column] == 0.0) return 0.0;
    std::swap(work[pivot], work[column]);
    determinant *= work[column][column];
    for (std::size_t row = column + 1; row < size; ++row) {
      const double factor = work[row][column] / work[column][column];
      for (std::size_t i = column; i < size; ++i)
        work[row][i] -= factor * work[column][i];
    }
  }
  return std::abs(determinant) / std::max(std::min(rows, columns), 1e-300);
}

/// Floats have 24 bits, so products of four of them are known to about 1e-7 of their sizes. Matrices that are nearer to
/// singular than this have no direction that can be trusted.
constexpr double singular = 1e-9;

std::string form_problem(std::string_view name, std::string_view text) {
  const auto numbers = numbers_of(text);
  const std::string subject(name);
  if (!numbers)
    return subject + " is no list of numbers: 4 rows of 4 numbers with commas are accepted, or nothing, for that of " +
           "the camera";
  if (numbers->size() != 16)
    return subject + " has " + std::to_string(numbers->size()) +
           " numbers: 4 rows of 4 numbers with commas are accepted, or nothing, for that of the camera";
  for (std::size_t i = 0; i < 16; ++i)
    if (!std::isfinite((*numbers)[i]))
      return subject + " is not finite in row " + std::to_string(i / 4 + 1) + ", column " + std::to_string(i % 4 + 1) +
             ": finite numbers are accepted";
  return {};
}

}  // namespace

bool is_blank(std::string_view text) {
  return trimmed(text).empty();
}

std::optional<Matrix4> parse_matrix(std::string_view text) {
  const auto numbers = numbers_of(text);
  if (!numbers || numbers->size() != 16) return {};
  Matrix4 matrix{};
  for (std::size_t i = 0; i < 16; ++i) {
    if (!std::isfinite((*numbers)[i])) return {};
    matrix[i] = static_cast<double>((*numbers)[i]);
  }
  return matrix;
}

std::string matrix_text(const Matrix& matrix) {
  std::string text;
  for (const float value : matrix.m) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text += (text.empty() ? "" : ",") + std::string(digits.data(), end);
  }
  return text;
}

std::string view_problem(std::string_view text) {
  if (is_blank(text)) return {};
  if (std::string problem = form_problem("view_matrix", text); !problem.empty()) return problem;
  const Matrix4 m = *parse_matrix(text);
  if (m[12] != 0.0 || m[13] != 0.0 || m[14] != 0.0 || m[15] != 1.0)
    return "view_matrix has a last row other than 0,0,0,1: perspective belongs into projection_matrix";
  if (relative_determinant(m, 3) < singular)
    return "view_matrix is singular: its first three columns lie in a plane, so that the world would be flat; three "
           "independent columns are accepted";
  return {};
}

std::string projection_problem(std::string_view text) {
  if (is_blank(text)) return {};
  if (std::string problem = form_problem("projection_matrix", text); !problem.empty()) return problem;
  if (relative_determinant(*parse_matrix(text), 4) < singular)
    return "projection_matrix is singular: a row or column depends on the others, so that space would be flat; four "
           "independent rows are accepted";
  return {};
}

Matrix4 product(const Matrix4& a, const Matrix4& b) {
  Matrix4 c{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 4; ++k)
        c[4 * i + j] += a[4 * i + k] * b[4 * k + j];
  return c;
}

std::array<double, 4> centre_of_projection(const Matrix4& matrix) {
  std::array<std::array<double, 5>, 4> equations{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      equations[i][j] = matrix[4 * i + j];
  equations[2][4] = 1.0;
  std::array<double, 4> centre{};
  (void)solve<4>(equations, centre);  // The matrix is not singular, so there is a solution.
  return centre;
}

bool is_parallel(const Matrix4& projection) {
  const auto centre = centre_of_projection(projection);
  const double reach = std::max({std::abs(centre[0]), std::abs(centre[1]), std::abs(centre[2])});
  return std::abs(centre[3]) <= 1e-9 * reach;
}

}  // namespace threadscape::rasterize
