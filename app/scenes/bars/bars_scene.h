#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "app/scenes/bars/diagrams.h"
#include "app/scenes/scene.h"
#include "compute/core/params.h"
#include "render/interop/value_probe.h"
#include "render/passes/bars_pass.h"

namespace threadscape::app {

/// The form in which a sequence is shown; `diagram` is the sorting network or the tree of the reduction.
enum class BarsShow : std::uint8_t { both, result, input, diagram };
inline constexpr std::array<std::string_view, 4> bars_show_names{"both", "result", "input", "diagram"};

/// Settings of how sequences are drawn, and of which step of a reduction's tree: `--view NAME=VALUE`.
struct BarsView {
  enum class Style : std::uint8_t { bars, strip };
  enum class Base : std::uint8_t { lowest, zero };
  enum class Block : std::uint8_t { threads_64, threads_128, threads_256 };
  static constexpr std::array<std::string_view, 2> style_names{"bars", "strip"};
  static constexpr std::array<std::string_view, 2> base_names{"lowest", "zero"};
  static constexpr std::array<std::string_view, 3> block_names{"64", "128", "256"};

  Style style = Style::bars;
  render::BarColour colour = render::BarColour::value;
  Base base = Base::lowest;
  int step = 1;
  int kernel = 0;
  Block block = Block::threads_64;

  /// Threads per block of the tree.
  [[nodiscard]] int block_threads() const { return 64 << static_cast<int>(block); }
  static auto fields() {
    return std::tuple{
        EnumField{"style", &BarsView::style, style_names, "bars, or a strip of colours"},
        EnumField{"colour", &BarsView::colour, render::bar_colour_names,
                  "value; place: of pairs where they came from, else where they are"},
        EnumField{"base", &BarsView::base, base_names, "where bars begin: at the lowest value or at zero"},
        Field{"step", &BarsView::step, 1, 16, "", "of the reduction's tree"},
        zero_as("as it runs", Field{"kernel", &BarsView::kernel, 0, 16, "",
                                    "CUDA variant whose tree or network is drawn, in the order of the list"}),
        EnumField{"block", &BarsView::block, block_names, "threads of the block whose tree is drawn"}};
  }
  bool operator==(const BarsView&) const = default;
};

/// Shows sequences, and single numbers that were computed from one: input and result as bars or strips of colours, the
/// sorting network, and the tree of a reduction.
class BarsScene final : public Scene {
 public:
  explicit BarsScene(const gl::ShaderLibrary& shaders) : pass_(shaders) {}

  void show(int index) override { show_ = static_cast<BarsShow>(index); }
  [[nodiscard]] int shown() const override { return static_cast<int>(show_); }
  [[nodiscard]] ParamBox* settings() override { return &view_; }
  void draw(const LiveView& live, const gl::Framebuffer& target) override;
  void toolbar(const Workspace& workspace) override;
  void interact(const LiveView& live, ImVec2 origin, ImVec2 size, bool hovered) override;
  void menu() override;
  [[nodiscard]] std::span<const KeyHelp> help() const override;
  void panel(const Workspace& workspace, const LiveView& live, const Fonts& fonts) override;
  /// "first" is the place at the left edge, "values" the number of places that are shown, "place" the one under the
  /// mouse or -1.
  [[nodiscard]] std::vector<std::pair<std::string, double>> figures() const override;
  [[nodiscard]] bool animating() const override;
  [[nodiscard]] std::optional<DrawnCode> drawn_code(const Work& work) const override;

  /// Shows all values, now and when their number changes, until the user zooms or pans.
  void fit() { fitted_ = true; }

 private:
  /// A row of the view, the input or the result, and the values that were read from its buffer.
  struct Row {
    render::SequenceSummary summary;
    GLuint buffer = 0;                    ///< The buffer that `summary` was made from; 0 = none.
    std::uint64_t version = 0;            ///< Version of the output when the summary was made.
    bool read_due = false;                ///< If true, `values` are older than the buffer.
    std::optional<DiagramValues> values;  ///< The values of the row, for short sequences only.
    interop::ValueProbe probe, companion_probe;
    std::string value;      ///< The value under the mouse.
    std::string companion;  ///< The original place of the value under the mouse, where pairs are sorted.
  };
  /// A rectangle of the view in which a row is drawn, in pixels from the top left corner.
  struct Pane {
    std::size_t row = 0;
    glm::ivec2 corner{0, 0}, size{0, 0};
  };
  static constexpr std::size_t input = 0, result = 1;

  [[nodiscard]] BarsView look() const { return view_.as<BarsView>(); }
  void refresh(const LiveView& live);
  void refresh_row(const LiveView& live, Row& row, const gl::Resource* resource);
  void refresh_note(const LiveView& live);
  [[nodiscard]] bool draw_diagram(const LiveView& live, ViewCanvas& canvas);
  void draw_rows(const LiveView& live, const gl::Framebuffer& target, ViewCanvas& canvas);
  void draw_pane(const Pane& pane, const gl::Framebuffer& target, ViewCanvas& canvas);
  void draw_note(const Pane& pane, ViewCanvas& canvas, float unit);
  /// The y coordinate in the view at which a bar of this value ends.
  [[nodiscard]] float height_at(const Pane& pane, double value) const;
  void tree_controls(const TreeDiagram& tree);
  void keys();
  /// Requests the values under the mouse, and takes those that have arrived.
  void request_values(const LiveView& live);
  /// Number of places: the length of the longer row.
  [[nodiscard]] std::int64_t count() const;
  /// The tree of the CUDA variant that runs or that the settings name, with a title that says which; none if the
  /// algorithm has none.
  [[nodiscard]] std::optional<TreeDiagram> tree_of(const Work& work) const;
  /// The CUDA variant whose network is drawn while something else runs: the chosen one, or the first one if what runs
  /// sorts by no network. Nothing if the network is that of what runs.
  [[nodiscard]] std::optional<int> example_kernel(const Work& work, const NetworkDiagram& network) const;
  /// The names of the variants that sort by the complete network; none without a network.
  [[nodiscard]] std::vector<std::string_view> network_kernels(const Work& work) const;
  void choose_step(int step);
  /// Draws a button that makes the sequence so short that its network can be drawn.
  void offer_network();

  render::BarsPass pass_;
  ParamBox view_ = ParamBox::of(BarsView{});
  BarsShow show_ = BarsShow::both;
  std::array<Row, 2> rows_;
  /// The range of the values of both rows; the previous range until a new one has arrived.
  render::SequenceRange range_;
  std::optional<ScalarNote> note_;
  std::uint64_t note_version_ = 0;
  std::vector<Pane> panes_;

  double first_ = 0.0, end_ = 1.0;  ///< The places that are shown are first_ <= place < end_.
  bool fitted_ = true;
  bool panning_ = false;
  std::optional<std::int64_t> place_;  ///< The place under the mouse; none if the mouse is elsewhere.
  glm::ivec2 size_{0, 0};              ///< Size of the view in pixels.
  int tree_steps_ = 0;                 ///< Number of steps of the tree that was drawn last; 0 = no tree was drawn.
  bool playing_ = false;               ///< If true, the steps of the tree are shown one after another.
  double since_ = 0.0;                 ///< Time in seconds at which the step was chosen.
};

}  // namespace threadscape::app
