/* Flame graphs: of the program, inverted, and of one function's callers and callees. A box is
 * { f: function (null: many small ones; -1: the program), w: counts, kids, up, old: an older count }. */
const box = (f, up) => ({ f, up, w: new Float64Array(E), kids: [], old: null });
function child(parent, f) {
	parent.by ??= new Map();
	let made = parent.by.get(f);
	if (!made) { made = box(f, parent); parent.by.set(f, made); parent.kids.push(made); }
	return made;
}
const add = (to, from) => { for (let e = 0; e < E; e++) to[e] += from[e]; };
let planted, plantedFor = null;
/* The program's tree: boxes by number, so that the address can name one. */
function plant() {
	const counts = now();
	if (plantedFor === counts) return planted;
	plantedFor = counts;
	planted = data.nodes.map((n, i) => box(i ? n[1] : -1, null));
	planted.forEach((b, i) => { b.w = row(counts.node, i); b.n = i; if (i) { b.up = planted[data.nodes[i][0]]; b.up.kids.push(b); } });
	if (data.before) liken(planted[0]);
	return planted;
}
/* Finds each box's count in the older recording, by the names on the path to it. */
function liken(root) {
	const d = data.before, name = (x, f) => f === null ? "" : idOf(x, f);
	const below = d.nodes.map(() => new Map()), event = before().event;
	d.nodes.forEach((n, i) => i && below[n[0]].set(name(d, n[1]), i));
	for (const left = [[root, 0]]; left.length;) {
		const [b, i] = left.pop();
		b.old = event.map(e => i < 0 || e < 0 ? 0 : d.nodes[i][2][e]);
		for (const k of b.kids) left.push([k, i < 0 ? -1 : below[i].get(name(data, k.f)) ?? -1]);
	}
}
/* The outermost boxes of a function. */
function outermost(f) {
	const out = [];
	for (const left = [plant()[0]]; left.length;) {
		const b = left.pop();
		if (b.f === f) out.push(b);
		else left.push(...b.kids);
	}
	return out;
}
function callees(f) {
	const root = box(f, null), left = outermost(f).map(b => [b, root]);
	while (left.length) {
		const [from, to] = left.pop();
		add(to.w, from.w);
		for (const k of from.kids) left.push([k, child(to, k.f)]);
	}
	return root;
}
function callers(f) {
	const root = box(f, null);
	for (const b of outermost(f)) climb(root, b.up, b.w);
	return root;
}
const DEEP = 500; /* boxes on top of each other */
function climb(root, from, w) {
	add(root.w, w);
	for (let to = root, up = from, deep = 0; up && up.f !== -1 && deep < DEEP; up = up.up, deep++) add((to = child(to, up.f)).w, w);
}
/* The inverted tree: each box's own count, with its callers below it. */
function inverted() {
	const root = box(-1, null), e = state.event, tree = plant(), least = tree[0].w[e] / 20000;
	for (const b of tree) {
		const self = Float64Array.from(b.w);
		for (const k of b.kids) for (let i = 0; i < E; i++) self[i] = Math.max(0, self[i] - k.w[i]);
		if (b.n && self[e] > least) { const leaf = child(root, b.f); add(root.w, self); climb(leaf, b.up, self); }
	}
	return root;
}

