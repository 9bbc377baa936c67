/* The views, the address, the keys. */
const views = [["summary", "Summary", summary], ["functions", "Functions", functions], ["flame", "Flame graph", flame], ["sandwich", "Callers and callees", sandwich],
	["time", "Time", timeline], ["code", "Source and instructions", code], ...(data.accesses ? [["data", "Data", accesses]] : [])];
const defaults = { ...state };
/* Views that are shown before the browser has read the page to its end: they need nothing but the run and its functions. */
const EARLY = ["summary", "functions"];
let arrived = false;
/* For measurements: when the first view was made, when it was drawn, and if the page's last part had been read by then. */
function firstView() {
	const mark = name => performance.mark(name, { detail: { read: $("data-time") !== null } });
	mark("apmu: first view");
	requestAnimationFrame(() => setTimeout(() => mark("apmu: first view drawn")));
}
function show() {
	for (const b of document.querySelectorAll("#views button")) b.ariaPressed = String(b.dataset.view === state.view);
	$("event").value = state.event;
	if ($("find").value !== state.find) $("find").value = state.find;
	$("tip").hidden = true;
	if (!arrived && !EARLY.includes(state.view)) return;
	const held = document.activeElement.matches("#view select, #view input") && document.activeElement.ariaLabel;
	$("view").replaceChildren(...(views.find(v => v[0] === state.view) || views[0])[2]().filter(Boolean));
	if (held) [...document.querySelectorAll("#view select, #view input")].find(e => e.ariaLabel === held)?.focus({ preventScroll: true });
	if (!performance.getEntriesByName("apmu: first view").length) firstView();
	if (arrived) strip();
}
/* Runs when the browser has read the page to its end. */
function arrive() {
	arrived = true;
	readAddress();
	show();
}
/* The address that says what is seen. Functions and events stand in it by name, so that a link holds for another recording of the program. */
function address() {
	const out = new URLSearchParams();
	for (const [key, value] of Object.entries(state)) if (value !== defaults[key] || key === "view")
		out.set(key, key === "event" ? label() : key === "fn" ? nameOf(value) : key === "file" ? data.files[value] : value);
	return "#" + out;
}
/* Changes what is seen; `step`: the Back button undoes the change. */
function set(changes, step) {
	Object.assign(state, changes);
	(step ? history.pushState : history.replaceState).call(history, null, "", address());
	show();
}
function readAddress() {
	const asked = new URLSearchParams(location.hash.slice(1)), numeric = (key, most) => { const n = Number(asked.get(key)); return asked.has(key) && n >= 0 && n <= most() ? n : defaults[key]; };
	Object.assign(state, defaults, {
		view: views.some(v => v[0] === asked.get("view")) ? asked.get("view") : "summary", event: Math.max(0, data.events.findIndex(e => e.label === asked.get("event"))), find: asked.get("find") || "",
		sort: asked.get("sort") || "self", down: asked.get("down") !== "false", zoom: Math.floor(numeric("zoom", () => data.nodes.length - 1)), fn: asked.has("fn") ? data.functions.findIndex(f => f[0] === asked.get("fn")) : -1,
		from: numeric("from", () => 1), to: numeric("to", () => 1), thread: Math.floor(numeric("thread", () => data.threads.length - 1)), colour: asked.get("colour") || "", tree: asked.get("tree") === "up" ? "up" : "down",
		file: asked.has("file") ? data.files.indexOf(asked.get("file")) : -1, all: asked.get("all") === "true"
	});
}
const KEYS = [["1 … " + views.length, "the views"], ["/", "find"], ["e  E", "next, previous event"], ["↑ ↓ ← →", "from box to box of a flame graph"], ["Enter", "open what has the focus"],
	["Esc", "back to the whole: box, then part of the run, then Find"], ["Alt ←", "back"], ["?", "this list"]];
function help() {
	$("keys").replaceChildren(el("h2", {}, "Keys"), el("dl", {}, ...KEYS.flatMap(([key, text]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)])), el("p", {}, el("button", { onclick: () => $("keys").close() }, "Close")));
	$("keys").showModal();
}
function escape() {
	if (state.view === "flame" && state.zoom) set({ zoom: 0 }, true);
	else if (picked()) set({ from: 0, to: 1, thread: -1 }, true);
	else if (state.find) set({ find: "" });
}
onkeydown = event => {
	const typing = event.target.matches?.("input, select, textarea"), n = Number(event.key);
	if (event.key === "Escape" && !$("keys").open) { escape(); if (typing) event.target.blur(); }
	else if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
	else if (event.key === "/") { event.preventDefault(); $("find").focus(); }
	else if (event.key === "?") help();
	else if (event.key === "e" || event.key === "E") set({ event: (state.event + (event.key === "e" ? 1 : E - 1)) % E });
	else if (n >= 1 && n <= views.length) set({ view: views[n - 1][0] }, true);
};
document.title = "apmu: " + base(data.program[0] || "");
$("title").append(base(data.program[0] || ""), el("span", {}, " " + data.program.slice(1).join(" ")));
$("about").append(el("span", { className: "badge", title: "counts come from apmu's model of the core, not from a chip" }, "modelled"), `${data.core}${data.timing ? ` with the timing of ${data.timing}` : ""}, ${data.exact ? "exact counts" : "sampled"}` + (data.before ? ", compared with an older recording" : ""));
for (const [name, title] of views) $("views").append(el("button", { dataset: { view: name }, onclick: () => set({ view: name }, true) }, title));
data.events.forEach((e, i) => $("event").append(option(i, e.label)));
$("event").onchange = event => set({ event: +event.target.value });
$("find").oninput = event => set({ find: event.target.value });
$("help").onclick = help;
let wide = 0;
onresize = () => { if (innerWidth !== wide || state.view === "flame") { wide = innerWidth; show(); } };
onpopstate = () => { readAddress(); show(); };
if (!/[#&](zoom|file|from|to|thread)=/.test(location.hash)) { readAddress(); show(); }
