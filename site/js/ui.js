// SPDX-License-Identifier: MIT
// Elements, numbers, the address bar.
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  node.append(...children.flat().filter((c) => c != null));
  return node;
}

const view = () => document.getElementById("view");
const hex = (value, bits = 32) => "0x" + BigInt.asUintN(64, value).toString(16).toUpperCase().padStart(bits / 4, "0");

// "5", "0x40", "0b11", "1<<31", with separators; null if it is none.
function number(text) {
  const plain = text.trim().replace(/[_,']/g, "");
  const shift = plain.match(/^(\d+)\s*<<\s*(\d+)$/);
  try {
    if (shift) return BigInt(shift[1]) << BigInt(shift[2]);
    return plain === "" ? null : BigInt(plain);
  } catch {
    return null;
  }
}

const grouped = (value) => value.toString().replace(/\B(?=(\d{3})+$)/g, ",");

function copyButton(text) {
  const button = el("button", { class: "copy", type: "button", title: "Copy", "aria-label": `Copy ${text}` }, text);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = el("textarea", {}, text);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.classList.add("copied");
    setTimeout(() => button.classList.remove("copied"), 900);
  });
  return button;
}

// The address: #tab/core/what?name=value&...
const state = { tab: "registers", core: null, what: "", query: new URLSearchParams() };

function readAddress() {
  const [path, query] = location.hash.slice(1).split("?");
  const [tab, core, ...what] = path.split("/").map(decodeURIComponent);
  state.tab = tabs[tab] ? tab : "registers";
  state.core = (core && findCore(core)) || state.core || findCore("cortex-a53");
  state.what = what.join("/");
  state.query = new URLSearchParams(query || "");
}

function address(change = {}) {
  const to = { tab: state.tab, core: state.core, what: state.what, query: state.query, ...change };
  const query = new URLSearchParams(to.query).toString();
  return "#" + [to.tab, to.core.name, to.what].filter(Boolean).map(encodeURIComponent).join("/") + (query ? "?" + query : "");
}

function go(change) {
  const to = address(change);
  if (to === location.hash) show();
  else location.hash = to;
}

// Puts what is on the page into the address without a step in the history.
function keep(change) {
  Object.assign(state, change);
  history.replaceState(null, "", address());
}
