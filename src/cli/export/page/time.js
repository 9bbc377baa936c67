/* One time for all lanes, and a range of it that filters every view. */
const svg = (tag, attributes, ...inside) => {
	const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
	made.append(...inside);
	return made;
};
const lanesOf = t => data.time.lanes[t];
const shownThreads = () => data.time.lanes.map((_, t) => t).filter(t => state.thread < 0 || state.thread === t).filter(t => lanesOf(t).some(bins => bins.some(Boolean)));
const stepPath = (bins, w, h, most) => bins.map((n, i) => `L${(i * w / bins.length).toFixed(1)} ${(h - h * n / (most || 1)).toFixed(1)}H${((i + 1) * w / bins.length).toFixed(1)}`).join("");
function nice(most, n) {
	const raw = most / n, unit = 10 ** Math.floor(Math.log10(raw || 1));
	return unit * [1, 2, 5, 10].find(k => k * unit >= raw);
}
function ticks(end, n) {
	const per = data.time.unit === "cycles" && data.clock ? data.clock : 1, step = nice(end / per, n), out = [];
	for (let t = 0; t <= end / per * 1.0001; t += step) out.push(t * per);
	return out;
}
/* A filled curve with its own scale. */
function curve(title, bins, w, h, colour, css) {
	const most = Math.max(...bins), made = svg("svg", { viewBox: `0 0 ${w} ${h}`, width: w, height: h, class: css || "curve", role: "img", "aria-label": `${title} over time` });
	for (const t of ticks(data.time.end, w / 110)) made.append(svg("path", { d: `M${t / (data.time.end || 1) * w} 0V${h}`, stroke: "var(--grid)" }));
	made.append(svg("path", { d: `M0 ${h}${stepPath(bins, w, h - 2, most)}V${h}Z`, fill: colour, "fill-opacity": .32, stroke: colour, "stroke-width": 1.2, transform: "translate(0 2)" }));
	return made;
}
/* Where the cycles of each step went, as shares of the step. */
function stackLane(t, w, h) {
	const lanes = lanesOf(t), bins = lanes[0].length, made = svg("svg", { viewBox: `0 0 ${w} ${h}`, width: w, height: h, class: "stacked", role: "img", "aria-label": "CPI stack over time" });
	for (let i = 0; i < bins; i++) {
		const counts = Float64Array.from(lanes, l => l[i]);
		let y = h;
		if (counts[CYCLES]) for (const p of stackOf(counts)) {
			const high = h * p.cycles / counts[CYCLES];
			made.append(svg("rect", { x: (i * w / bins).toFixed(1), y: (y -= high).toFixed(1), width: (w / bins + 0.3).toFixed(1), height: high.toFixed(1), fill: p.colour }));
		}
	}
	return made;
}
function axis(w) {
	const made = svg("svg", { viewBox: `0 0 ${w} 18`, width: w, height: 18, class: "axis" }), all = ticks(data.time.end, w / 110);
	all.forEach((t, i) => { const x = t / (data.time.end || 1) * w; if (x < w - 30 || i === 0) made.append(svg("text", { x, y: 13, "text-anchor": i ? "middle" : "start" }, tickText(t, all[1] || 1))); });
	return made;
}
function tickText(t, step) {
	if (data.time.unit !== "cycles" || !data.clock) return brief(t);
	const [per, unit] = step / data.clock >= 0.1 ? [1, "s"] : step / data.clock >= 1e-4 ? [1e3, "ms"] : [1e6, "µs"], one = step / data.clock * per;
	return (t / data.clock * per).toFixed(one >= 1 ? 0 : Math.ceil(-Math.log10(one))) + " " + unit;
}
/* Lets a reader choose a range of time by dragging; a click clears the range. */
function brushed(made, w) {
	const at = event => Math.max(0, Math.min(1, (event.clientX - made.getBoundingClientRect().left) / made.clientWidth));
	const snap = (x, up) => up ? Math.ceil(x * steps() - 1e-9) / steps() : Math.floor(x * steps() + 1e-9) / steps();
	let begin = null;
	const shade = el("div", { className: "brush", hidden: state.from <= 0 && state.to >= 1 });
	const put = (a, b) => { shade.style.left = a * 100 + "%"; shade.style.width = (b - a) * 100 + "%"; };
	put(state.from, state.to);
	made.append(shade);
	if (!Number.isFinite(steps()) || tables().some(t => !t.steps)) return made;
	made.addEventListener("pointerdown", event => { if (event.button) return; begin = at(event); made.setPointerCapture(event.pointerId); });
	made.addEventListener("pointermove", event => { if (begin !== null) { shade.hidden = false; put(Math.min(begin, at(event)), Math.max(begin, at(event))); } });
	made.addEventListener("pointerup", event => {
		if (begin === null) return;
		const [a, b] = [Math.min(begin, at(event)), Math.max(begin, at(event))], moved = (b - a) * w > 4;
		begin = null;
		set(moved ? { from: snap(a), to: snap(b, true) } : { from: 0, to: 1 }, true);
	});
	return made;
}
const range = () => state.from > 0 || state.to < 1 ? `${moment(state.from * data.time.end)} to ${moment(state.to * data.time.end)}` : "the whole run";
function strip() {
	const holder = $("strip");
	holder.hidden = !data.time || !data.time.lanes.length || state.view === "time" || !(data.time.end > 0);
	if (holder.hidden) return;
	const w = Math.max(240, holder.clientWidth - parseFloat(getComputedStyle(holder).paddingLeft) * 2), bins = new Float64Array(lanesOf(0)[0].length);
	for (const t of shownThreads()) lanesOf(t)[state.event].forEach((n, i) => { bins[i] += n; });
	const lanes = brushed(el("div", { className: "lanes" }, curve(label(), [...bins], w, 34, "var(--accent)", "mini")), w);
	holder.replaceChildren(lanes, el("div", { className: "row" }, el("span", { className: "soft" }, `${label()} over time; drag to choose a part: every view is of `), el("b", { id: "range" }, range() + (state.thread >= 0 ? `, ${threadName(state.thread)}` : "")),
		picked() ? el("button", { onclick: () => set({ from: 0, to: 1, thread: -1 }, true) }, "whole run") : "", el("span", { className: "soft" }, `0 to ${moment(data.time.end)}`)));
}
function timeline() {
	if (!data.time) return [soft("this profile has no order of time (--exact)")];
	const narrow = innerWidth <= 760, w = room() - (narrow ? 0 : 148), out = [], e = state.event;
	const line = (title, note, ...body) => el("div", { className: "lane" }, el("div", {}, title, note ? el("div", { className: "soft" }, note) : ""), brushed(el("div", { className: "lanes" }, ...body), w));
	const threads = shownThreads(), shown = data.events.map((_, i) => i).filter(i => i === e || state.all || threads.length <= 2 && !data.events[i].label.startsWith("stall"));
	const bar = el("div", { className: "bar-of-tools" }, chooser("thread", [[-1, "all threads"], ...data.time.lanes.map((_, t) => [t, threadName(t)])], state.thread, v => set({ thread: +v }, true)),
		toggle("all events", state.all, v => set({ all: v })), el("span", { className: "soft" }, "drag over a lane to choose a part of the run: every view is of "), el("b", { id: "range" }, range()));
	if (picked()) bar.append(el("button", { onclick: () => set({ from: 0, to: 1, thread: -1 }, true) }, "whole run"));
	for (const t of threads) {
		const lanes = lanesOf(t);
		out.push(el("h2", { className: "thread" }, threadName(t)));
		if (hasStack && lanes[CYCLES].some(Boolean)) out.push(line("CPI stack", "share of each step's cycles", stackLane(t, w, 86)));
		for (const i of shown) if (lanes[i].some(Boolean) || shown.length === 1) {
			const sum = lanes[i].reduce((a, b) => a + b, 0), most = Math.max(...lanes[i]);
			const made = curve(data.events[i].label, lanes[i], w, i === e ? 96 : 44, i === e ? "var(--accent)" : "var(--soft)");
			out.push(tipped(line(data.events[i].label, `${brief(sum)} in all; highest ${brief(most)} in ${moment(data.time.width)}`, made), () => `${data.events[i].label}: ${count(sum)}\nhighest step: ${count(most)} in ${count(data.time.width)} ${data.time.unit}`));
		}
	}
	out.push(line("", "", axis(w)));
	return [bar, ...out, hasStack ? legend(PARTS.filter(p => now().whole[CYCLES] && stackOf(now().whole).some(s => s.name === p[0])).map(p => [p[2], p[1]])) : null,
		soft(`Each thread from its own beginning, in ${data.time.unit === "cycles" ? data.clock ? `seconds of the core at ${data.clock / 1e6} MHz` : "cycles of the core" : "instructions"}.`),
		tables().some(t => !t.steps) ? soft("This profile has too many different places for a part of it to be chosen.") : null];
}
