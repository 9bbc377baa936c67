// SPDX-License-Identifier: MIT
// Events: a core's list, how far each count can be trusted, what another core has in its place, metrics.
function showEvents() {
  const other = state.query.get("with") && findCore(state.query.get("with"));
  const find = el("input", { type: "search", placeholder: "Name, number or words: l1d, 0x11, mispredict", value: state.query.get("find") || "", "aria-label": "Find an event" });
  const difference = el("input", { type: "checkbox" });
  difference.checked = state.query.get("only") === "difference";
  const compare = el("select", { "aria-label": "Compare with" }, el("option", { value: "" }, "compare with…"), ...pmu.cores.filter((c) => c !== state.core).map((c) => el("option", { value: c.name, selected: c === other }, c.title)));
  const kinds = el("select", { "aria-label": "Trust" }, ...["all", "exact", "modelled", "injected", "not produced"].map((k) => el("option", { selected: k === (state.query.get("counts") || "all") }, k)));
  const body = el("tbody"), count = el("p", { class: "quiet", role: "status" });
  const theirs = other ? new Map(list("events", other).map((e) => [e.name, e])) : null;
  const mine = list("events", state.core);
  const rows = mine.map((e) => ({ e, o: theirs?.get(e.name) }));
  if (other) for (const o of theirs.values()) if (!mine.some((e) => e.name === o.name)) rows.push({ e: null, o });
  const number = (e) => (e ? "0x" + e.number.toString(16).toUpperCase().padStart(2, "0") : "-");

  const draw = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = rows.filter(({ e, o }) => {
      const x = e || o, text = [x.name, number(x), x.text, ...x.names, ...x.signals].join(" ").toLowerCase();
      return words.every((w) => text.includes(w)) && (kinds.value === "all" || x.counts === kinds.value) &&
        (!other || !difference.checked || !e || !o || e.number !== o.number || e.counts !== o.counts);
    });
    body.replaceChildren(...shown.slice(0, 600).map(({ e, o }) => {
      const x = e || o;
      return el("tr", { class: e ? "" : "absent" }, el("td", { class: "num mono" }, number(e)), other ? el("td", { class: "num mono" }, number(o)) : null,
        el("td", {}, el("b", {}, x.name), ...x.names.map((n) => el("div", { class: "quiet" }, n))),
        el("td", {}, el("span", { class: "trust " + x.counts.replace(" ", "-") }, x.counts)),
        el("td", {}, x.text, x.note ? el("div", { class: "quiet" }, x.note) : null, x.counts === "not produced" && x.reason ? el("div", { class: "quiet" }, x.reason) : null,
          x.signals.length ? el("div", { class: "quiet signals" }, "counts ", x.signals.join(" + ").replaceAll("+ -", "− ")) : null));
    }));
    count.textContent = `${shown.length} of ${rows.length} events` + (shown.length > 600 ? ", the first 600 shown" : "");
    keep({ what: "", query: new URLSearchParams([["find", find.value], ["with", other?.name || ""], ["only", difference.checked ? "difference" : ""], ["counts", kinds.value === "all" ? "" : kinds.value]].filter(([, v]) => v)) });
  };
  find.addEventListener("input", draw);
  kinds.addEventListener("change", draw);
  difference.addEventListener("change", draw);
  compare.addEventListener("change", () => go({ query: new URLSearchParams(compare.value ? { with: compare.value, find: find.value } : { find: find.value }) }));

  const metrics = list("metrics", state.core);
  view().replaceChildren(
    el("h2", {}, `Events of ${state.core.title}`, other ? el("small", {}, ` and ${other.title}`) : null),
    el("div", { class: "row" }, find, kinds, compare, other ? el("label", { class: "check" }, difference, "differences only") : null), count,
    el("div", { class: "scroll" }, el("table", { class: "events" }, el("thead", {}, el("tr", {}, el("th", {}, other ? state.core.title : "number"), other ? el("th", {}, other.title) : null, el("th", {}, "event"), el("th", {}, "count"), el("th", {}, "what it counts"))), body)),
    el("h2", {}, "Which cores have an event"), eventMatrix(),
    el("h2", {}, "Metrics"),
    el("div", { class: "scroll" }, el("table", {}, el("tbody", {}, ...metrics.map((m) => el("tr", {}, el("td", { class: "quiet" }, m.group), el("th", {}, m.name), el("td", {}, el("code", {}, m.formula), m.unit ? ` (${m.unit})` : ""), el("td", {}, m.text)))))));
  draw();
}

function eventMatrix() {
  const input = el("input", { type: "search", list: "event-names", placeholder: "L1D_CACHE_REFILL", "aria-label": "Event name" });
  const answer = el("div", { class: "chips" });
  input.addEventListener("change", () => {
    const plain = (s) => s.toLowerCase().replaceAll("-", "_");
    const name = plain(input.value.trim());
    const having = pmu.cores.map((c) => [c, list("events", c).find((e) => [e.name, ...e.names].some((n) => plain(n) === name))]).filter(([, e]) => e);
    answer.replaceChildren(...having.map(([c, e]) => el("a", { class: "chip", href: address({ core: c, query: { find: e.name } }) }, c.title, " ", el("code", {}, "0x" + e.number.toString(16).toUpperCase()), " ", el("span", { class: "trust " + e.counts.replace(" ", "-") }, e.counts))));
    if (!having.length && name) answer.append(el("p", { class: "quiet" }, "No core has an event of that name."));
  });
  return el("div", {}, el("div", { class: "row" }, input), answer);
}
