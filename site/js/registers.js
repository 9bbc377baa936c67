// SPDX-License-Identifier: MIT
// Registers: a value taken apart and put together, ways to it, who may access it.
const kinds = {
  rw: "read/write", ro: "read only", wo: "write only", w1c: "writing 1 clears", w1s: "writing 1 sets", do: "writing 1 acts; reads 0",
  const: "constant", unp: "reserved: write as 0", res0: "reserved: 0", res1: "reserved: 1", rao: "reads ones; writing 1 sets",
};
const reserved = (field) => ["unp", "res0", "res1"].includes(field.kind);
const mask = (field) => ((1n << BigInt(field.hi - field.lo + 1)) - 1n) << BigInt(field.lo);
const part = (field, value) => (value & mask(field)) >> BigInt(field.lo);

function eventOf(value) {
  return list("events", state.core).find((e) => BigInt(e.number) === value);
}

function assembly(register, encoding, n) {
  const at = encoding.encoding, a = (at >> 16) & 255, b = (at >> 12) & 15, c = (at >> 8) & 15;
  let crm = (at >> 4) & 15, op2 = at & 15;
  if (encoding.form === 1) { crm += n >> 3; op2 = n & 7; }
  const name = register.name.replace("<n>", n);
  if (encoding.view === 0) return [`mrc p${a}, ${b}, r0, c${c}, c${crm}, ${op2}`, `mcr p${a}, ${b}, r0, c${c}, c${crm}, ${op2}`];
  if (encoding.view === 1) return [`mrrc p${a}, ${b}, r0, r1, c${crm}`, `mcrr p${a}, ${b}, r0, r1, c${crm}`];
  if (encoding.view === 2) return [`mrs x0, ${name}`, `msr ${name}, x0`, `S${a}_${b}_C${c}_C${crm}_${op2}`];
  return [`0x${(at + (encoding.form === 2 ? n * encoding.stride : 0)).toString(16).toUpperCase().padStart(3, "0")}`];
}

function resetValue(register, n) {
  pmu.raw.start(state.core.index);
  const name = register.name.replace("<n>", n);
  const found = json("look").registers.find((r) => r.name === name);
  return found ? BigInt(found.value) : 0n;
}

function showRegisters() {
  const registers = list("registers", state.core);
  const register = registers.find((r) => r.name === state.what || r.aka === state.what) || registers[0];
  const find = el("input", { type: "search", placeholder: "Find a register, field or encoding", "aria-label": "Find a register" });
  const items = el("nav", { class: "list", "aria-label": "Registers" });
  const fill = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (r) => [r.name, r.aka, r.title, ...r.encodings.map((e) => e.text), ...r.fields.map((f) => f.name)].join(" ").toLowerCase();
    items.replaceChildren(...registers.filter((r) => words.every((w) => text(r).includes(w))).map((r) =>
      el("a", { href: address({ what: r.name, query: {} }), class: r === register ? "here" : "", "aria-current": r === register ? "page" : null },
        el("b", {}, r.name), el("span", {}, r.title))));
    if (!items.children.length) items.append(el("p", { class: "quiet" }, "No register of this core has that in its name, title, encodings or fields."));
  };
  find.addEventListener("input", fill);
  fill();
  view().replaceChildren(el("div", { class: "columns" }, el("aside", {}, find, items), el("article", { id: "register" }, registerPage(register))));
  const here = items.querySelector(".here");
  if (here && items.scrollHeight > items.clientHeight) items.scrollTop = here.offsetTop - items.offsetTop - 60;
}

function registerPage(register) {
  const indexed = register.name.includes("<n>");
  const n = indexed ? Math.min(Number(state.query.get("n") || 0), Math.max(state.core.counters - 1, 0)) : 0;
  const reset = resetValue(register, n);
  let value = number(state.query.get("value") || "") ?? reset;
  const input = el("input", { id: "value", class: "value", spellcheck: "false", "aria-label": "Value", autocomplete: "off" });
  const diagram = el("div", { class: "bits" });
  const table = el("tbody");
  const note = el("p", { class: "note", role: "status" });

  const draw = (from) => {
    value = BigInt.asUintN(register.width, value);
    if (from !== input) input.value = hex(value, register.width);
    diagram.replaceChildren(...bitRows(register, value, (next) => { value = next; draw(); }));
    if (from !== table) table.replaceChildren(...fieldRows(register, value, (next, node) => { value = next; draw(node); }));
    const wrong = register.fields.filter((f) => reserved(f) && part(f, value) !== (f.kind === "res1" ? part(f, mask(f)) : 0n));
    note.textContent = wrong.length ? `Reserved bits are written with what the manual does not allow: ${wrong.map((f) => (f.hi === f.lo ? f.hi : `${f.hi}:${f.lo}`)).join(", ")}` : "";
    keep({ what: register.name, query: new URLSearchParams({ ...(indexed ? { n } : {}), ...(value === reset ? {} : { value: hex(value, register.width) }) }) });
  };
  input.addEventListener("input", () => {
    const next = number(input.value);
    input.classList.toggle("wrong", next === null);
    if (next !== null) { value = next; draw(input); }
  });
  input.addEventListener("blur", () => { input.classList.remove("wrong"); draw(); });
  draw();
  const counter = indexed && el("label", {}, "counter ", el("input", { type: "number", min: 0, max: state.core.counters - 1, value: n,
    onchange: (e) => go({ what: register.name, query: new URLSearchParams({ n: e.target.value }) }) }));
  return [
    el("h2", {}, register.name.replace("<n>", indexed ? n : ""), el("small", {}, ` ${register.title}`)),
    el("p", { class: "quiet" }, `${state.core.title}, ${register.width} bits. Source: ${register.source}`),
    el("div", { class: "row" }, el("label", {}, "value ", input), counter || null,
      el("button", { type: "button", onclick: () => { value = reset; draw(); } }, "reset value"),
      el("button", { type: "button", onclick: () => { value = 0n; draw(); } }, "0")),
    diagram, note,
    el("div", { class: "scroll" }, el("table", { class: "fields" }, el("thead", {}, el("tr", {}, ...["bits", "field", "value", "access", "meaning"].map((h) => el("th", {}, h)))), table)),
    el("h3", {}, "Encodings"),
    el("div", { class: "scroll" }, el("table", {}, el("tbody", {}, ...register.encodings.map((e) => el("tr", {},
      el("th", {}, e.way), el("td", {}, ...assembly(register, e, n).map(copyButton)),
      el("td", { class: "quiet" }, e.width < register.width ? `bits ${e.lo + e.width - 1}:${e.lo}` : "")))))),
    el("h3", {}, "Who may access it"),
    el("p", { class: "quiet" }, "Out of reset, each access tried on the model. For a refusal: the single bits that would let it through."),
    ...rightsTables(register),
  ];
}

