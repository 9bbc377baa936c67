// SPDX-License-Identifier: MIT
// A PMU that lives: each action is a word of the vectors' language, so that the list of actions is a vector.
let actions = []; // words done since reset
let logged = []; // what each did, for the reader
let before = null; // the look before the last action

function replay(words) {
  pmu.raw.start(state.core.index);
  actions = [];
  logged = [];
  for (const word of words) {
    const wrong = perform(word);
    if (wrong) return wrong;
    actions.push(word);
    logged.push("");
  }
  return null;
}

function act(word, said = "") {
  before = json("look");
  const wrong = perform(word);
  if (wrong) return drawLive(wrong);
  actions.push(word);
  logged.push(said);
  drawLive();
}

function tryAccess(text, write) {
  before = json("look");
  const answer = ask("access", `${write ? "write" : "read"} ${text}`);
  if (answer.error) return drawLive(answer.error);
  const done = answer.outcome === "done";
  const trap = { undefined: "UNDEF", "trap to EL1": "TRAP1", "trap to EL2": "TRAP2", "trap to EL3": "TRAP3" }[answer.outcome];
  if (done && write) actions.push(text);
  else if (done) actions.push(`?${text}=${answer.value}`);
  else actions.push(`${trap}(${write ? "write" : "read"} ${text})`);
  logged.push(done ? (write ? "" : answer.value) : `${answer.outcome}, ESR ${answer.syndrome}`);
  drawLive();
}

function showLive() {
  const words = (state.query.get("do") || "").split("\n").filter(Boolean);
  const wrong = actions.join("\n") === words.join("\n") && pmu.live === state.core.index ? null : replay(words);
  pmu.live = state.core.index;
  before = null;
  view().replaceChildren(el("div", { id: "live" }));
  drawLive(wrong);
}

