// The widget of sliders.py: a control for each field, the picture, and a line with shape and time.

const make = (name, properties, children = []) => {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
};

function control(model, field) {
  const value = model.get("values")[field.name];
  const set = (next) => {
    model.set("values", { ...model.get("values"), [field.name]: next });
    model.save_changes();
  };
  if (field.type === "bool") {
    const box = make("input", { type: "checkbox", checked: value });
    box.addEventListener("change", () => set(box.checked));
    return [box];
  }
  if (field.type === "choice") {
    const list = make("select", {}, field.choices.map((choice) => make("option", { textContent: choice, value: choice })));
    list.value = value;
    list.addEventListener("change", () => set(list.value));
    return [list];
  }
  const whole = field.type === "int";
  const step = whole ? field.step : (field.maximum - field.minimum) / 200;
  const slider = make("input", { type: "range", min: field.minimum, max: field.maximum, step, value });
  const number = make("input", { type: "number", min: field.minimum, max: field.maximum, step: whole ? step : "any", value });
  number.style.width = "6em";
  const take = (from, other) => {
    const next = whole ? parseInt(from.value, 10) : parseFloat(from.value);
    if (Number.isNaN(next)) return;
    other.value = next;
    set(next);
  };
  slider.addEventListener("input", () => take(slider, number));
  number.addEventListener("change", () => take(number, slider));
  return [slider, number];
}

function render({ model, el }) {
  const table = make("div", {}, model.get("fields").map((field) => {
    const unit = field.unit ? ` (${field.unit})` : "";
    const row = make("label", { title: field.help }, [make("span", { textContent: field.name + unit }), ...control(model, field)]);
    row.style.cssText = "display: grid; grid-template-columns: 10em minmax(8em, 20em) auto; gap: 0.6em; align-items: center";
    return row;
  }));
  const picture = make("img", { alt: "the result" });
  picture.style.cssText = "display: block; max-width: 100%; margin-top: 0.6em; image-rendering: pixelated";
  const line = make("div", {});
  let url = null;
  const draw = () => {
    const bytes = model.get("picture");
    if (url) URL.revokeObjectURL(url);
    url = bytes.byteLength > 0 ? URL.createObjectURL(new Blob([bytes], { type: "image/png" })) : null;
    picture.hidden = !url;
    if (url) picture.src = url;
  };
  const say = () => {
    line.textContent = model.get("said");
    line.style.color = model.get("wrong") ? "#c62828" : "inherit";
  };
  model.on("change:picture", draw);
  model.on("change:said", say);
  model.on("change:wrong", say);
  draw();
  say();
  el.append(table, picture, line);
  return () => {
    if (url) URL.revokeObjectURL(url);
  };
}

export default { render };
