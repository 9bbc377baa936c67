/* What the profile holds, and what is left of it in a range of time or of one thread. The run and its functions stand
 * before this script, so that the first table is there while the browser still reads; the rest stands behind it, and each
 * part of that is decoded when a view first asks for it. */
const $ = id => document.getElementById(id);
const decoded = id => JSON.parse($(id).textContent);
const data = decoded("data-run");
/* Defines a property whose value is made on first use. */
const later = (object, name, make) => Object.defineProperty(object, name, { configurable: true, get() { const value = make(); Object.defineProperty(object, name, { value }); return value; } });
for (const name of ["nodes", "access", "listing", "time"]) later(data, name, () => decoded("data-" + name));
for (const name of ["files", "spots", "more_spots", "code", "sources"]) later(data, name, () => data.listing[name]);
if (data.before) later(data.before, "nodes", () => decoded("data-before"));
const state = { view: "summary", event: 0, find: "", sort: "self", down: true, zoom: 0, fn: -1, from: 0, to: 1, thread: -1, colour: "", tree: "down", file: -1, all: false };
const E = data.events.length, F = data.functions.length;
const CYCLES = data.events.findIndex(e => e.cycles), INSTRUCTIONS = data.events.findIndex(e => e.label === "instructions");
const part = Object.fromEntries(data.events.flatMap((e, i) => e.part ? [[e.part, i]] : []));
const base = path => path.slice(path.lastIndexOf("/") + 1) || path;
const count = n => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ",");
const percent = (n, of) => of ? (100 * n / of).toFixed(2) + "%" : "";
const rounded = (n, of) => of ? Math.round(100 * n / of) + " %" : "";
const label = () => data.events[state.event].label;
const objectOf = f => data.objects[data.functions[f][1]];
const nameOf = f => f < 0 || f === null ? "(many small functions)" : data.functions[f][0];

/* The parts of a CPI stack, in the order in which they are drawn. `wait` ends "66 % of its cycles ...". */
const PARTS = [
	["base", "issuing", "#5b9a68", "issue instructions"],
	["operands", "operands and L1", "#3f9c96", "wait for operands: results of earlier instructions, hits in L1"],
	["branch", "branches", "#8e63b5", "are lost to mispredicted branches"],
	["front", "front end", "#c9a227", "find no instruction fetched"],
	["l2", "L2", "#5b8fd0", "wait for data from L2"],
	["l3", "L3", "#3566b0", "wait for data from L3"],
	["memory", "memory", "#c4472f", "wait for data from memory"],
	["tlb", "TLB", "#a0693a", "wait for translations of addresses (TLB misses)"],
	["store", "stores", "#b8558c", "wait for room to store"],
];
const hasStack = CYCLES >= 0 && "back" in part;
/* Cycles by part of one row of counts; what the other parts leave is the base. */
function stackOf(w) {
	const of = name => name in part ? w[part[name]] * data.events[part[name]].scale : 0;
	const all = w[CYCLES], got = { l2: of("l2"), l3: of("l3"), memory: of("memory"), store: of("store"), front: of("front"), branch: of("branch") };
	const behind = got.l2 + got.l3 + got.memory + got.store + of("tlb");
	got.operands = Math.max(0, of("back") - behind);
	got.tlb = of("tlb") + of("itlb");
	const lost = Object.values(got).reduce((a, b) => a + b, 0), shrink = lost > all && lost ? all / lost : 1;
	for (const name in got) got[name] *= shrink;
	got.base = Math.max(0, all - lost);
	return PARTS.map(([name, title, colour, wait]) => ({ name, title, colour, wait, cycles: got[name] })).filter(p => p.cycles > 0);
}

/* A range of time: steps from..to of `steps()`, of all threads or of one. */
const tables = () => data.time ? [data.time.functions, data.time.nodes, data.time.spots] : [];
const steps = () => Math.min(96, ...tables().map(t => t.steps || 96));
const picked = () => state.from > 0 || state.to < 1 || state.thread >= 0;
const flat = (rows, at) => { const out = new Float64Array(rows.length * E); rows.forEach((r, i) => out.set(r[at], i * E)); return out; };
const row = (flat, i) => flat.subarray(i * E, i * E + E);

