#include "compute/algorithms/tomography/geometry.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>
#include <numeric>
#include <string_view>
#include <utility>

#include "compute/algorithms/tomography/view_list.h"
#include "compute/core/errors.h"

namespace threadscape::projection {

ViewAngle view_angle(double degrees) {
  const double quarters = std::round(degrees / 90);
  const double rest = (degrees - quarters * 90) * (std::numbers::pi / 180);
  const double sine = std::sin(rest), cosine = std::cos(rest);
  switch (static_cast<int>(std::fmod(quarters, 4)) & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

namespace {

/// The cover of the directions from 0 to `period` degrees, after which they repeat.
ViewCover cover_within(const std::vector<double>& degrees, double period) {
  const std::size_t n = degrees.size();
  ViewCover cover{.closed = false,
                  .step = period,
                  .shares = std::vector<double>(n, 1.0),
                  .places = std::vector<double>(n, period / 2),
                  .covered = period};
  if (n == 1) return cover;
  std::vector<double> directions;
  for (const double angle : degrees)
    directions.push_back(angle - period * std::floor(angle / period));
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return directions[i]; });
  std::vector<double> gaps;  // From each direction, in their order, to the next one.
  for (std::size_t i = 0; i + 1 < n; ++i)
    gaps.push_back(directions[order[i + 1]] - directions[order[i]]);
  gaps.push_back(period - directions[order.back()] + directions[order.front()]);
  const auto longest = static_cast<std::size_t>(std::ranges::max_element(gaps) - gaps.begin());
  cover.step = period / static_cast<double>(n);
  cover.closed = gaps[longest] <= 2 * cover.step * (1 + 1e-6);
  if (!cover.closed) cover.step = (period - gaps[longest]) / static_cast<double>(n - 1);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = (i + n - 1) % n;
    // The views at both ends of what is covered reach beyond it as far as inwards.
    const double left = !cover.closed && before == longest ? gaps[i] : gaps[before];
    const double right = !cover.closed && i == longest ? gaps[before] : gaps[i];
    cover.shares[order[i]] = cover.step > 0 ? 0.5 * (left + right) / cover.step : 1.0;
  }
  const std::size_t first = (longest + 1) % n, last = longest;
  const double outwards = 0.5 * (cover.closed ? gaps[longest] : gaps[first]);
  double place = outwards;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = (first + k) % n;
    cover.places[order[i]] = place;
    if (k + 1 < n) place += gaps[i];
  }
  cover.covered = place + 0.5 * (cover.closed ? gaps[longest] : gaps[(last + n - 1) % n]);
  return cover;
}

}  // namespace

double Geometry::angle_of(int view) const {
  return first_angle + (list != nullptr ? list->degrees[static_cast<std::size_t>(view)] : view) * angle_step;
}

ViewAngle Geometry::position(int view) const {
  ViewAngle angle = view_angle(angle_of(view));
  const double turned = list != nullptr ? list->degrees[static_cast<std::size_t>(view)] : view * std::abs(angle_step);
  angle.z = first_z + turned * z_per_degree;
  return angle;
}

ViewAngle Geometry::view(int number) const {
  ViewAngle angle = position(number);
  angle.place = (number + 0.5) * std::abs(angle_step) * (std::numbers::pi / 180);
  if (list != nullptr) {
    const ViewCover& cover = cover_of(*this);
    angle.share = cover.shares[static_cast<std::size_t>(number)];
    angle.place = cover.places[static_cast<std::size_t>(number)] * (std::numbers::pi / 180);
  }
  return angle;
}

const ViewList& view_list(const std::string& text) {
  static std::mutex mutex;
  static std::map<std::string, ViewList> lists;
  const std::lock_guard lock(mutex);
  if (const auto known = lists.find(text); known != lists.end()) return known->second;
  ViewList list;
  constexpr std::string_view between = ", ;\t\r\n";
  for (std::size_t at = 0; (at = text.find_first_not_of(between, at)) != std::string::npos;) {
    const std::string word = text.substr(at, text.find_first_of(between, at) - at);
    double angle = 0;
    const auto result = std::from_chars(word.data(), word.data() + word.size(), angle);
    if (result.ec != std::errc{} || result.ptr != word.data() + word.size() || !(std::abs(angle) <= 36000))
      throw UsageError("angles: '" + word + "' is no angle in degrees; a list is written as 0,1.5,4");
    list.degrees.push_back(angle);
    at += word.size();
  }
  if (list.degrees.empty()) throw UsageError("angles: there is no number in '" + text + "'");
  list.turn = cover_within(list.degrees, 360);
  list.half_turn = cover_within(list.degrees, 180);
  return lists.emplace(text, std::move(list)).first->second;
}

}  // namespace threadscape::projection
