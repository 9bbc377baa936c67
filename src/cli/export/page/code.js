/* Source beside instructions. */
function openCode(f) { set({ view: "code", fn: f, file: -1 }, true); }
function openSandwich(f) { set({ view: "sandwich", fn: f }, true); }
const WORDS = /^(?:auto|bool|break|case|char|class|const|constexpr|continue|default|delete|do|double|else|enum|extern|false|float|fn|for|func|goto|if|impl|inline|int|let|long|loop|match|mut|namespace|new|nullptr|private|pub|public|register|return|short|signed|sizeof|static|struct|switch|template|this|true|type|typedef|typename|union|unsigned|use|using|var|virtual|void|volatile|while|u?int(?:8|16|32|64)_t|size_t)$/;
/* Marks keywords, strings, numbers and comments of a source line, as far as a single line tells. */
function coloured(text) {
	const out = [], token = /(\/\/.*|\/\*.*?(?:\*\/|$)|^\s*\*.*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)')|\b(\d[\w.]*)\b|^(\s*#\s*\w+)|([A-Za-z_]\w*)/g;
	let at = 0;
	for (const m of text.matchAll(token)) {
		const css = m[1] ? "n" : m[2] ? "s" : m[3] ? "d" : m[4] || WORDS.test(m[5]) ? "w" : "";
		if (!css) continue;
		out.push(text.slice(at, m.index), el("span", { className: css }, m[0]));
		at = m.index + m[0].length;
	}
	return [...out, text.slice(at)];
}
/* Cells before a line of code: share and counts, of the chosen event or of all events. */
const shownEvents = () => state.all ? [state.event, ...data.events.map((_, e) => e).filter(e => e !== state.event && now().whole[e])] : [state.event];
function heat(w, most) {
	const e = state.event, of = whole();
	return [el("td", { className: "heat share", style: { "--h": w && most ? (0.62 * Math.sqrt(w[e] / most)).toFixed(3) : 0 } }, w && w[e] ? percent(w[e], of) : ""),
		...shownEvents().map(e => cell(w && w[e] ? count(w[e]) : "", "wide"))];
}
const heads = () => [["", "share", "", "of the whole program's"], ...shownEvents().map(e => ["", data.events[e].label, "wide"])];
const gap = (text, columns) => el("tr", { className: "gap" }, el("td", { colSpan: columns }, text));
function lineCounts(file) {
	const sums = new Map(), spot = now().spot;
	data.spots.forEach((s, i) => {
		if (s[3] !== file || !s[4]) return;
		if (!sums.has(s[4])) sums.set(s[4], new Float64Array(E));
		add(sums.get(s[4]), row(spot, i));
	});
	return sums;
}
/* Highlights the instructions of a source line, and the line of an instruction. */
function light(line, on) {
	document.querySelectorAll(`.code tr[data-at="${line}"]`).forEach(r => r.classList.toggle("near", on));
}
function pointing(made, file, line, other) {
	if (file === null || !line) return made;
	made.dataset.at = file + ":" + line;
	made.onmouseenter = () => light(made.dataset.at, true);
	made.onmouseleave = () => light(made.dataset.at, false);
	return press(made, () => showIn(other, made.dataset.at));
}
function showIn(id, line) {
	const there = document.querySelector(`#${id} tr[data-at="${line}"]`), pane = $(id)?.closest(".scroll");
	if (there && pane) pane.scrollTo({ top: there.offsetTop - pane.clientHeight / 3 });
	document.querySelectorAll(".code tr.near").forEach(r => r.classList.remove("near"));
	light(line, true);
}
function sourceOf(file) {
	const it = data.sources.find(s => s.file === file);
	if (!it) return soft(`${data.files[file]}: not in this page (the file was not there)`);
	const sums = lineCounts(file), most = Math.max(0, ...[...sums.values()].map(w => w[state.event])), body = el("tbody"), columns = heads().length + 2;
	let last = 0;
	for (const [line, text] of it.rows) {
		if (line !== last + 1) body.append(gap(`… lines ${last + 1} to ${line - 1} are not in this page`, columns));
		body.append(pointing(el("tr", {}, ...heat(sums.get(line), most), cell(String(line), "num"), el("td", { className: "text" }, ...coloured(text))), file, line, "code"));
		last = line;
	}
	if (last < it.lines) body.append(gap(`… lines ${last + 1} to ${it.lines} are not in this page`, columns));
	return el("table", { className: "code", id: "source" }, head([...heads(), ["", "line"], ["", "", "text"]]), body);
}
const BRANCH = /^(?:b|b\.\w+|b(?:eq|ne|cs|hs|cc|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le|al)|cbz|cbnz|tbz|tbnz)(?:\.[nw])?\s.*?#?0x([0-9a-f]+)$/;
/* Draws arrows from branches to their targets, as far as these are shown; nested arrows stand side by side. */
function branches(rows, high) {
	const at = new Map(rows.map((r, i) => [r[0], i])), list = [], lanes = [];
	rows.forEach((r, i) => { const m = BRANCH.exec(r[1]), to = m && at.get(m[1]); if (m && to !== undefined && to !== i) list.push([i, to]); });
	list.sort((a, b) => Math.abs(a[0] - a[1]) - Math.abs(b[0] - b[1]));
	const made = svg("svg", { width: 8, height: rows.length * high, class: "branches", "aria-hidden": "true" });
	for (const [from, to] of list.slice(0, 400)) {
		const [a, b] = [Math.min(from, to), Math.max(from, to)];
		let lane = lanes.findIndex(l => l.every(([x, y]) => b < x || a > y));
		if (lane < 0) { if (lanes.length >= 7) continue; lane = lanes.push([]) - 1; }
		lanes[lane].push([a, b]);
		const x = -6 - 6 * lane, y1 = (from + 0.5) * high, y2 = (to + 0.5) * high;
		made.append(svg("path", { d: `M0 ${y1}H${x}V${y2}H-1M-4 ${y2 - 3}L-1 ${y2}L-4 ${y2 + 3}`, fill: "none", stroke: to < from ? "rgb(var(--hot))" : "var(--accent)", "stroke-width": 1.1, "stroke-opacity": .75 }));
	}
	const wide = 6 * lanes.length + 8;
	made.setAttribute("width", wide);
	made.setAttribute("viewBox", `${-wide + 1} 0 ${wide} ${rows.length * high}`);
	return { made, wide: lanes.length ? wide : 0 };
}
function instructionsOf(it) {
	if (!it) return soft("no instructions in this page: the program's files were not there, or nothing was sampled");
	const spot = now().spot, body = el("tbody"), counts = it.rows.map(r => { const s = data.spotAt.get(it.object + ":" + r[0]); return s === undefined ? null : row(spot, s); });
	const most = Math.max(0, ...counts.map(w => w ? w[state.event] : 0)), arrow = branches(it.rows, 19), columns = heads().length + 3;
	it.rows.forEach(([address, text, file, line], i) => {
		const at = file === null ? "" : `${base(data.files[file])}:${line}`;
		const made = address ? el("tr", {}, ...heat(counts[i], most), el("td", { className: "arrows", style: { "min-width": arrow.wide + "px" } }), cell(address, "num"), cell(text, "text", at)) : gap("… instructions without a count are left out", columns);
		made.style.height = "19px";
		body.append(address ? pointing(made, file, line, "source") : made);
	});
	const first = body.rows[0]?.querySelector(".arrows");
	if (first && arrow.wide) { Object.assign(arrow.made.style, { position: "absolute", left: 0, top: 0, pointerEvents: "none" }); first.append(arrow.made); }
	return el("table", { className: "code", id: "code" }, head([...heads(), ["", ""], ["", "address"], ["", "instruction", "text"]]), body);
}
function mainFile(f, it) {
	const best = new Map(), spot = now().spot;
	for (const s of data.spotsOf[f] || []) if (data.spots[s][3] !== null) best.set(data.spots[s][3], (best.get(data.spots[s][3]) || 0) + spot[s * E + state.event] + 1e-9);
	const first = [...best].sort((a, b) => b[1] - a[1])[0];
	return first ? first[0] : it?.rows.find(r => r[2] !== null)?.[2] ?? -1;
}
function code() {
	const f = shownFunction();
	if (f < 0) return [soft("no instructions in this page: the program's files were not there, or nothing was sampled")];
	const it = data.code[codeOf(f)], file = state.file >= 0 ? state.file : mainFile(f, it), w = row(now().self, f), lines = file >= 0;
	const bar = el("div", { className: "bar-of-tools" }, functionList(f, openCode), toggle("all events", state.all, v => set({ all: v })), el("button", { onclick: () => openSandwich(f) }, "callers and callees"));
	if (data.sources.length > 1) bar.append(chooser("file", [[-1, "of this function"], ...data.sources.map(s => [s.file, base(data.files[s.file])])], state.file, v => set({ file: +v })));
	setTimeout(() => showHot(f, file));
	const paper = (title, body) => el("section", { className: "pane" }, el("h3", { title }, title), el("div", { className: "scroll" }, body));
	return [bar, soft(why(f)), hasStack && w[CYCLES] ? stackBar(w, true) : null, lines ? null : soft("no line numbers: build with -g, or give --debug-dir"), el("div", { className: lines ? "split" : "split alone", style: { "margin-top": "8px" } },
		lines ? paper(data.files[file], sourceOf(file)) : "", paper(it ? `${it.name} (${base(data.objects[it.object])})` : "instructions", instructionsOf(it))),
		data.more_spots ? soft(`${count(data.more_spots)} instructions with the fewest counts are not in this page`) : null];
}
/* Scrolls both panes to what is hottest: the function's line and its instruction. */
function showHot(f, file) {
	const lines = new Map(), spot = now().spot;
	for (const s of data.spotsOf[f] || []) if (data.spots[s][3] === file) lines.set(data.spots[s][4], (lines.get(data.spots[s][4]) || 0) + spot[s * E + state.event]);
	const line = [...lines].sort((a, b) => b[1] - a[1])[0], heat = r => +r.firstChild.style.getPropertyValue("--h");
	const rows = [line && document.querySelector(`#source tr[data-at="${file}:${line[0]}"]`),
		[...document.querySelectorAll("#code tbody tr:not(.gap)")].reduce((a, r) => heat(r) > (a ? heat(a) : 0) ? r : a, null)];
	for (const row of rows) {
		const pane = row?.closest(".scroll");
		if (pane) pane.scrollTop = Math.max(0, row.offsetTop - pane.clientHeight / 3);
	}
}

