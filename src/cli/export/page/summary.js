/* What ran, what it came to, where it went. */
function card(title, value, note) {
	return el("div", { className: "card" }, el("small", {}, title), el("b", {}, value), el("small", {}, note || " "));
}
function figures() {
	const r = run(), out = [], cycles = data.threads.reduce((a, t) => a + t.cycles, 0), executed = data.threads.reduce((a, t) => a + t.instructions, 0);
	const part = picked(), c = part || !cycles ? CYCLES >= 0 ? r[CYCLES] : 0 : cycles, n = part || !executed ? INSTRUCTIONS >= 0 ? r[INSTRUCTIONS] : 0 : executed;
	if (data.clock && c) out.push(card("simulated time", seconds(c), `${data.threads.length > 1 ? "of all threads, " : ""}at ${data.clock / 1e6} MHz`));
	if (c) out.push(card("cycles", brief(c), data.band ? `modelled, about ${data.band.percent}\u00a0%` : count(c)));
	if (n) out.push(card("instructions", brief(n), count(n)));
	if (c && n) out.push(card("IPC", digits(n / c), `${digits(c / n)} cycles per instruction`));
	data.events.forEach((e, i) => {
		if (i === CYCLES || i === INSTRUCTIONS || e.label.startsWith("stall") || !r[i]) return;
		out.push(card(e.label, brief(r[i]), n ? `${digits(1000 * r[i] / n)} per 1000 instructions` : count(r[i])));
	});
	return el("div", { className: "cards" }, ...out);
}
function stackPart() {
	if (!hasStack || !now().whole[CYCLES])
		return [el("h2", {}, "CPI stack"), el("p", { className: "warn" }, CYCLES < 0 ? "Cycles were not recorded, so this page cannot say where they went. " : "What cycles were lost to was not recorded. ",
			"Record with ", el("span", { className: "mono" }, `apmu record --core ${data.core} --cpi-stack${data.chains ? " -g" : ""} -- ${data.program.join(" ") || "PROGRAM"}`), " to have the stack here, by function and over time.")];
	const w = run(), all = w[CYCLES];
	const n = picked() ? w[INSTRUCTIONS] : data.threads.reduce((a, t) => a + t.instructions, 0) || w[INSTRUCTIONS];
	return [el("h2", {}, "CPI stack ", el("span", { className: "soft" }, n ? `where ${digits(all / n)} cycles per instruction go` : "where the cycles go")), stackBar(w),
		legend(stackOf(w).map(p => [p.colour, `${p.title} ${percent(p.cycles, all)}${n ? ` (${digits(p.cycles / n)})` : ""}`])),
		soft("Issuing is what the other parts leave. Branches: mispredictions times the core's penalty", part.branch >= 0 ? ` of ${data.events[part.branch].scale} cycles` : "", "; out of order some of that hides behind other work.")];
}
function topFive() {
	const self = now().self, e = state.event, list = data.functions.map((_, f) => f).filter(f => self[f * E + e] && found(f)).sort((a, b) => self[b * E + e] - self[a * E + e]).slice(0, 5);
	if (!list.length) return [soft(none())];
	return [el("ol", { className: "top" }, ...list.map(f => press(el("li", {}, el("div", { className: "name" }, el("span", {}, nameOf(f)), el("span", {}, percent(self[f * E + e], whole()))),
		hasStack && self[f * E + CYCLES] ? stackBar(row(self, f), true) : "", el("div", { className: "soft" }, arrived ? why(f) : "…")), () => openCode(f))))];
}
function changes() {
	if (!data.before) return [];
	const old = data.before, both = data.events.map((e, i) => [e.label, olderEvent(e), i]), known = new Set(both.map(r => r[1]));
	const rows = [...both, ...old.events.map((e, i) => [e.label, i, -1]).filter(r => !known.has(r[1]))];
	const total = (d, i) => i < 0 || d.unfinished ? null : d.events[i].total || d.events[i].weight;
	const counted = n => n === null ? cell("not counted", "soft") : number(n);
	return [el("h2", {}, "Before and after"), el("div", { className: "scroll" }, el("table", {}, head([["", "event", "text"], ["", "before"], ["", "after"], ["", "change"]]),
		el("tbody", {}, ...rows.map(([name, b, a]) => { const x = total(old, b), y = total(data, a);
			return el("tr", {}, cell(name, "text"), counted(x), counted(y), x === null || y === null ? cell("") : cell(x ? (y >= x ? "+" : "") + (100 * (y - x) / x).toFixed(2) + "%" : "", y > x ? "more" : y < x ? "less" : "")); })))),
		soft(`before: ${old.program.join(" ")} on ${old.core}`)];
}
function about() {
	const rows = [["program", data.program.join(" ")], ["core", data.core + (data.uarch ? ` (${data.uarch})` : "")],
		["recorded", (data.written ? new Date(data.written * 1000).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }) + ", " : "") + `apmu ${data.version}`],
		["how", data.exact ? "exact counts of each instruction" : `${count(data.events.reduce((a, e) => a + e.samples, 0))} samples of ${E > 6 ? E + " events" : data.events.map(e => e.label + (e.period ? `, one in ${count(e.period)}` : "")).join("; ")}`],
		["threads", String(data.threads.length)], ["ended", data.unfinished ? "the recording was cut off: totals are missing" : data.signal ? `by signal ${data.signal}` : `with status ${data.exit}`]];
	return el("dl", {}, ...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}
function summary() {
	const absent = [INSTRUCTIONS < 0 && "instructions (IPC and rates by function)", !data.chains && "call chains (record -g: flame graph, callers and callees)", data.exact && "time (--exact has no order)"].filter(Boolean);
	return [figures(), ...stackPart(), ...changes(), el("div", { className: "two" },
		el("div", {}, el("h2", {}, "Top functions ", el("span", { className: "soft" }, `by ${label()}`)), ...topFive()),
		el("div", {}, el("h2", {}, "About this run"), about(), absent.length ? soft("Not recorded: " + absent.join("; ") + ".") : null,
			soft("All counts are ", el("b", {}, "modelled"), ": user space alone; instructions are exact, cycles, caches, TLBs and branch prediction come from apmu's model of the core.", data.band ? ` The cycles of a ${data.core} may be ${data.band.percent} % more or fewer, by ` + (data.band.untold >= 50 ? `other cores' published figures: it has none itself for what ${data.band.untold >= 99.5 ? "they" : `${data.band.untold} % of them`} went to.` : "published figures that nothing was fitted to.") : "")))];
}