function within(table, rows) {
	const out = new Float64Array(rows * E), n = table.steps;
	for (const [key, list] of table.cells) {
		const thread = Math.floor(key / n), at = (key % n + 0.5) / n;
		if (at < state.from || at > state.to || state.thread >= 0 && thread !== state.thread) continue;
		for (let i = 0; i < list.length; i += 3) out[list[i] * E + list[i + 1]] += list[i + 2];
	}
	return out;
}
/* Counts of functions with what they call, recursion counted once; the walk needs no recursion in the browser. */
function totals(node) {
	const out = new Float64Array(F * E), on = new Int32Array(F), left = [[0, 0]], kids = data.nodes.map(() => []);
	data.nodes.forEach((n, i) => i && kids[n[0]].push(i));
	while (left.length) {
		const top = left[left.length - 1], [i] = top, f = data.nodes[i][1];
		if (top[1] === 0 && i && f !== null && on[f]++ === 0) for (let e = 0; e < E; e++) out[f * E + e] += node[i * E + e];
		if (top[1] < kids[i].length) { left.push([kids[i][top[1]++], 0]); if (top[1] === 0) top[1] = 1; }
		else { left.pop(); if (i && f !== null) on[f]--; }
	}
	return out;
}
function cut() {
	const node = within(data.time.nodes, data.nodes.length), whole = new Float64Array(E);
	for (let i = data.nodes.length - 1; i >= 0; i--) for (let e = 0; e < E; e++)
		if (i) node[data.nodes[i][0] * E + e] += node[i * E + e];
	whole.set(row(node, 0));
	const self = within(data.time.functions, F), total = totals(node);
	for (let i = 0; i < self.length; i++) total[i] = Math.max(total[i], self[i]);
	return { whole, self, total, node, spot: within(data.time.spots, data.spots.length) };
}
let kept, keptFor = "";
/* Counts of everything: { whole, self, total, node, spot }, E numbers per row. */
function now() {
	const key = picked() && data.time ? [state.from, state.to, state.thread].join() : "all";
	if (key === keptFor) return kept;
	keptFor = key;
	if (key !== "all") return kept = cut();
	kept = { whole: Float64Array.from(data.events, e => e.weight), self: flat(data.functions, 3), total: flat(data.functions, 4) };
	later(kept, "node", () => flat(data.nodes, 2));
	later(kept, "spot", () => flat(data.spots, 5));
	return kept;
}
const whole = () => now().whole[state.event];
/* Of the whole run the counts are exact; of a part of it they are sums of samples. */
const run = () => picked() ? now().whole : Float64Array.from(data.events, e => e.total || e.weight);
/* A ratio of fewer samples than five says nothing. */
const fewest = data.events.map(e => data.exact || !e.samples ? 1 : 5 * e.weight / e.samples);
const ratio = (w, a, b, per = 1) => a >= 0 && b >= 0 && w[b] && w[b] >= fewest[b] ? per * w[a] / w[b] : NaN;
const digits = (x, n = 2) => Number.isFinite(x) ? x.toFixed(n) : "";
const ipcOf = w => INSTRUCTIONS >= 0 && w[INSTRUCTIONS] >= fewest[INSTRUCTIONS] ? ratio(w, INSTRUCTIONS, CYCLES) : NaN;
/* Events that are shown per thousand instructions: those that do not count cycles. */
const rates = INSTRUCTIONS < 0 ? [] : data.events.flatMap((e, i) =>
	i === INSTRUCTIONS || i === CYCLES || e.label.startsWith("stall") ? [] : [i]);
/* Filters functions by the text in Find. */
const matches = text => text.toLowerCase().includes(state.find.toLowerCase());
const found = f => !state.find || f !== null && f >= 0 && matches(data.functions[f][0] + " " + objectOf(f) + " " + (data.functions[f][2] || ""));

