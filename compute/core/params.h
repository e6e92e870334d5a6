#pragma once
// Parameters of any algorithm as values, with the fields that their declarations state (compute/core/fields.h).

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

#include "compute/core/errors.h"
#include "compute/core/fields.h"

namespace threadscape {

// ---- Fields bound to one Params object.

struct IntValue {
  int* value;
  int lo, hi, step;
  int sweep_hi;  ///< Maximum in the sweep of verify.h, not greater than hi.
};
struct FloatValue {
  float* value;
  float lo, hi;
};
struct BoolValue {
  bool* value;
};
struct ChoiceValue {
  std::span<const std::string_view> choices;
  std::function<int()> get;
  std::function<void(int)> set;
};
struct TextValue {
  std::string* value;
  bool is_path;
};
struct GridValue {
  std::vector<float>* values;
  const int* side;
  float lo, hi;
};

struct StepsValue {
  std::vector<Step>* steps;
  const StepsText* text;
};

struct FieldRef {
  std::string_view name, unit, help;
  std::variant<IntValue, FloatValue, BoolValue, ChoiceValue, TextValue, GridValue, StepsValue> value;
  std::string_view title = "";  ///< The title that the declaration states; title_of() is that of any field.
  std::string_view zero = "";   ///< What the number 0 stands for: "unchanged"; "" if it is a number like the others.
};

/// The name for people: the title that was declared, or else the words of the name: "Divide by" for divide_by.
[[nodiscard]] std::string title_of(const FieldRef& field);
[[nodiscard]] std::string title_of(std::string_view name);
/// The help with what the number 0 stands for: "of the result; 0 = unchanged".
[[nodiscard]] std::string help_of(const FieldRef& field);

/// The value as text that assign_text() reads back: "4", comma-separated rows of a grid, "median size=5 | sobel" for
/// steps.
[[nodiscard]] std::string to_text(const FieldRef& field);
/// The value as JSON: 4, "mirror", an array of numbers for a grid, an array of objects for steps.
[[nodiscard]] std::string to_json(const FieldRef& field);
/// Describes the accepted values: "3..9 step 2 pixels", "zero | clamp | mirror", ...
[[nodiscard]] std::string accepted(const FieldRef& field);
/// Parses `text` into the field. Throws UsageError with the parameter's name, the value and what is accepted.
void assign_text(const FieldRef& field, std::string_view text);

namespace detail {

template <class P, class T>
FieldRef bind(P& p, const Field<P, T>& f) {
  if constexpr (std::is_same_v<T, int>)
    return {f.name,  f.unit, f.help, IntValue{&(p.*f.member), f.lo, f.hi, f.step, f.sweep_hi != 0 ? f.sweep_hi : f.hi},
            f.title, f.zero};
  else
    return {f.name, f.unit, f.help, FloatValue{&(p.*f.member), f.lo, f.hi}, f.title, f.zero};
}
template <class P>
FieldRef bind(P& p, const BoolField<P>& f) {
  return {f.name, "", f.help, BoolValue{&(p.*f.member)}, f.title};
}
template <class P, class E>
FieldRef bind(P& p, const EnumField<P, E>& f) {
  E* value = &(p.*f.member);
  return {f.name, "", f.help,
          ChoiceValue{f.choices, [value] { return static_cast<int>(*value); },
                      [value](int i) { *value = static_cast<E>(i); }},
          f.title};
}
template <class P>
FieldRef bind(P& p, const TextField<P>& f) {
  return {f.name, "", f.help, TextValue{&(p.*f.member), f.is_path}, f.title};
}
template <class P>
FieldRef bind(P& p, const GridField<P>& f) {
  return {f.name, "", f.help, GridValue{&(p.*f.member), &(p.*f.side), f.lo, f.hi}, f.title};
}
template <class P>
FieldRef bind(P& p, const StepsField<P>& f) {
  return {f.name, "", f.help, StepsValue{&(p.*f.member), f.text}, f.title};
}

}  // namespace detail

/// The parameters of any algorithm, with value semantics: copied and compared by value, at little cost.
class ParamBox {
 public:
  ParamBox() = default;
  template <class P>
  [[nodiscard]] static ParamBox of(P params) {
    ParamBox box;
    box.held_ = std::make_unique<Held<P>>(std::move(params));
    return box;
  }
  ParamBox(const ParamBox& other) : held_(other.held_ ? other.held_->clone() : nullptr) {}
  ParamBox& operator=(const ParamBox& other) {
    held_ = other.held_ ? other.held_->clone() : nullptr;
    return *this;
  }
  ParamBox(ParamBox&&) noexcept = default;
  ParamBox& operator=(ParamBox&&) noexcept = default;

