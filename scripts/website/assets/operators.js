// The operator browser: filters and search over window.openaclnnOperators, which operators-data.js
// sets (a script instead of a request, so that it works from a folder).
(function () {
  const root = document.getElementById("operator-browser");
  if (!root || !window.openaclnnOperators) return;
  const { operators, families } = window.openaclnnOperators;
  const zh = root.dataset.lang === "zh";
  const say = JSON.parse(document.getElementById("operator-texts").textContent);
  const LIMIT = 100;
  let limit = LIMIT;

  const element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };
  const select = (name, options) => {
    const made = element("select", { id: "op-" + name, name });
    for (const [value, text] of options) made.append(element("option", { value }, text));
    return element("label", { class: "op-filter" }, element("span", {}, say[name]), made);
  };
  const sorted = (key) => [...new Set(operators.flatMap((op) => op[key] || []))];

  const input = element("input", {
    id: "op-search", type: "search", placeholder: say.placeholder, autocomplete: "off",
    "aria-label": say.placeholder,
  });
  const form = element("form", { class: "op-form" }, input);
  const filters = element(
    "div", { class: "op-filters" },
    select("state", [["", say.any], ["computed", say.computed], ["declared", say.declared],
      ["absent", say.absent]]),
    select("family", [["", say.any],
      ...Object.entries(families).map(([name, texts]) => [name, zh ? texts.zh : texts.en])]),
    select("dtype", [["", say.any], ...sorted("dtypes").map((name) => [name, name])]),
    select("product", [["", say.any], ...sorted("products").map((name) => [name, name])]),
    select("gradient", [["", say.any], ["yes", say.yes], ["no", say.no]]),
  );
  form.append(filters);
  const count = element("p", { id: "op-count", "aria-live": "polite" });
  const body = element("tbody");
  const head = element("tr", {}, ...["operator", "state", "dtypes", "products"].map(
    (key) => element("th", {}, say["col_" + key])));
  const table = element("table", { class: "op-table" }, element("thead", {}, head), body);
  const more = element("button", { type: "button", id: "op-more", class: "md-button" });
  const legend = document.getElementById("op-legend");
  root.replaceChildren(form, count, legend, table, more);

  // of functions without a text of their own, that of the family is searched
  const text = (op) =>
    [op.c_name, op.name, op.torch, op.family,
      ...(op.en ? [op.en, op.zh] : Object.values(families[op.family]))]
      .filter(Boolean).join(" ").toLowerCase();
  const indexed = operators.map((op) => [op, text(op)]);
  const value = (name) => document.getElementById("op-" + name).value;

  const rank = (op, word) => {
    const names = [op.c_name.toLowerCase(), op.name.toLowerCase()];
    if (names.includes(word) || names.includes("aclnn" + word) || op.torch === word) return 0;
    if (names.some((name) => name.startsWith(word) || name.startsWith("aclnn" + word))) return 1;
    return names.some((name) => name.includes(word)) ? 2 : 3;
  };
  const matching = () => {
    const words = input.value.toLowerCase().trim().split(/\s+/).filter(Boolean);
    const [state, family, dtype, product, gradient] =
      ["state", "family", "dtype", "product", "gradient"].map(value);
    const found = indexed.filter(([op, all]) =>
      words.every((word) => all.includes(word)) &&
      (!state || op.state === state) && (!family || op.family === family) &&
      (!dtype || (op.dtypes || []).includes(dtype)) &&
      (!product || (op.products || []).includes(product)) &&
      (!gradient || (op.state === "computed" && op.gradient === (gradient === "yes"))));
    const shown = found.map(([op]) => op);
    if (words.length) shown.sort((a, b) => rank(a, words[0]) - rank(b, words[0]));
    return shown;
  };
  const row = (op) => {
    const name = op.state === "computed"
      ? element("a", { href: op.page }, op.c_name)
      : element("span", {}, op.c_name);
    const said = (zh ? op.zh : op.en) || (op.clients ? say.used_by + op.clients : "");
    const first = element("td", {}, element("code", {}, name));
    if (said) first.append(element("div", { class: "op-summary" }, said));
    if (op.signature) first.append(element("details", {},
      element("summary", {}, say.signature), element("pre", {}, op.signature)));
    const state = element("td", {}, element("span", { class: "op-state op-" + op.state },
      say[op.state]));
    if (op.gradient) state.append(element("div", { class: "op-summary" }, say.differentiable));
    return element("tr", { "data-state": op.state }, first, state,
      element("td", { class: "op-dtypes" }, (op.dtypes || []).join(" ")),
      element("td", { class: "op-dtypes" }, (op.products || []).map((name) => name.replace("Ascend", "")).join(" ")));
  };
  const chip = (state, number) => {
    const chosen = value("state") === state;
    const made = element("button", { type: "button", class: "op-chip op-" + state,
      "aria-pressed": chosen }, say[state] + " " + number);
    made.addEventListener("click", () => {
      document.getElementById("op-state").value = chosen ? "" : state;
      again();
    });
    return made;
  };
  const show = () => {
    const found = matching();
    body.replaceChildren(...found.slice(0, limit).map(row));
    count.textContent = say.count.replace("{}", found.length).replace("{}", operators.length);
    const states = ["computed", "declared", "absent"].map((state) =>
      [state, found.filter((op) => op.state === state).length]);
    if (!found.length) count.textContent += " " + say.none;
    else count.append(...states.flatMap(([state, number]) =>
      [" ", chip(state, number)]));
    more.hidden = found.length <= limit;
    more.textContent = say.more.replace("{}", found.length - limit);
    const kept = new URLSearchParams();
    if (input.value) kept.set("q", input.value);
    for (const name of ["state", "family", "dtype", "product", "gradient"])
      if (value(name)) kept.set(name, value(name));
    history.replaceState(null, "", kept.size ? "#" + kept : location.pathname);
  };
  const given = new URLSearchParams(location.hash.slice(1));
  input.value = given.get("q") || "";
  for (const name of ["state", "family", "dtype", "product", "gradient"])
    if (given.get(name)) document.getElementById("op-" + name).value = given.get(name);
  // of the text only "input": its "change" comes when a link is pressed, and would replace that link
  const again = () => { limit = LIMIT; show(); };
  input.addEventListener("input", again);
  filters.addEventListener("change", again);
  form.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", () => { limit = Infinity; show(); });
  show();
})();