/* Seconds of the core, where its clock is known. */
function seconds(cycles) {
	const s = cycles / data.clock;
	return s >= 1 ? s.toFixed(3) + " s" : s >= 1e-3 ? (s * 1e3).toFixed(2) + " ms" : (s * 1e6).toFixed(1) + " µs";
}
const moment = t => data.time.unit === "cycles" && data.clock ? seconds(t) : brief(t);
const brief = n => n >= 1e9 ? (n / 1e9).toFixed(2) + " G" : n >= 1e6 ? (n / 1e6).toFixed(2) + " M" : n >= 1e4 ? (n / 1e3).toFixed(1) + " k" : count(n);
const threadName = i => `thread ${i + 1}` + (data.threads[i]?.name ? ` (${data.threads[i].name})` : "");

/* Finds code: the body that holds an address; a function's own body, or the one that it was inlined into. */
later(data, "bodyOf", () => new Map(data.code.flatMap((c, i) => c.rows.filter(r => r[0]).map(r => [c.object + ":" + r[0], i]))));
later(data, "spotAt", () => new Map(data.spots.map((s, i) => [s[1] + ":" + s[2], i])));
later(data, "spotsOf", () => {
	const out = data.functions.map(() => []);
	data.spots.forEach((s, i) => s[0] >= 0 && out[s[0]].push(i));
	return out;
});
const where = s => data.spots[s][3] === null || !data.spots[s][4] ? "" : `${base(data.files[data.spots[s][3]])}:${data.spots[s][4]}`;
function codeOf(f) {
	for (const s of data.spotsOf[f]) {
		const at = data.bodyOf.get(data.spots[s][1] + ":" + data.spots[s][2]);
		if (at !== undefined) return at;
	}
	return data.code.findIndex(c => c.name === data.functions[f][0] && c.object === data.functions[f][1]);
}
/* The line of a function, or else the instruction, that has most of an event, and its share of the function's count. */
function hottest(f, e) {
	const sums = new Map(), spot = now().spot;
	let all = 0;
	for (const s of data.spotsOf[f]) {
		const at = where(s) || "0x" + data.spots[s][2];
		sums.set(at, (sums.get(at) || 0) + spot[s * E + e]);
		all += spot[s * E + e];
	}
	const best = [...sums].sort((a, b) => b[1] - a[1])[0];
	return best && best[1] ? { at: best[0], share: best[1] / all } : null;
}
/* A sentence that says why a function stands where it does. */
function why(f) {
	const w = row(now().self, f), of = now().whole, most = (e, part) => {
		const hot = hottest(f, e);
		return hot ? (hot.share > 0.995 ? `, all at ${hot.at}` : `, ${rounded(hot.share, 1)} of ${part} at ${hot.at}`) : "";
	};
	if (!hasStack || !w[CYCLES]) {
		const more = data.events.map((_, e) => e).filter(e => e !== state.event && of[e] && w[e] / of[e] > 0.2 && w[e] / of[e] > 1.2 * w[state.event] / of[state.event]);
		const text = `${rounded(w[state.event], of[state.event])} of the ${label()}${most(state.event, "them")}`;
		return text + more.slice(0, 2).map(e => `; ${rounded(w[e], of[e])} of all ${data.events[e].label}`).join("") + ".";
	}
	const stack = stackOf(w).sort((a, b) => b.cycles - a.cycles), first = stack[0], of1 = w[CYCLES];
	const source = { operands: "back", base: null }[first.name] ?? (first.name === "base" ? null : first.name);
	let text = `${rounded(first.cycles, of1)} of its cycles ${first.wait}` + most(source ? part[source] ?? CYCLES : CYCLES, "them");
	const next = stack.find(p => p.name !== "base" && p !== first && p.cycles > 0.1 * of1);
	if (next) text += `; ${rounded(next.cycles, of1)} ${next.wait}`;
	const ipc = ipcOf(w);
	return text + (Number.isFinite(ipc) ? `. IPC ${digits(ipc)}.` : ".");
}