function drawLive(wrong) {
  const now = json("look");
  keep({ what: "", query: new URLSearchParams(actions.length ? { do: actions.join("\n") } : {}) });
  const old = (name) => before?.registers.find((r) => r.name === name)?.value;
  const oldCounter = (i) => before?.counters.find((c) => c.index === i);
  const focus = document.activeElement?.id, typed = Object.fromEntries([...document.querySelectorAll("#live input, #live select")].filter((i) => i.id).map((i) => [i.id, i.value]));
  const security = ["Non-secure", "Secure", "Realm", "Root"][now.security];
  const form = (id, submit, ...children) => el("form", { id, onsubmit: (e) => { e.preventDefault(); submit(new FormData(e.target)); } }, ...children);
  const names = list("registers", state.core).map((r) => r.name);
  const modes = state.core.modes;

  document.getElementById("live").replaceChildren(...[
    el("div", { class: "row presets" },
      el("button", { type: "button", onclick: () => { before = null; replay([]); drawLive(); } }, "reset"),
      el("button", { type: "button", disabled: !actions.length, onclick: () => { const words = actions.slice(0, -1); replay(words); before = null; drawLive(); } }, "undo"),
      el("span", { class: "lines" }, ...Object.entries(now.lines).filter(([name, up]) => up || ["irq"].includes(name)).map(([name, up]) => el("span", { class: up ? "line up" : "line" }, name, up ? " asserted" : " idle"))),
      el("span", { class: "quiet" }, `${security} EL${now.el}${now.halted ? ", Debug state" : ""}`),
      Object.entries(now.notes).filter(([, n]) => n).map(([name, n]) => el("span", { class: "warn" }, `${name} ×${n}`))),
    wrong ? el("p", { class: "note", role: "alert" }, wrong) : null,
    el("div", { class: "columns live" },
      el("section", {},
        el("h3", {}, "Counters"),
        el("div", { class: "scroll" }, el("table", { class: "counters" }, el("thead", {}, el("tr", {}, ...["", "event", "value", "state", "overflow", "interrupt"].map((h) => el("th", {}, h)))),
          el("tbody", {}, ...now.counters.map((c) => el("tr", { class: c.counting ? "counting" : "" },
            el("th", {}, c.index === 31 ? "cycles" : c.index === 32 ? "instr" : String(c.index)), el("td", {}, c.event || el("span", { class: "quiet" }, "reserved")),
            el("td", { class: "num" + (oldCounter(c.index) && oldCounter(c.index).value !== c.value ? " changed" : ""), title: c.value }, grouped(BigInt(c.value))),
            el("td", {}, c.counting ? "counting" : c.filtered ? "filtered" : "stopped"),
            el("td", { class: c.overflow ? "warn" : "quiet" }, c.overflow ? "set" : "-"), el("td", { class: c.interrupt ? "" : "quiet" }, c.interrupt ? "enabled" : "-")))))),
        el("h3", {}, "Registers"),
        el("div", { class: "scroll" }, el("table", { class: "values" }, el("tbody", {}, ...now.registers.filter((r) => !/^PM(EV|SVR|CCSVR|ICSVR)/.test(r.name)).map((r) => el("tr", {},
          el("th", {}, el("a", { href: address({ tab: "registers", what: r.name, query: { value: r.value } }) }, r.name)),
          el("td", { class: "num mono" + (before && old(r.name) !== r.value ? " changed" : "") }, r.value))))))),
      el("section", {},
        el("h3", {}, "Do"),
        form("access", (d) => tryAccess(d.get("reg") + (d.get("mode") ? "@" + d.get("mode") : "") + (d.get("verb") === "write" ? "=" + (d.get("number") || "0") : ""), d.get("verb") === "write"),
          el("select", { name: "verb", id: "verb", "aria-label": "Read or write" }, el("option", {}, "write"), el("option", {}, "read")),
          el("input", { name: "reg", id: "reg", list: "register-names", placeholder: "register", required: true, spellcheck: "false", "aria-label": "Register" }),
          el("input", { name: "number", id: "number", placeholder: "value: 5, 0x41, 1<<31", spellcheck: "false", "aria-label": "Value" }),
          el("select", { name: "mode", id: "mode", "aria-label": "From" }, el("option", { value: "" }, "from here"), ...modes.map(([w, n]) => el("option", { value: w }, "from " + n))),
          el("button", {}, "go")),
        form("feed", (d) => act(d.get("each") ? `(CYCLES ${d.get("signal")})*${d.get("times") || 1} ;` : `${d.get("signal")}*${d.get("times") || 1} ;`),
          el("input", { name: "signal", id: "signal", list: "signal-names", placeholder: "event or signal", required: true, spellcheck: "false", "aria-label": "Event or signal" }),
          el("input", { name: "times", id: "times", type: "number", min: 1, value: 1, "aria-label": "Times" }),
          el("label", { class: "check" }, el("input", { type: "checkbox", name: "each", id: "each", value: "1" }), "one each cycle"),
          el("button", {}, "happens")),
        form("enter", (d) => act(d.get("to").replaceAll("-", " ")), el("select", { name: "to", id: "to", "aria-label": "Mode" }, ...modes.map(([w, n]) => el("option", { value: w }, n)), el("option", { value: "debug" }, "Debug state"), el("option", { value: "running" }, "leave Debug state")), el("button", {}, "enter")),
        form("word", (d) => act(d.get("word")), el("input", { name: "word", id: "words", placeholder: "any words of the vector language: mdcr_el2=1<<6 ; reset", required: true, spellcheck: "false", "aria-label": "Words of the vector language" }), el("button", {}, "do")),
        el("h3", {}, "Done so far"),
        actions.length ? el("ol", { class: "log" }, ...actions.map((a, i) => el("li", {}, el("code", {}, a), logged[i] ? el("span", { class: "quiet" }, " " + logged[i]) : null))) : el("p", { class: "quiet" }, "Nothing yet. Write a register, let events happen, and watch. The address of this page holds all that you did: share it."),
        actions.length ? el("p", {}, copyButton(`${state.core.name} | ${actions.join(" ")} | | ${now.counters.length ? "irq=" + now.lines.irq : ""} | YOUR SOURCE`)) : null,
        el("h3", {}, "Try"),
        el("ul", { class: "try" }, ...examples().map(([title, words]) => el("li", {}, el("button", { type: "button", class: "link", onclick: () => { before = null; const wrong = replay(words); drawLive(wrong); } }, title)))))),
    el("datalist", { id: "register-names" }, ...names.flatMap((n) => n.includes("<n>") ? Array.from({ length: state.core.counters }, (_, i) => n.replace("<n>", i)) : [n]).map((n) => el("option", { value: n }))),
    el("datalist", { id: "signal-names" }, ...list("events", state.core).filter((e) => e.signals.length).map((e) => el("option", { value: e.name })), ...pmu.signals.map((s) => el("option", { value: s.name }))),
  ].filter(Boolean));
  for (const [id, value] of Object.entries(typed)) if (document.getElementById(id)) document.getElementById(id).value = value;
  if (focus) document.getElementById(focus)?.focus();
}

