/* Pieces that the views are made of. */
function el(tag, props, ...inside) {
	const made = document.createElement(tag);
	for (const key in props)
		if (key === "style") for (const name in props.style) made.style.setProperty(name, props.style[name]);
		else if (key === "dataset") Object.assign(made.dataset, props.dataset);
		else made[key] = props[key];
	made.append(...inside.flat().filter(x => x !== null && x !== undefined && x !== false));
	return made;
}
const soft = (...text) => el("p", { className: "soft" }, ...text);
const cell = (text, css, title) => el("td", title ? { className: css || "", title } : css ? { className: css } : null, text);
const number = (n, css) => cell(n ? count(n) : "", (css || "") + (n ? "" : " zero"));
const figure = (x, css) => cell(digits(x), (css || "") + (x === 0 ? " zero" : ""));
/* Makes an element clickable; Enter and the space bar act as a click. */
function press(made, act) {
	made.tabIndex = 0;
	made.onclick = act;
	made.addEventListener("keydown", event => {
		if (event.target !== made || event.key !== "Enter" && event.key !== " ") return;
		event.preventDefault();
		act(event);
	});
	return made;
}
/* A bar with two parts: thick for a function's own share, thin for its share with what it calls. */
function gauge(self, total, of, css) {
	const width = n => of ? Math.min(100, 100 * n / of) + "%" : "0";
	return el("td", { className: "gauge " + (css || ""), title: `${percent(self, of)} itself, ${percent(total, of)} with what it calls` },
		el("i", { style: { width: width(self) } }), el("b", { style: { width: width(total) } }));
}
function stackBar(w, thin) {
	const all = w[CYCLES];
	return el("div", { className: "stack" + (thin ? " thin" : ""), role: "img", ariaLabel: stackOf(w).map(p => `${p.title} ${rounded(p.cycles, all)}`).join(", ") },
		...stackOf(w).map(p => tipped(el("i", { style: { width: 100 * p.cycles / all + "%", background: p.colour } }, !thin && p.cycles > 0.06 * all ? rounded(p.cycles, all) : ""),
			() => `${p.title}: ${count(p.cycles)} cycles, ${percent(p.cycles, all)}\n${rounded(p.cycles, all)} of the cycles ${p.wait}`)));
}
const legend = parts => el("div", { className: "legend" }, ...parts.map(([colour, title]) => el("span", {}, el("i", { style: { background: colour } }), title)));
/* A text beside the pointer, or at what has the focus. */
function tipped(made, text) {
	const put = (x, y) => {
		const tip = $("tip");
		tip.textContent = text();
		tip.hidden = false;
		tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 8)) + "px";
		tip.style.top = Math.max(4, y + 18 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 10 : y + 18) + "px";
	};
	made.onpointermove = event => put(event.clientX, event.clientY);
	made.onfocus = () => made.matches(":focus-visible") && put(made.getBoundingClientRect().left, made.getBoundingClientRect().bottom - 12);
	made.onpointerleave = made.onblur = () => { $("tip").hidden = true; };
	return made;
}
function sorter(key, title, text) {
	return el("button", {
		title: "sort by this", onclick: () => {
			set({ down: state.sort === key ? !state.down : !text, sort: key }, true);
			[...document.querySelectorAll("th button")].find(b => b.textContent.startsWith(title))?.focus();
		}
	}, title + (state.sort === key ? state.down ? " ▾" : " ▴" : ""));
}
/* [key or "", title, class, what it means] */
function head(columns) {
	return el("thead", {}, el("tr", {}, ...columns.map(([key, title, css, means]) => {
		const made = el("th", { className: css || "", scope: "col", title: means || "" }, key ? sorter(key, title, (css || "").includes("text")) : title);
		if (key && state.sort === key) made.ariaSort = state.down ? "descending" : "ascending";
		return made;
	})));
}
function sorted(rows, key) {
	const at = new Map(rows.map(r => [r, key(r)])), value = x => typeof x === "number" && Number.isNaN(x) ? -1 : x;
	return rows.sort((a, b) => { const x = value(at.get(a)), y = value(at.get(b)); return (x < y ? -1 : x > y ? 1 : 0) * (state.down ? -1 : 1); });
}
const MOST = 1000, AT_ONCE = 60;
/* Fills a table: at once as many rows as a window shows, the others afterwards, piece by piece. */
function fill(body, rows, make) {
	let at = 0;
	const some = () => {
		body.append(...rows.slice(at, at += AT_ONCE).map(make));
		if (at < rows.length) setTimeout(() => arrived && body.isConnected && some());
	};
	some();
	return body;
}
const more = rows => rows.length > MOST ? soft(`${count(rows.length - MOST)} more; narrow them with Find`) : null;
const room = () => { const s = getComputedStyle($("view")); return Math.max(280, $("view").clientWidth - parseFloat(s.paddingLeft) - parseFloat(s.paddingRight)); };
const option = (value, text, on) => el("option", { value, selected: on }, text);
const chooser = (name, list, at, act) => el("label", {}, name + " ", el("select", { ariaLabel: name, onchange: event => act(event.target.value) },
	...list.map(([value, text]) => option(value, text, String(value) === String(at)))));
const toggle = (text, on, act) => el("label", {}, el("input", { type: "checkbox", ariaLabel: text, checked: on, onchange: event => act(event.target.checked) }), " " + text);
const none = () => state.find ? `no function matches "${state.find}"` : picked() ? "nothing was sampled of this event in this part of the run" : "nothing was sampled of this event";
