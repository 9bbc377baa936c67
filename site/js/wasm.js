// SPDX-License-Identifier: MIT
// The module: description, one PMU on a bench, conformance vectors (site/module).
const pmu = {};

async function inflate(id) {
  const text = document.getElementById(id).textContent.trim();
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function startModule() {
  const module = await WebAssembly.compile(await inflate("module"));
  const nothing = () => 0; // wasi calls that the C library links and nobody makes
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = nothing;
  pmu.raw = (await WebAssembly.instantiate(module, imports)).exports;
  pmu.raw._initialize();
  pmu.cores = json("list_cores");
  pmu.signals = json("list_signals");
}

function give(text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length >= pmu.raw.input_size()) throw new Error("too long a text");
  const at = pmu.raw.input_buffer();
  const memory = new Uint8Array(pmu.raw.memory.buffer);
  memory.set(bytes, at);
  memory[at + bytes.length] = 0;
}

function take() {
  const memory = new Uint8Array(pmu.raw.memory.buffer);
  const at = pmu.raw.output_buffer();
  return new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at)));
}

function json(name, ...args) {
  pmu.raw[name](...args);
  return JSON.parse(take());
}

function ask(name, text) {
  give(text);
  return json(name);
}

const kept = new Map(); // what a core's lists are, each made once

function list(kind, core) {
  const key = kind + core.index;
  if (!kept.has(key)) kept.set(key, json("list_" + kind, core.index));
  return kept.get(key);
}

function findCore(name) {
  const plain = (s) => s.toLowerCase().replaceAll("_", "-");
  return pmu.cores.find((c) => [c.name, ...c.aliases].some((n) => plain(n) === plain(name)));
}

// Does words on the bench; the reason if one of them was not understood or not so.
function perform(words) {
  give(words);
  return pmu.raw.perform() ? null : take();
}