function bitRows(register, value, change) {
  const rows = [];
  for (let top = register.width - 1; top >= 0; top -= 32) {
    const row = el("div", { class: "bitrow" });
    for (const field of register.fields) {
      const hi = Math.min(field.hi, top), lo = Math.max(field.lo, top - 31);
      if (hi < lo) continue;
      const name = reserved(field) ? "" : field.name;
      const cell = el("div", { class: "field " + (reserved(field) ? "reserved" : field.kind), style: `grid-column: span ${hi - lo + 1}`, title: `${field.hi === field.lo ? field.hi : field.hi + ":" + field.lo} ${name} ${field.text || ""}` });
      const bits = el("div", { class: "cells" });
      for (let bit = hi; bit >= lo; bit--) {
        const on = (value >> BigInt(bit)) & 1n;
        bits.append(el("button", { type: "button", class: on ? "on" : "", tabindex: -1, "aria-label": `bit ${bit}`, onclick: () => change(value ^ (1n << BigInt(bit))) }, String(on)));
      }
      cell.append(el("span", { class: "name" }, name), bits, el("span", { class: "place" }, hi === lo ? String(hi) : `${hi}:${lo}`));
      row.append(cell);
    }
    rows.push(row);
  }
  return rows;
}

function fieldRows(register, value, change) {
  return register.fields.filter((f) => !reserved(f) || part(f, value)).map((field) => {
    const now = part(field, value), single = field.hi === field.lo;
    const meaning = el("td", {}, field.text || (reserved(field) ? "reserved" : ""));
    const row = el("tr", { class: reserved(field) ? "reserved" : "" });
    const put = (next, node) => change((value & ~mask(field)) | ((next << BigInt(field.lo)) & mask(field)), node);
    let input;
    if (single) {
      input = el("input", { type: "checkbox", "aria-label": field.name, onchange: (e) => put(e.target.checked ? 1n : 0n) });
      input.checked = now === 1n;
    } else {
      input = el("input", { class: "part", spellcheck: "false", value: field.event ? hex(now, 8) : now < 10n ? String(now) : "0x" + now.toString(16), "aria-label": field.name,
        list: field.event ? "event-names" : null, onchange: (e) => {
          const named = field.event && list("events", state.core).find((x) => [x.name, ...x.names].some((n) => n.toLowerCase() === e.target.value.trim().toLowerCase()));
          const next = named ? BigInt(named.number) : number(e.target.value);
          if (next === null || next > part(field, mask(field))) e.target.classList.add("wrong");
          else put(next);
        } });
      if (field.event) meaning.prepend(el("b", {}, eventOf(now)?.name || "reserved event"), " ");
    }
    row.append(el("td", { class: "num" }, single ? String(field.hi) : `${field.hi}:${field.lo}`), el("td", {}, el("b", {}, reserved(field) ? "-" : field.name)),
      el("td", {}, input), el("td", { class: "quiet" }, kinds[field.kind]), meaning);
    return row;
  });
}

function rightsTables(register) {
  const refusal = (a) => a.outcome === "done" ? el("span", { class: "yes" }, "yes") :
    el("span", {}, el("span", { class: "no" }, a.outcome), a.remedy.length ? el("span", { class: "quiet" }, " unless " + a.remedy.join(" or ")) : null);
  const ways = ask("rights", register.name);
  const groups = new Map(); // ways with the same answers are shown once
  for (const way of ways) {
    const key = JSON.stringify(way.modes);
    groups.set(key, [...(groups.get(key) || []), way]);
  }
  return [...groups.values()].map((same) => el("div", { class: "scroll" }, el("table", { class: "rights" },
    el("caption", {}, same.map((w) => w.encoding).join(" · ")),
    el("thead", {}, el("tr", {}, ...["from", "read", "write"].map((h) => el("th", {}, h)))),
    el("tbody", {}, ...same[0].modes.map((m) => el("tr", {}, el("th", {}, m.mode), el("td", {}, refusal(m.read)), el("td", {}, refusal(m.write))))))));
}