/* Where data were found, of `record -d`. */
const mean = (cycles, loads) => loads ? (cycles / loads).toFixed(1) : "";
function accesses() {
	const it = data.access[state.event], of = data.events[state.event].weight, levels = el("tbody"), body = el("tbody");
	const key = { level: r => r[0], name: r => r[1], object: r => r[2], file: r => r[3], latency: r => r[6] ? r[5] / r[6] : -1 }[state.sort] || (r => r[4]);
	if (!it.levels.length) return [soft("nothing was sampled of this event")];
	for (const [level, weight, cycles, loads] of it.levels)
		levels.append(el("tr", {}, gauge(weight, weight, of), cell(percent(weight, of)), number(weight), cell(mean(cycles, loads)), cell(level === "[none]" ? "no data access" : level, "text")));
	const rows = sorted(it.lines.filter(r => r[0] !== "[none]" && matches(r.slice(0, 4).join(" "))), key);
	fill(body, rows.slice(0, MOST), ([level, name, object, line, weight, cycles, loads]) => {
		const f = data.functions.findIndex(x => x[0] === name && base(data.objects[x[1]]) === object);
		const made = el("tr", { className: f < 0 ? "" : "open" }, gauge(weight, weight, of), cell(percent(weight, of)), number(weight, "wide"), cell(mean(cycles, loads)),
			cell(level, "text"), cell(line, "text"), cell(name, "text", name), cell(object, "text wide"));
		if (f >= 0) press(made, () => openCode(f)).title = "its source and instructions";
		return made;
	});
	return [soft("where the data of the sampled instructions were; latency: the mean of loads, in cycles", picked() ? "; this view is of the whole run" : ""),
		el("table", { id: "levels" }, head([["", ""], ["", "share"], ["", "count"], ["", "latency"], ["", "found in", "text"]]), levels), el("h2", {}, "By line"),
		el("div", { className: "scroll" }, el("table", { id: "lines" }, head([["", ""], ["self", "share"], ["", "count", "wide"], ["latency", "latency"], ["level", "found in", "text"],
			["file", "line", "text"], ["name", "function", "text"], ["object", "object", "text wide"]]), body)), more(rows)];
}
