#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "app/scenes/bars/diagrams.h"

namespace threadscape::app {

namespace {

ImU32 with_alpha(ImU32 colour, unsigned alpha) {
  return (colour & ~IM_COL32_A_MASK) | (alpha << IM_COL32_A_SHIFT);
}

/// The places of shared memory, or the registers of the lanes, after a step.
struct State {
  std::vector<int> held;     ///< For each place, the number of loaded values that are combined in it.
  std::vector<bool> needed;  ///< For each place, whether a later step or the result reads it.
  std::vector<bool> useful;  ///< For each combination of the step, whether its result is needed.
};

/// The state after step `step`, counted from 0.
State state_after(const TreeDiagram& tree, int step) {
  const auto places = static_cast<std::size_t>(tree.threads);
  State state;
  state.held.assign(places, std::max(tree.loads, 1));
  for (int s = 0; s <= step; ++s) {
    const TreeDiagram::Step& taken = tree.steps[static_cast<std::size_t>(s)];
    if (taken.cleared >= 0) state.held[static_cast<std::size_t>(taken.cleared)] = 0;
    const std::vector<int> before = state.held;
    for (const auto& one : taken.working) {
      if (one.source >= tree.threads) continue;
      const auto target = static_cast<std::size_t>(one.target), source = static_cast<std::size_t>(one.source);
      state.held[target] += before[source];
      if (one.exchange) state.held[source] = before[target];
    }
  }
  // The loop goes backwards from the result, to find the places that are never read again.
  std::vector<bool> needed(places, tree.all_needed);
  const int apart = tree.steps.back().in_registers ? tree.warp_threads : tree.threads;
  for (std::size_t i = 0; i < places; i += static_cast<std::size_t>(apart))
    needed[i] = true;
  for (int s = static_cast<int>(tree.steps.size()) - 1; s >= step; --s) {
    state.needed = needed;
    state.useful.clear();
    std::vector<bool> earlier = needed;
    for (const auto& one : tree.steps[static_cast<std::size_t>(s)].working) {
      const bool useful = needed[static_cast<std::size_t>(one.target)];
      state.useful.push_back(useful);
      if (useful && one.source < tree.threads) earlier[static_cast<std::size_t>(one.source)] = true;
    }
    needed = std::move(earlier);
  }
  return state;
}

/// For each bank, the maximum number of different words that one access of a warp reads or writes in it.
std::vector<int> conflicts(const TreeDiagram& tree, const TreeDiagram::Step& step) {
  std::vector<int> worst(static_cast<std::size_t>(tree.banks), 0);
  const int at_once = std::max(1, tree.warp_threads / tree.value_words);
  for (int first = 0; first < tree.threads; first += tree.warp_threads)
    for (const auto place : {&TreeDiagram::Combination::target, &TreeDiagram::Combination::source}) {
      std::vector<int> places;
      for (const auto& one : step.working)
        if (one.thread >= first && one.thread < first + tree.warp_threads) places.push_back(one.*place);
      for (std::size_t begin = 0; begin < places.size(); begin += static_cast<std::size_t>(at_once)) {
        std::map<int, std::set<int>> words;
        for (std::size_t i = begin; i < std::min(places.size(), begin + static_cast<std::size_t>(at_once)); ++i)
          for (int word = 0; word < tree.value_words; ++word) {
            const int address = places[i] * tree.value_words + word;
            words[address % tree.banks].insert(address);
          }
        for (const auto& [bank, different] : words) {
          int& ways = worst[static_cast<std::size_t>(bank)];
          ways = std::max(ways, static_cast<int>(different.size()));
        }
      }
    }
  return worst;
}

std::string plural(int count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Draws one step of the tree from top to bottom: heading, threads, memory or shuffles, table of all steps, legend. All
/// lengths are in pixels of the canvas.
class TreePicture {
 public:
  TreePicture(ViewCanvas& canvas, const TreeDiagram& tree, int step)
      : canvas_(canvas),
        list_(canvas.list()),
        tree_(tree),
        step_(step),
        now_(tree.steps[static_cast<std::size_t>(step)]),
        state_(state_after(tree, step)) {
    const float w = canvas.width(), h = canvas.height();
    unit_ = std::clamp(std::min(w / 57.0f, h / 31.0f), 10.0f, 64.0f);
    left_ = 4.6f * unit_;
    right_ = w - 9.6f * unit_;
    cell_ = (right_ - left_) / static_cast<float>(tree.banks);
    per_row_ = std::max(1, tree.banks / tree.value_words);
    thread_rows_ = (tree.threads + tree.warp_threads - 1) / tree.warp_threads;
    thread_pitch_ = now_.in_registers ? 1.8f : 1.0f;
    memory_rows_ = now_.in_registers ? 0 : (tree.threads + per_row_ - 1) / per_row_;
    const float fixed = 8.4f * unit_ + table_row() * static_cast<float>(tree.steps.size() + 1) + 2.2f * unit_;
    const float rows =
        static_cast<float>(thread_rows_) * thread_pitch_ + static_cast<float>(memory_rows_) * memory_pitch;
    const bool lanes = now_.in_registers;
    const float max_row = std::min((lanes ? 3.4f : 2.3f) * unit_, cell_ * (lanes ? 2.0f : 1.25f));
    const float min_row = std::min(0.85f * unit_, max_row);
    row_ = std::clamp((h - fixed) / rows, min_row, max_row);
  }

  void draw() {
    canvas_.text({unit_, 1.1f * unit_}, tree_.title, unit_ * 1.1f, ink(), Align::left, canvas_.width() - 2 * unit_);
    const std::string loads = tree_.loads == 0 ? "each thread begins with the sum of many values"
                              : tree_.loads == 1
                                  ? "each thread loads one value"
                                  : "each thread adds " + plural(tree_.loads, "value") + " while it loads";
    canvas_.text({unit_, 2.5f * unit_},
                 "Step " + std::to_string(step_ + 1) + " of " + std::to_string(tree_.steps.size()) + ": " + now_.title +
                     "   (block of " + plural(tree_.threads, "thread") + ", " + loads + ")",
                 unit_ * 0.95f, accent_ink(), Align::left, canvas_.width() - 2 * unit_);
    y_ = 3.6f * unit_;
    threads();
    if (now_.in_registers)
      shuffles();
    else
      memory();
    table();
    legend();
  }

 private:
  [[nodiscard]] float table_row() const { return 1.22f * unit_; }
  [[nodiscard]] float number_size() const { return std::min(cell_ * 0.56f, row_ * 0.78f); }
  [[nodiscard]] ImVec2 thread_middle(int thread) const {
    return {left_ + cell_ * (static_cast<float>(thread % tree_.warp_threads) + 0.5f),
            threads_top_ + row_ * thread_pitch_ * (static_cast<float>(thread / tree_.warp_threads) + 0.5f)};
  }
  void box(ImVec2 middle, float wide, ImU32 fill, ImU32 edge) {
    const float x = wide / 2 - std::max(0.5f, cell_ * 0.04f), y = row_ / 2 - std::max(0.5f, row_ * 0.05f);
    const ImVec2 low{middle.x - x, middle.y - y}, high{middle.x + x, middle.y + y};
    if (fill != 0) list_.AddRectFilled(low, high, fill, cell_ * 0.12f);
    if (edge != 0) list_.AddRect(low, high, edge, cell_ * 0.12f, 0, std::max(1.0f, unit_ * 0.08f));
  }

  void threads() {
    canvas_.text({left_, y_ + 0.6f * unit_}, "Threads", unit_ * 0.95f, ink());
    threads_top_ = y_ + 1.3f * unit_ + row_ * 0.3f * (thread_pitch_ - 1.0f);
    // The element of each thread is 0 if it is idle, 1 if its result is not needed, 2 if it is needed.
    std::vector<int> work(static_cast<std::size_t>(tree_.threads), 0);
    for (std::size_t i = 0; i < now_.working.size(); ++i)
      work[static_cast<std::size_t>(now_.working[i].thread)] = state_.useful[i] ? 2 : 1;
    for (int t = 0; t < tree_.threads; ++t) {
      const int does = work[static_cast<std::size_t>(t)];
      box(thread_middle(t), cell_,
          does == 2   ? accent_ink()
          : does == 1 ? with_alpha(accent_ink(), 70)
                      : 0,
          does == 0 ? faint_ink() : 0);
      canvas_.text(thread_middle(t), std::to_string(t), number_size(), does == 2 ? fill_ink() : muted_ink(),
                   Align::centre, cell_ * 0.9f);
    }
    for (int warp = 0; warp < thread_rows_; ++warp) {
      const int first = warp * tree_.warp_threads, count = std::min(tree_.warp_threads, tree_.threads - first);
      const auto active = static_cast<int>(
          std::count_if(work.begin() + first, work.begin() + first + count, [](int does) { return does != 0; }));
      const float y = thread_middle(first).y;
      const bool diverges = active > 0 && active < count;
      canvas_.text({left_ - 0.5f * unit_, y}, "warp " + std::to_string(warp), unit_ * 0.85f, muted_ink(), Align::right);
      const std::string says = active == 0 ? "skips the step"
                               : diverges  ? std::to_string(active) + " of " + std::to_string(count) + ": diverges"
                                           : "all " + std::to_string(count) + " work";
      canvas_.text({right_ + 0.6f * unit_, y}, says, unit_ * 0.9f,
                   diverges      ? warning_ink()
                   : active == 0 ? muted_ink()
                                 : good_ink(),
                   Align::left, 8.8f * unit_);
      if (diverges)
        list_.AddRect({left_ - 1, y - row_ / 2}, {right_ + 1, y + row_ / 2}, warning_ink(), cell_ * 0.12f, 0,
                      std::max(1.0f, unit_ * 0.1f));
    }
    y_ = threads_top_ + row_ * thread_pitch_ * static_cast<float>(thread_rows_);
  }

  /// Draws shuffles between lanes, which use no memory, as arcs over the threads.
  void shuffles() {
    for (std::size_t i = 0; i < now_.working.size(); ++i)
      if (state_.useful[i]) arc(thread_middle(now_.working[i].source), thread_middle(now_.working[i].target));
    canvas_.text({left_, y_ + 1.2f * unit_},
                 "The values stay in registers: a lane reads the register of another one. No shared memory, no banks.",
                 unit_ * 0.95f, ink(), Align::left, right_ - left_);
    y_ += 2.2f * unit_;
  }

  /// Distance between two rows of memory in heights of a row; the gap is for the arcs.
  static constexpr float memory_pitch = 1.4f;
  [[nodiscard]] ImVec2 memory_middle(int place) const {
    const float wide = cell_ * static_cast<float>(tree_.value_words);
    return {left_ + wide * (static_cast<float>(place % per_row_) + 0.5f),
            memory_top_ + row_ * memory_pitch * (static_cast<float>(place / per_row_) + 0.55f)};
  }

  void memory() {
    y_ += 0.9f * unit_;
    canvas_.text({left_, y_ + 0.6f * unit_},
                 "Shared memory: a column is a bank of 4 bytes; a number says how many values the place stands for",
                 unit_ * 0.95f, ink(), Align::left, canvas_.width() - left_ - unit_);
    y_ += 1.5f * unit_;
    const std::vector<int> worst = conflicts(tree_, now_);
    const float bottom = y_ + 1.2f * unit_ + row_ * memory_pitch * static_cast<float>(memory_rows_);
    for (int bank = 0; bank < tree_.banks; ++bank) {
      const int ways = worst[static_cast<std::size_t>(bank)];
      const float x = left_ + cell_ * static_cast<float>(bank);
      if (ways > 1)
        list_.AddRectFilled({x, y_}, {x + cell_, bottom}, with_alpha(warning_ink(), 60));
      else if (ways == 1)
        list_.AddRectFilled({x, y_}, {x + cell_, y_ + 1.2f * unit_}, with_alpha(good_ink(), 50));
      canvas_.text({x + cell_ / 2, y_ + 0.6f * unit_}, ways > 1 ? std::to_string(ways) + "x" : std::to_string(bank),
                   std::min(unit_ * 0.8f, cell_ * 0.58f), ways > 1 ? warning_ink() : muted_ink(), Align::centre,
                   cell_ * 0.95f);
    }
    canvas_.text({left_ - 0.5f * unit_, y_ + 0.6f * unit_}, "bank", unit_ * 0.85f, muted_ink(), Align::right);
    memory_top_ = y_ + 1.2f * unit_;

    // The bits of each place: 1 is set if it was read, 2 if it was written.
    std::vector<int> touched(static_cast<std::size_t>(tree_.threads), 0);
    for (const auto& one : now_.working)
      if (one.source < tree_.threads) touched[static_cast<std::size_t>(one.source)] |= 1;
    for (const auto& one : now_.working)
      touched[static_cast<std::size_t>(one.target)] |= 2;
    const float wide = cell_ * static_cast<float>(tree_.value_words);
    for (int place = 0; place < tree_.threads; ++place) {
      const int does = touched[static_cast<std::size_t>(place)];
      const bool counts = state_.needed[static_cast<std::size_t>(place)];
      const ImU32 fill = (does & 2) != 0 ? with_alpha(good_ink(), counts ? 255 : 80)
                         : does == 1     ? with_alpha(accent_ink(), 90)
                                         : 0;
      box(memory_middle(place), wide, fill, fill == 0 ? faint_ink() : 0);
      const int held = state_.held[static_cast<std::size_t>(place)];
      if (counts || does == 1)
        canvas_.text(memory_middle(place), std::to_string(held), number_size(),
                     (does & 2) != 0 && counts ? fill_ink() : ink(), Align::centre, wide * 0.9f);
    }
    for (std::size_t i = 0; i < now_.working.size(); ++i)
      if (state_.useful[i] && now_.working[i].source < tree_.threads)
        arc(memory_middle(now_.working[i].source), memory_middle(now_.working[i].target));
    for (int row = 0; row < memory_rows_; ++row)
      canvas_.text({left_ - 0.5f * unit_, memory_middle(row * per_row_).y}, std::to_string(row * per_row_) + " ...",
                   unit_ * 0.85f, muted_ink(), Align::right);
    canvas_.text({right_ + 0.6f * unit_, memory_middle(0).y},
                 now_.bank_conflict > 1 ? std::to_string(now_.bank_conflict) + "-way conflict" : "no conflict",
                 unit_ * 0.9f, now_.bank_conflict > 1 ? warning_ink() : good_ink(), Align::left, 8.8f * unit_);
    y_ = bottom;
  }

  /// An arc from the upper edge of one cell to that of another, so that it does not cross the numbers.
  void arc(ImVec2 from, ImVec2 to) {
    const bool same_row = std::abs(from.y - to.y) < 1;
    from.y -= row_ * 0.42f;
    to.y -= row_ * 0.42f;
    const float lift = same_row ? row_ * 0.62f : 0.0f, side = same_row ? 0.0f : cell_ * 0.42f;
    const ImU32 colour = with_alpha(ink(), 150);
    const float weight = std::max(1.0f, unit_ * 0.08f);
    list_.AddBezierCubic(from, {from.x - side, from.y - lift}, {to.x - side, to.y - lift}, to, colour, weight);
    list_.AddCircleFilled(to, std::max(1.5f, unit_ * 0.14f), with_alpha(ink(), 220));
  }

  void table() {
    const float top = canvas_.height() - 1.9f * unit_ - table_row() * static_cast<float>(tree_.steps.size() + 1);
    y_ = std::max(y_ + 0.5f * unit_, top);
    const float w = canvas_.width();
    const std::array<float, 6> columns{unit_, 0.07f * w + unit_, 0.24f * w, 0.40f * w, 0.60f * w, 0.80f * w};
    const auto row = [&](const std::array<std::string, 6>& cells, const std::array<ImU32, 6>& colours) {
      for (std::size_t c = 0; c < cells.size(); ++c) {
        const float room = (c + 1 < columns.size() ? columns[c + 1] : w) - columns[c] - 0.4f * unit_;
        canvas_.text({columns[c], y_ + table_row() / 2}, cells[c], unit_ * 0.88f, colours[c], Align::left, room);
      }
      y_ += table_row();
    };
    const ImU32 muted = muted_ink();
    row({"step", "reads", "threads at work", "warps that diverge", "bank conflicts", "afterwards"},
        {muted, muted, muted, muted, muted, muted});
    for (std::size_t s = 0; s < tree_.steps.size(); ++s) {
      const TreeDiagram::Step& step = tree_.steps[s];
      const bool current = static_cast<int>(s) == step_;
      if (current)
        list_.AddRectFilled({0.5f * unit_, y_}, {w - 0.5f * unit_, y_ + table_row()}, with_alpha(accent_ink(), 56),
                            0.25f * unit_);
      const ImU32 plain = current ? ink() : muted;
      row({std::to_string(s + 1), step.title,
           std::to_string(step.working.size()) + " of " + std::to_string(tree_.threads),
           std::to_string(step.warps_diverging) + " of " + std::to_string(step.warps_working),
           step.in_registers        ? "none: registers"
           : step.bank_conflict > 1 ? std::to_string(step.bank_conflict) + "-way: " + std::to_string(step.conflicts) +
                                          " of " + std::to_string(step.wavefronts)
                                    : "none",
           step.block_barrier ? "barrier of the block" : "the warp is in step"},
          {plain, plain, plain, step.warps_diverging > 0 ? warning_ink() : plain,
           step.bank_conflict > 1 ? warning_ink() : plain, plain});
    }
  }

  void legend() {
    const float y = canvas_.height() - 0.95f * unit_;
    float x = unit_;
    const auto entry = [&](ImU32 fill, ImU32 edge, std::string_view text) {
      const ImVec2 low{x, y - 0.36f * unit_}, high{x + 0.72f * unit_, y + 0.36f * unit_};
      if (fill != 0) list_.AddRectFilled(low, high, fill, 0.12f * unit_);
      if (edge != 0) list_.AddRect(low, high, edge, 0.12f * unit_, 0, std::max(1.0f, unit_ * 0.08f));
      x += 1.1f * unit_;
      canvas_.text({x, y}, text, unit_ * 0.82f, muted_ink());
      x += ViewCanvas::text_width(text, unit_ * 0.82f) + 1.1f * unit_;
    };
    entry(accent_ink(), 0, "thread at work");
    entry(with_alpha(accent_ink(), 70), 0, "result unused");
    entry(0, faint_ink(), "idle");
    if (now_.in_registers) return;
    entry(good_ink(), 0, "read and written");
    entry(with_alpha(accent_ink(), 90), 0, "read");
    entry(with_alpha(warning_ink(), 110), 0, "bank conflict");
  }

  ViewCanvas& canvas_;
  ImDrawList& list_;
  const TreeDiagram& tree_;
  int step_;
  const TreeDiagram::Step& now_;
  State state_;
  float thread_pitch_ = 1.0f;  ///< Distance between two rows of threads in heights of a row.
  float unit_ = 0, left_ = 0, right_ = 0, cell_ = 0, row_ = 0, y_ = 0, threads_top_ = 0, memory_top_ = 0;
  int per_row_ = 1, thread_rows_ = 0, memory_rows_ = 0;
};

}  // namespace

void draw_tree(ViewCanvas& canvas, const TreeDiagram& tree, int step) {
  constexpr float min_width = 300.0f;  // On a narrower canvas the cells have no room for numbers.
  if (tree.steps.empty() || canvas.width() < min_width) return;
  TreePicture(canvas, tree, std::clamp(step, 0, static_cast<int>(tree.steps.size()) - 1)).draw();
}

}  // namespace threadscape::app