const named = b => b.f !== null && b.f >= 0;
const boxName = b => b.f === -1 ? base(data.program[0] || "all") : nameOf(b.f);
const hue = text => { let h = 7; for (const c of text) h = h * 31 + c.codePointAt(0) | 0; return Math.abs(h); };
const FEW = "var(--few)"; /* boxes without a meaningful value */
const warm = part => `hsl(${Math.round(54 - 50 * part)} ${Math.round(55 + 30 * part)}% ${Math.round(78 - 22 * part)}%)`;
/* What colours can mean: [key, name, colour of a box, legend]. */
function colourings() {
	const list = [], objects = [...new Set(data.functions.map(f => f[1]))], hues = new Map(objects.map((o, i) => [o, (205 + 137 * i) % 360]));
	if (before().has(state.event)) list.push(["change", "change since before", b => {
		const e = state.event, part = Math.max(-1, Math.min(1, (b.w[e] - (b.old?.[e] || 0)) / (plant()[0].w[e] || 1) * 8));
		return Math.abs(part) < 0.002 ? FEW : part > 0 ? `hsl(4 ${Math.round(30 + 55 * part)}% ${Math.round(82 - 26 * part)}%)` : `hsl(212 ${Math.round(30 - 55 * part)}% ${Math.round(82 + 26 * part)}%)`;
	}, [["hsl(4 85% 56%)", "more than before"], [FEW, "the same"], ["hsl(212 85% 56%)", "less"]]]);
	if (CYCLES >= 0 && INSTRUCTIONS >= 0) list.push(["cpi", "cycles per instruction", b => {
		const cpi = ratio(b.w, CYCLES, INSTRUCTIONS);
		return Number.isFinite(cpi) ? warm(Math.min(1, Math.max(0, Math.log2(Math.max(cpi, 0.25) / 0.5) / 4))) : FEW;
	}, [[warm(0), "0.5 or less"], [warm(0.25), "1"], [warm(0.5), "2"], [warm(0.75), "4"], [warm(1), "8 or more"], [FEW, "too few samples"]]]);
	list.push(["object", "object", b => !named(b) ? FEW : `hsl(${hues.get(data.functions[b.f][1])} 52% ${66 + hue(data.functions[b.f][0]) % 12}%)`,
		objects.slice(0, 8).map(o => [`hsl(${hues.get(o)} 52% 70%)`, base(data.objects[o])])]);
	for (const i of rates) list.push(["rate" + i, `${data.events[i].label} per 1000 instructions`, b => {
		const x = ratio(b.w, i, INSTRUCTIONS, 1000);
		return Number.isFinite(x) ? warm(Math.min(1, Math.log2(1 + x) / 6)) : FEW;
	}, [[warm(0), "0"], [warm(Math.log2(3) / 6), "2"], [warm(Math.log2(11) / 6), "10"], [warm(1), "63 or more"]]]);
	return list;
}
const colouring = () => colourings().find(c => c[0] === state.colour) || colourings()[0];
function boxTip(b, all) {
	const e = state.event, text = [boxName(b), `${count(b.w[e])} ${label()}, ${percent(b.w[e], all)}`], cpi = ratio(b.w, CYCLES, INSTRUCTIONS);
	if (b.old && before().has(e)) text.push(`before: ${count(b.old[e])} (${signed(b.w[e] - b.old[e]) || "the same"})`);
	if (Number.isFinite(cpi)) text.push(`CPI ${digits(cpi)}`);
	if (hasStack && b.w[CYCLES]) text.push(stackOf(b.w).sort((x, y) => y.cycles - x.cycles).slice(0, 3).map(p => `${p.title} ${rounded(p.cycles, b.w[CYCLES])}`).join(", "));
	if (named(b)) text.push(base(objectOf(b.f)));
	return text.join("\n");
}
/* Draws a tree from a box on, with the boxes above it as full rows; `act(box)` handles a click. Returns { made, cut }. */
function draw(from, { id, up = false, tall, act, all, wide = room() }) {
	const e = state.event, made = el("div", { className: "flame", id }), [, , colour] = colouring(), path = [], flat = [];
	let deepest = 0, cut = false;
	for (let b = from.up; b; b = b.up) path.unshift(b);
	path.splice(1, path.length - 1 - DEEP); /* the program and the nearest callers */
	path.forEach((b, depth) => flat.push([b, 0, wide, depth, "above"]));
	for (const left = [[from, 0, wide, path.length]]; left.length;) { /* no recursion: a program's calls may nest deeper than a browser's stack allows */
		const [b, x, w, depth] = left.pop(), below = [];
		if (w < 0.7) continue;
		if (depth - path.length >= DEEP) { cut = true; continue; }
		flat.push([b, x, w, depth, ""]);
		let at = x;
		for (const k of b.kids.slice().sort((p, q) => q.w[e] - p.w[e])) {
			const part = b.w[e] ? w * k.w[e] / b.w[e] : 0;
			below.push([k, at, part, depth + 1]);
			at += part;
		}
		left.push(...below.reverse());
	}
	for (const f of flat) deepest = Math.max(deepest, f[3]);
	const high = Math.max(17, Math.min(40, Math.floor(tall / (deepest + 1))));
	for (const [b, x, w, depth, css] of flat) {
		const dim = state.find && !(b.f !== -1 && found(b.f)), one = el("div", { className: css + (dim && !css ? "dim" : ""), role: "button", ariaLabel: boxTip(b, all).replaceAll("\n", ", ") }, w > 26 ? boxName(b) : "");
		Object.assign(one.style, { left: 100 * x / wide + "%", width: 100 * w / wide + "%", height: high + "px", lineHeight: high - 1 + "px", background: colour(b), [up ? "bottom" : "top"]: depth * high + "px" });
		made.append(press(tipped(one, () => boxTip(b, all)), event => act(b, event)));
	}
	made.style.height = (deepest + 1) * high + "px";
	made.addEventListener("keydown", arrows);
	return { made, cut };
}
/* Arrow keys move the focus to the nearest box in that direction. */
function arrows(event) {
	const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key], from = event.target.getBoundingClientRect();
	if (!way) return;
	event.preventDefault();
	let best = null, least = Infinity;
	for (const b of event.currentTarget.children) {
		const r = b.getBoundingClientRect(), dx = r.left - from.left, dy = r.top - from.top;
		if (b === event.target || (way[1] ? Math.sign(Math.round(dy)) !== way[1] : Math.abs(dy) > 2 || Math.sign(dx) !== way[0])) continue;
		const far = way[1] ? Math.abs(dy) * 1000 + (r.left <= from.left + 1 && r.right > from.left ? 0 : Math.abs(dx)) : Math.abs(dx);
		if (far < least) { least = far; best = b; }
	}
	best?.focus();
}
const tools = () => el("div", { className: "bar-of-tools" }, chooser("colour", colourings().map(c => [c[0], c[1]]), colouring()[0], v => set({ colour: v })));
/* Count of the functions that match Find: outermost boxes alone, so that recursion counts once. */
function share(root) {
	let sum = 0;
	for (const left = [root]; left.length;) {
		const b = left.pop();
		if (b.f !== -1 && found(b.f)) sum += b.w[state.event];
		else left.push(...b.kids);
	}
	return sum;
}
const tallest = taken => Math.max(160, innerHeight - taken - $("view").getBoundingClientRect().top - scrollY);
function flame() {
	const tree = plant(), e = state.event, turned = state.tree === "up", root = turned ? inverted() : tree[0], from = turned ? root : tree[state.zoom] || tree[0];
	if (!root.w[e]) return [soft(none())];
	const { made, cut } = draw(from, { id: "flame", tall: tallest(150), all: whole(), act: b => turned ? named(b) && openSandwich(b.f) : zoom(b.n) });
	const bar = tools(), says = soft(turned ? "what takes the time on top, its callers below it; click for a function's callers and callees" :
		"callers above what they call; width is the count; click to look closer, Escape for the whole program");
	bar.append(chooser("order", [["down", "callers first"], ["up", "callees first (inverted)"]], state.tree, v => set({ tree: v })));
	if (named(from) && !turned) bar.append(el("button", { onclick: () => openSandwich(from.f) }, "callers and callees"), el("button", { onclick: () => openCode(from.f) }, "source and instructions"));
	if (cut) says.append(`; deeper than ${DEEP} calls: click the lowest box for what is below`);
	if (state.find) says.append(el("b", {}, `; found: ${percent(share(tree[0]), whole())}`));
	return [bar, says, made, legend(colouring()[3]), data.chains ? null : soft("recorded without call chains (record -g): functions stand side by side")];
}
function zoom(n) {
	set({ zoom: n }, true);
	document.querySelector("#flame div:not(.above)")?.focus({ preventScroll: true });
}
/* The chosen function, or else the one with the largest own count of the event. */
function shownFunction() {
	const self = f => now().self[f * E + state.event];
	if (state.fn >= 0 && state.fn < F) return state.fn;
	return data.functions.reduce((best, _, f) => self(f) > (best < 0 ? 0 : self(best)) ? f : best, -1);
}
function functionList(f, act) {
	const total = i => now().total[i * E + state.event], list = data.functions.map((_, i) => i).filter(i => total(i) || i === f).sort((a, b) => total(b) - total(a)).slice(0, MOST);
	if (!list.includes(f)) list.unshift(f);
	return chooser("function", list.map(i => [i, `${nameOf(i)}  (${base(objectOf(i))})`]), f, v => act(+v));
}
function sandwich() {
	const f = shownFunction(), e = state.event;
	if (f < 0) return [soft(none())];
	const up = callers(f), down = callees(f), tall = tallest(240) / 2, act = b => named(b) && openSandwich(b.f);
	const bar = tools(), self = now().self[f * E + e], total = now().total[f * E + e], rest = total - down.w[e];
	bar.prepend(functionList(f, openSandwich));
	bar.append(el("button", { onclick: () => openCode(f) }, "source and instructions"));
	const stack = row(now().self, f);
	return [bar, soft(`${nameOf(f)}: ${percent(total, whole())} of ${label()} with what it calls, ${percent(self, whole())} itself` +
		(rest > total / 1000 ? `; ${percent(rest, whole())} are in boxes that are too small for this page` : "")),
		hasStack && stack[CYCLES] ? stackBar(stack, true) : null, el("h2", {}, "Callers"), draw(up, { id: "callers", up: true, tall, act, all: whole() }).made,
		el("h2", {}, "Callees"), draw(down, { id: "callees", tall, act, all: whole() }).made, legend(colouring()[3])];
}
