// SPDX-License-Identifier: MIT
// What is shown when; keys; the choice of core; light and dark.
const tabs = {
  registers: { title: "Registers", show: showRegisters },
  live: { title: "Live PMU", show: showLive },
  events: { title: "Events", show: showEvents },
  reference: { title: "Reference", show: showReference },
  vectors: { title: "Vectors", show: showVectors },
};

function show() {
  const before = state.core;
  readAddress();
  document.title = `${state.what || tabs[state.tab].title}, ${state.core.title} - Arm PMU explorer`;
  document.getElementById("core").value = state.core.name;
  document.getElementById("tabs").replaceChildren(...Object.entries(tabs).map(([name, tab], i) =>
    el("a", { href: address({ tab: name, what: "", query: {} }), class: name === state.tab ? "here" : "", "aria-current": name === state.tab ? "page" : null, title: `key ${i + 1}` }, tab.title)));
  if (before !== state.core || !document.querySelector("#event-names option"))
    document.getElementById("event-names").replaceChildren(...list("events", state.core).map((e) => el("option", { value: e.name })));
  const unverified = document.getElementById("unverified");
  unverified.hidden = !state.core.unverified;
  unverified.textContent = state.core.unverified ? `Inferred for this core: ${state.core.unverified}` : "";
  tabs[state.tab].show();
}

function chooseCore(name) {
  const core = findCore(name.trim());
  if (core && core !== state.core) go({ core, what: state.tab === "registers" ? state.what : "", query: {} });
  document.getElementById("core").classList.toggle("wrong", !core);
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") document.activeElement?.blur();
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName)) return;
  const tab = Object.keys(tabs)[Number(event.key) - 1];
  if (tab) go({ tab, what: "", query: {} });
  if (event.key === "/") { event.preventDefault(); view().querySelector("input[type=search]")?.focus(); }
  if (event.key === "c") { event.preventDefault(); document.getElementById("core").select(); }
}

function theme(choice) {
  const now = choice || document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = now;
  document.getElementById("theme").textContent = now === "dark" ? "light" : "dark";
  return now;
}

async function main() {
  theme();
  document.getElementById("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  try {
    await startModule();
  } catch (error) {
    view().textContent = `This page needs WebAssembly and DecompressionStream, which every browser since 2023 has. (${error})`;
    return;
  }
  document.getElementById("core-names").replaceChildren(...pmu.cores.flatMap((c) => [el("option", { value: c.name }, c.title)]));
  const core = document.getElementById("core");
  core.addEventListener("change", () => chooseCore(core.value));
  core.addEventListener("focus", () => core.select());
  addEventListener("hashchange", show);
  addEventListener("keydown", keys);
  show();
  performance.mark("ready");
  document.documentElement.dataset.ready = "yes";
}

main();
