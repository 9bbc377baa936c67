// SPDX-License-Identifier: MIT
// The conformance vectors: every line is a sentence of a manual, run here on the module that this page uses.
async function runVectors(progress) {
  const files = JSON.parse(new TextDecoder().decode(await inflate("vectors")));
  const result = { lines: 0, runs: 0, failed: [] };
  for (const [file, text] of Object.entries(files)) {
    text.split("\n").forEach((line, i) => {
      give(line);
      const runs = pmu.raw.vector();
      if (runs < 0) return;
      result.lines++;
      if (runs === 0) result.failed.push(`${file}:${i + 1}: ${take()}`);
      else result.runs += runs;
    });
    if (progress) await progress(file, result);
  }
  pmu.live = null; // the bench was used
  return result;
}

function showVectors() {
  const status = el("p", { role: "status" }), failures = el("ul"), answer = el("p", { role: "status" });
  const line = el("textarea", { rows: 3, spellcheck: "false", "aria-label": "A vector" }, "arm1136,arm1176 | PMN0=0xFFFFFFFF PMNC=0x00700011 CYCLES*3 ; | INST | irq=1 PMNC=0x00700111 | AN195 1: an interrupt when a counter overflows");
  const one = () => {
    give(line.value);
    const runs = pmu.raw.vector();
    answer.className = runs > 0 ? "yes" : "no";
    answer.textContent = runs > 0 ? `so it is (${runs} runs)` : runs < 0 ? "no vector in that line" : take();
  };
  const all = async () => {
    const begun = performance.now();
    failures.replaceChildren();
    const result = await runVectors(async (file, r) => { status.textContent = `${file}: ${r.lines} lines`; await new Promise((done) => setTimeout(done)); });
    status.className = result.failed.length ? "no" : "yes";
    status.textContent = `${grouped(result.lines)} vectors, ${grouped(result.runs)} runs, ${result.failed.length} failed, in ${Math.round(performance.now() - begun)} ms`;
    failures.replaceChildren(...result.failed.map((f) => el("li", {}, f)));
  };
  view().replaceChildren(el("article", {},
    el("h2", {}, "Conformance vectors"),
    el("p", {}, "Each line says what a manual says: cores | set-up | what happens | what is looked at | the section. They were written from the manuals, never from what the model printed, and run on the same code as everything else on this page."),
    el("div", { class: "row" }, el("button", { type: "button", id: "run-all", onclick: all }, "run all")), status, failures,
    el("h3", {}, "One line"), line, el("div", { class: "row" }, el("button", { type: "button", onclick: one }, "run")), answer));
}
