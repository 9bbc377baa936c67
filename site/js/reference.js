// SPDX-License-Identifier: MIT
// The reference pages, which the generator writes as Markdown, and a search over all of them.
let pages = null;

async function referencePages() {
  pages ??= JSON.parse(new TextDecoder().decode(await inflate("pages")));
  return pages;
}

function inline(text) {
  const out = [];
  for (const piece of text.split(/(`[^`]*`|\*\*[^*]+\*\*|\[[^\]]*\]\([^)]*\))/)) {
    const link = piece.match(/^\[([^\]]*)\]\(([^)]*)\)$/);
    if (piece.startsWith("`") && piece.length > 1) out.push(el("code", {}, piece.slice(1, -1)));
    else if (piece.startsWith("**")) out.push(el("b", {}, piece.slice(2, -2)));
    else if (link) out.push(link[2].endsWith(".md") ? el("a", { href: "#" + ["reference", state.core.name, link[2].replace(/^.*\/|\.md$/g, "")].join("/") }, link[1]) : link[1]);
    else out.push(piece);
  }
  return out;
}

const cells = (line) => line.replace(/^\||\|$/g, "").split("|").map((c) => c.trim());

function markdown(text) {
  const out = [], lines = text.replace(/<!--[^]*?-->/g, "").split("\n");
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i], head = line.match(/^(#+) (.*)/);
    if (head) out.push(el("h" + Math.min(head[1].length + 1, 4), {}, ...inline(head[2])));
    else if (line.startsWith("|") && /^\|[-| :]+\|$/.test(lines[i + 1] || "")) {
      const body = el("tbody"), names = cells(line);
      for (i += 2; i < lines.length && lines[i].startsWith("|"); i++) body.append(el("tr", {}, ...cells(lines[i]).map((c) => el("td", {}, ...inline(c)))));
      i--;
      out.push(el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...names.map((n) => el("th", {}, ...inline(n))))), body)));
    } else if (line.startsWith("* ") || line.startsWith("- ")) out.push(el("li", {}, ...inline(line.slice(2))));
    else if (line.trim()) out.push(el("p", {}, ...inline(line)));
  }
  return out;
}

// The page of a core's events: the one with most of the core's name.
function eventsPage(names, core) {
  const fits = names.filter((n) => n.startsWith("events-") && core.startsWith(n.slice(7)));
  return fits.sort((a, b) => b.length - a.length)[0];
}

async function showReference() {
  const all = await referencePages(), names = Object.keys(all);
  const find = el("input", { type: "search", placeholder: "Search every page", value: state.query.get("find") || "", "aria-label": "Search the reference" });
  const items = el("nav", { class: "list", "aria-label": "Pages" });
  const name = names.includes(state.what) ? state.what : eventsPage(names, state.core.name) || names[0];
  const title = (n) => all[n].match(/^# (.*)/m)?.[1] || n;
  const fill = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hit = (line) => words.every((w) => line.toLowerCase().includes(w));
    items.replaceChildren(...names.flatMap((n) => {
      const lines = words.length ? all[n].split("\n").filter(hit) : [];
      if (words.length && !lines.length) return [];
      return [el("a", { href: "#" + ["reference", state.core.name, n].join("/") + (find.value ? "?find=" + encodeURIComponent(find.value) : ""), class: n === name ? "here" : "" },
        el("b", {}, title(n)), ...lines.slice(0, 3).map((l) => el("span", {}, l.replace(/[|`]/g, " ").slice(0, 120))), lines.length > 3 ? el("span", {}, `${lines.length - 3} more lines`) : null)];
    }));
    if (!items.children.length) items.append(el("p", { class: "quiet" }, "No page has a line with all of these words."));
  };
  find.addEventListener("input", fill);
  fill();
  const article = el("article", { class: "reference" }, ...markdown(all[name]));
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length) for (const row of article.querySelectorAll("tbody tr")) row.classList.toggle("found", words.every((w) => row.textContent.toLowerCase().includes(w)));
  view().replaceChildren(el("div", { class: "columns" }, el("aside", {}, find, items), article));
  article.querySelector(".found")?.scrollIntoView({ block: "center" });
}
