/* The table of functions. */
function functions() {
	const e = state.event, { self, total } = now(), of = whole();
	const ipc = f => ipcOf(row(self, f)), rate = (f, i) => ratio(row(self, f), i, INSTRUCTIONS, 1000);
	const old = before(), compared = old.has(e), change = f => self[f * E + e] - old.of(f, e);
	const keys = { self: f => self[f * E + e], total: f => total[f * E + e], name: f => nameOf(f), object: f => base(objectOf(f)), file: f => data.functions[f][2] || "", ipc, ...(compared && { change }) };
	const key = keys[state.sort] || (state.sort.startsWith("rate") ? f => rate(f, +state.sort.slice(4)) : keys.self);
	const rows = sorted(data.functions.map((_, f) => f).filter(f => (self[f * E + e] || total[f * E + e] || compared && old.of(f, e)) && found(f)), key);
	if (!rows.length) return [soft(none())];
	const roomy = rates.length > 2 ? "wide roomy" : "wide", sources = rows.some(f => data.functions[f][2]), withIpc = CYCLES >= 0 && INSTRUCTIONS >= 0;
	const body = fill(el("tbody"), rows.slice(0, MOST), f => {
		const s = self[f * E + e], t = total[f * E + e], made = el("tr", { className: "open" }, gauge(s, t, of), cell(percent(s, of)), number(s, roomy),
			cell(percent(t, of)), number(t, roomy), compared && cell(signed(change(f)), change(f) > 0 ? "more" : "less"), withIpc && figure(ipc(f), compared ? "wide" : ""), ...rates.map(i => figure(rate(f, i), "wide")), cell(nameOf(f), "text", nameOf(f)),
			cell(base(objectOf(f)), "text wide", objectOf(f)), sources && cell(data.functions[f][2] ? base(data.functions[f][2]) : "", "text wide", data.functions[f][2] || ""));
		return Object.assign(press(made, () => openCode(f)), { title: "its source and instructions" });
	});
	return [el("div", { className: "scroll" }, el("table", { id: "functions" }, head([["", ""], ["self", "self", "", "share of the event in the function itself"], ["", "self count", roomy],
		["total", "total", "", "share with what the function calls"], ["", "total count", roomy], ...(compared ? [["change", "change", "", "of the self count, after less before"]] : []),
		...(withIpc ? [["ipc", "IPC", compared ? "wide" : "", "instructions per cycle"]] : []), ...rates.map(i => ["rate" + i, data.events[i].label + " /k", "wide", "per 1000 instructions of the function"]),
		["name", "function", "text"], ["object", "object", "text wide"], ...(sources ? [["file", "source", "text wide"]] : [])]), body)), more(rows),
		data.functions.length >= 5000 ? soft("only the 5000 functions that matter most are in this page") : null];
}
const signed = n => n > 0 ? "+" + count(n) : n < 0 ? "−" + count(-n) : "";
/* A function in any recording: its name and its object's. The programs may have different names. */
const idOf = (d, f) => { const object = base(d.objects[d.functions[f][1]]); return d.functions[f][0] + "\n" + (object === base(d.file || d.program[0] || "") ? "" : object); };
/* The older recording's number of an event, which may be spelled otherwise there; -1: it has none. */
const spelled = text => text.toLowerCase().replaceAll("_", "-");
function olderEvent(e) {
	const at = data.before.events.findIndex(o => spelled(o.label) === spelled(e.label));
	return at >= 0 ? at : data.before.events.findIndex(o => o.name && spelled(o.name) === spelled(e.name));
}
/* The older recording: its number of each event, if both recordings have counts of an event (one that was cut off has a part of
 * them, which compares with nothing), and its self count of a function. */
let old;
function before() {
	if (old) return old;
	if (!data.before) return old = { has: () => false, of: () => 0 };
	const d = data.before, at = new Map(d.functions.map((_, f) => [idOf(d, f), f]));
	const event = data.events.map(olderEvent);
	return old = { event, has: e => event[e] >= 0 && !data.unfinished && !d.unfinished, of: (f, e) => event[e] < 0 || !at.has(idOf(data, f)) ? 0 : d.functions[at.get(idOf(data, f))][3][event[e]] };
}