// Each example is what a driver of that family does.
function examples() {
  const has = (name, field) => list("registers", state.core).some((r) => r.name === name && r.fields.some((f) => f.name === field && !reserved(f)));
  return {
    arm11: [
      ["Count instructions to an overflow interrupt", ["PMN0=0xFFFFFFFE", "PMNC=0x00700011", "CYCLES*3 ;", "(CYCLES INST)*5 ;"]],
      ["The interrupt falls only while E is set", ["PMN0=0xFFFFFFFF", "PMNC=0x00700011", "CYCLES*3 ;", "INST ;", "PMNC=0x00700110"]]],
    xscale: [["Enable the clock counter and let it run", ["PMNC=1", "CYCLES*1000 ;"]]],
    armv7: [
      ["Count instructions and cycles", ["PMXEVTYPER=8", "PMCNTENSET=0x80000001", "PMCR=1", "(CYCLES INST)*1000 ;"]],
      ["Let user mode read the counters", ["PMUSERENR=1", "PMCNTENSET=1<<31", "PMCR=1", "CYCLES*50 ;", "user"]]],
    pmuv3: [
      ["Count instructions and cycles", ["PMEVTYPER0_EL0=8", "PMCNTENSET_EL0=0x80000001", "PMCR_EL0=1", "el1", "(CYCLES INST)*1000 ;"]],
      ["Chain two counters to 64 bits", ["PMEVTYPER0_EL0=8", "PMEVTYPER1_EL0=0x1E", "PMEVCNTR0_EL0=0xFFFFFFFF", "PMCNTENSET_EL0=3", "PMCR_EL0=1", "el1", "INST*2 ;"]],
      ["An overflow raises the interrupt", ["PMEVTYPER0_EL0=8", "PMEVCNTR0_EL0=0xFFFFFFFF", "PMINTENSET_EL1=1", "PMCNTENSET_EL0=1", "PMCR_EL0=1", "el1", "INST*2 ;"]],
      ...(has("PMCR_EL0", "FZO") ? [["Freeze on overflow (FZO): the cycle counter goes on, event counters stop", ["PMEVTYPER0_EL0=8", "PMEVTYPER1_EL0=8", "PMEVCNTR0_EL0=0xFFFFFFFF", "PMCNTENSET_EL0=0x80000003", "PMCR_EL0=0x201", "el1", "(CYCLES INST) ;", "(CYCLES INST)*9 ;"]]] : []),
      ["Give the guest two counters (HPMN), then trap its access", ["mdcr_el2=2", "el1", "PMEVCNTR1_EL0@el1=5", "TRAP2(read PMEVCNTR3_EL0@el1)"]]],
  }[state.core.family] || [];
}