  template <class P>
  [[nodiscard]] const P& as() const {
    if (!held_ || held_->type() != typeid(P)) throw std::logic_error("parameters of another algorithm");
    return static_cast<const Held<P>&>(*held_).params;
  }
  template <class P>
  [[nodiscard]] P& as() {
    return const_cast<P&>(std::as_const(*this).as<P>());
  }
  /// The fields in the order of their declaration. They refer to the values in this box.
  [[nodiscard]] std::vector<FieldRef> fields() const { return held_ ? held_->fields() : std::vector<FieldRef>{}; }
  /// Sets one field from text, as `--set` does. Throws UsageError for unknown names and for values out of range.
  void assign(std::string_view field, std::string_view text);
  /// To be called after a field was changed through its FieldRef, as the window does.
  void edited(std::string_view field) {
    if (held_) held_->edited(field);
  }
  [[nodiscard]] std::string problem() const { return held_ ? held_->problem() : std::string{}; }
  /// Throws UsageError with the text of problem() unless that is empty.
  void check() const;

  friend bool operator==(const ParamBox& a, const ParamBox& b) {
    if (!a.held_ || !b.held_) return !a.held_ && !b.held_;
    return a.held_->equals(*b.held_);
  }

 private:
  struct Base {
    virtual ~Base() = default;
    [[nodiscard]] virtual std::unique_ptr<Base> clone() const = 0;
    [[nodiscard]] virtual const std::type_info& type() const = 0;
    [[nodiscard]] virtual bool equals(const Base& other) const = 0;
    [[nodiscard]] virtual std::vector<FieldRef> fields() = 0;
    virtual void assigned(std::string_view field) = 0;
    virtual void edited(std::string_view field) = 0;
    [[nodiscard]] virtual std::string problem() const = 0;
  };
  template <class P>
  struct Held final : Base {
    explicit Held(P p) : params(std::move(p)) {}
    [[nodiscard]] std::unique_ptr<Base> clone() const override { return std::make_unique<Held>(params); }
    [[nodiscard]] const std::type_info& type() const override { return typeid(P); }
    [[nodiscard]] bool equals(const Base& other) const override {
      return other.type() == typeid(P) && static_cast<const Held&>(other).params == params;
    }
    [[nodiscard]] std::vector<FieldRef> fields() override {
      if constexpr (requires { params.bound_fields(); })
        return params.bound_fields();
      else
        return std::apply(
            [this](const auto&... field) { return std::vector<FieldRef>{detail::bind(params, field)...}; },
            P::fields());
    }
    void assigned(std::string_view field) override {
      if constexpr (requires { params.assigned(field); }) params.assigned(field);
    }
    void edited(std::string_view field) override {
      if constexpr (requires { params.edited(field); })
        params.edited(field);
      else
        assigned(field);
    }
    [[nodiscard]] std::string problem() const override {
      if constexpr (requires { params.problem(); })
        return params.problem();
      else
        return {};
    }
    P params;
  };
  std::unique_ptr<Base> held_;
};

/// A JSON object with every field.
[[nodiscard]] std::string to_json(const ParamBox& params);
/// Sets the fields that the JSON object names. Throws UsageError for unknown keys and for values out of range; the
/// parameters are then unchanged.
void assign_json(ParamBox& params, std::string_view json);

}  // namespace threadscape
