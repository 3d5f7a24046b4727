// The script of `corpusprep browse`: sliders that count while they move, the two keys of the audit sheet, and how long a
// query takes.
// All pages work without it. Text from the server is only ever set as text.
"use strict";

document.documentElement.classList.add("scripted");

// Asks the server what the values of a form give, shortly after each change, and shows it. Returns what asks at once.
function startCounting(form, show) {
  const summary = document.getElementById("summary");
  let waiting = 0;
  let announcing = 0;
  let asked = null;

  // A screen reader hears where a slider has come to rest, not each step on its way.
  function announce(text) {
    clearTimeout(announcing);
    announcing = setTimeout(() => { summary.textContent = text; }, 250);
  }

  async function count(further = {}) {
    clearTimeout(waiting);
    if (asked) asked.abort();
    asked = new AbortController();
    const query = new URLSearchParams(new FormData(form));
    for (const box of form.querySelectorAll("input[type=checkbox]")) query.set(box.name, box.checked ? "1" : "0");
    for (const [name, value] of Object.entries(further)) query.set(name, value);
    try {
      const response = await fetch(`${form.dataset.count}?${query}`, { signal: asked.signal });
      const answer = await response.json();
      if (answer.error) {
        announce(answer.error);
      } else {
        document.getElementById("config").textContent = answer.config;
        document.getElementById("recut").textContent = answer.recut;
        show(answer);
        announce(answer.summary);
      }
    } catch (error) {
      if (error.name !== "AbortError") announce("The server does not answer any more; start corpusprep browse again.");
    }
  }

  form.addEventListener("input", (event) => {
    const from = event.target;
    const other = document.getElementById(from.dataset.number || from.dataset.range || "");
    if (other && from.value !== "") other.value = from.value;
    clearTimeout(waiting);
    waiting = setTimeout(() => count(), 40);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    count();
  });
  return count;
}

function startSliders(form) {
  const blocks = [...document.querySelectorAll(".block.tried")];
  const pages = [...document.querySelectorAll("details.page")];
  const whole = document.getElementById("whole");

  function show(answer) {
    answer.reasons.forEach((reason, place) => {
      const block = blocks[place];
      const changed = Boolean(answer.changed[place]);
      block.classList.toggle("kept", reason === "");
      block.classList.toggle("removed", reason !== "");
      block.classList.toggle("changed", changed);
      block.querySelector(".reason").textContent = (reason || "kept") + (changed ? ", changed" : "");
    });
    pages.forEach(fold);
  }

  // A page unfolds with its first change, and folds with its last one; in between it is as the user wants it.
  function fold(page) {
    const all = page.querySelectorAll(".block.tried").length;
    const changes = page.querySelectorAll(".block.changed").length;
    const counted = page.querySelector(".changes");
    const before = counted.textContent !== "no change";
    counted.textContent = changes ? `${changes} of ${all} blocks change` : "no change";
    if (before !== changes > 0) page.open = changes > 0 || whole.checked;
  }

  whole.addEventListener("change", () => {
    for (const page of pages) page.open = whole.checked || page.querySelector(".block.changed") !== null;
  });
  startCounting(form, show);
}

// The numbers follow a slider at once; the documents near its threshold, when it has come to rest.
function startFilter(form) {
  const notes = [...form.querySelectorAll(".does")];
  const sides = [...document.querySelectorAll(".side")];
  const near = document.getElementById("near");
  const made = document.getElementById("near-document");
  let resting = 0;

  function shown(one, refused) {
    const block = made.content.cloneNode(true).querySelector("p");
    block.classList.toggle("kept", !refused);
    block.classList.toggle("removed", refused);
    const page = block.querySelector("a");
    page.href = one.page;
    page.firstElementChild.textContent = one.title;
    block.querySelector(".url").textContent = one.url;
    block.querySelector(".beginning").textContent = one.text;
    block.querySelector(".reason").textContent = one.about;
    return block;
  }

  const count = startCounting(form, (answer) => {
    answer.notes.forEach((text, place) => { notes[place].textContent = text; });
    (answer.sides || []).forEach((side, place) => {
      sides[place].replaceChildren(...side.documents.map((one) => shown(one, side.refused)));
    });
  });
  function moved(event) {
    const number = event.target.dataset.range ? event.target : document.getElementById(event.target.dataset.number || "");
    if (number) near.value = number.name;
    clearTimeout(resting);
    resting = setTimeout(() => count({ pages: "1" }), 300);
  }
  form.addEventListener("input", moved);
  near.addEventListener("change", moved); // which stands outside of the form
}

function startKeys(form) {
  const wanted = document.getElementById("keys");
  wanted.checked = sessionStorage.getItem("keys") !== "off";
  wanted.addEventListener("change", () => sessionStorage.setItem("keys", wanted.checked ? "on" : "off"));
  document.addEventListener("keydown", (event) => {
    const writing = event.target.matches("input:not([type=checkbox]), select, textarea");
    if (!wanted.checked || writing || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    const button = form.querySelector(`button[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
    if (button) form.requestSubmit(button);
  });
}

// Says after a second that a query runs; the seconds, and how much is done, are for the eye only.
function startWaiting(form) {
  function wait() {
    const said = document.createElement("p");
    said.className = "note waiting";
    said.setAttribute("role", "status");
    const seconds = document.createElement("span");
    seconds.setAttribute("aria-hidden", "true");
    form.after(said);
    const begun = Date.now();
    let done = "";
    const timer = setInterval(() => {
      if (!said.firstChild) said.append("Counting; leaving this page ends it. ", seconds);
      seconds.textContent = `${Math.round((Date.now() - begun) / 1000)} s${done && `; ${done}`}`;
      fetch("done").then((response) => response.json()).then((answer) => { done = answer.done; }).catch(() => {});
    }, 1000);
    addEventListener("pagehide", () => { clearInterval(timer); said.remove(); }, { once: true });
  }

  form.addEventListener("submit", wait);
  for (const link of document.querySelectorAll("a.counts, a[rel=next], a[rel=prev]")) {
    link.addEventListener("click", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) wait();
    });
  }
}

const sliders = document.getElementById("sliders");
if (sliders) startSliders(sliders);
const filter = document.getElementById("filter");
if (filter) startFilter(filter);
const judge = document.getElementById("judge");
if (judge) startKeys(judge);
document.querySelectorAll("form.query").forEach(startWaiting);
