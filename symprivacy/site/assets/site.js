"use strict";
// Everything works from file://: data come as scripts that set a name on window, nothing is fetched.
(function () {
  const root = document.body.dataset.root;
  const $ = (id) => document.getElementById(id);
  const element = (name, text) => { const e = document.createElement(name); if (text !== undefined) e.textContent = text; return e; };
  const wide = matchMedia("(min-width: 60rem)");
  const menu = document.querySelector(".menu");
  const unfold = () => { menu.open = wide.matches; };
  wide.addEventListener("change", unfold); unfold();

  document.querySelectorAll(".copy").forEach((box) => {
    const button = element("button", "copy");
    button.type = "button";
    button.addEventListener("click", () => {
      const text = box.querySelector("pre").textContent;
      const done = () => { button.textContent = "copied"; setTimeout(() => { button.textContent = "copy"; }, 1500); };
      const select = () => { getSelection().selectAllChildren(box.querySelector("pre")); document.execCommand("copy"); done(); };
      if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, select); else select();
    });
    box.append(button);
  });

  // What scrolls is reached by keyboard.
  const scrolling = () => document.querySelectorAll(".says, .scroll").forEach((box) => {
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
    else if (!box.hasAttribute("role")) box.removeAttribute("tabindex");
  });
  addEventListener("resize", scrolling); scrolling();

  // The search of the start page; words in any order, those in a title count most.
  if (window.SEARCH && $("hits")) {
    const field = $("query");
    const show = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      $("hits").replaceChildren();
      $("start").hidden = words.length > 0;
      if (!words.length) { $("count").textContent = ""; return; }
      const found = [];
      for (const [title, path, kind, about, text] of window.SEARCH) {
        const head = title.toLowerCase(), all = `${head} ${kind} ${path} ${about} ${text}`.toLowerCase();
        if (!words.every((w) => all.includes(w))) continue;
        const parts = head.split(/[^a-z0-9.]+/);
        const score = words.reduce((s, w) => s + (head === w ? 20 : parts.includes(w) ? 6 : head.includes(w) ? 3 : 1), 0)
          + (kind === "notion" ? 2 : 0) - title.length / 40;
        found.push([score, title, path, kind, about]);
      }
      found.sort((a, b) => b[0] - a[0] || (a[1] < b[1] ? -1 : 1));
      $("count").textContent = `${found.length} page${found.length === 1 ? "" : "s"} found` + (found.length > 40 ? ", the first 40 shown" : "");
      for (const [, title, path, kind, about] of found.slice(0, 40)) {
        const item = element("li"), link = element("a", title);
        link.href = root + path;
        item.append(link, element("span", kind + (about ? ": " + about : "")));
        $("hits").append(item);
      }
    };
    field.value = new URLSearchParams(location.search).get("q") || "";
    field.addEventListener("input", show);
    show();
  }

  // Filters of the ledger: rows carry what is chosen by, the address carries the choice.
  const rows = document.querySelectorAll("[data-claim]");
  if (rows.length) {
    const names = ["paper", "verdict", "evidence", "notion", "principle", "text"];
    const apply = (keep) => {
      const want = Object.fromEntries(names.map((n) => [n, $("f-" + n).value]));
      const words = want.text.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row) => {
        const has = (n) => !want[n] || (" " + row.dataset[n] + " ").includes(" " + want[n] + " ");
        const fits = names.slice(0, -1).every(has) && words.every((w) => row.dataset.text.includes(w));
        row.hidden = !fits;
        shown += fits;
      });
      // A statement at the very place that was typed comes before those that mention it.
      const first = (row) => words.length && row.dataset.where.startsWith(words.join(" ")) ? 0 : 1;
      [...rows].map((row, k) => [first(row), k, row]).sort((a, b) => a[0] - b[0] || a[1] - b[1])
        .forEach(([, , row], k, all) => { if (row.previousElementSibling !== (k ? all[k - 1][2] : null)) row.parentNode.insertBefore(row, k ? all[k - 1][2].nextSibling : row.parentNode.firstChild); });
      $("shown").textContent = `${shown} of ${rows.length} claims`;
      if (keep) {
        const state = new URLSearchParams(names.filter((n) => want[n]).map((n) => [n, want[n]])).toString();
        try { history.replaceState(null, "", state ? "#" + state : "#"); } catch (e) { /* file:// may refuse */ }
      }
    };
    const read = () => {
      const given = new URLSearchParams(location.hash.slice(1));
      names.forEach((n) => { $("f-" + n).value = given.get(n) || ""; });
      apply(false);
    };
    names.forEach((n) => $("f-" + n).addEventListener("input", () => apply(true)));
    window.addEventListener("hashchange", read);
    read();
  }

  // What tells one notion from another.
  if ($("apart")) {
    const told = JSON.parse($("told").dataset.told);
    const show = (keep) => {
      const a = $("has").value, b = $("hasnot").value, family = told[`${a}-${b}`];
      const pair = element("a", `${a} ${family ? "⇏" : "⟹"} ${b}`);
      pair.href = `${root}pairs/${a}-${b}.html`;
      $("told").replaceChildren(pair);
      if (!family) $("told").append(": not one of the impossible pairs; its page says what follows.");
      else { const link = element("a", family); link.href = "#" + family; $("told").append(": the family ", link, " has the one and no level of the other."); }
      if (keep) try { history.replaceState(null, "", `#has=${a}&hasnot=${b}`); } catch (e) { /* file:// may refuse */ }
    };
    const read = () => {
      const given = new URLSearchParams(location.hash.slice(1));
      for (const name of ["has", "hasnot"]) if (given.get(name)) $(name).value = given.get(name);
      show(false);
    };
    ["has", "hasnot"].forEach((name) => $(name).addEventListener("input", () => show(true)));
    $("apart").addEventListener("submit", (event) => event.preventDefault());
    window.addEventListener("hashchange", read);
    read();
  }

  // The matrix by arrow keys.
  const table = document.querySelector(".matrix");
  if (table) table.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const cell = event.target.closest("td");
    if (!step || !cell) return;
    const row = table.rows[cell.parentNode.rowIndex + step[0]], next = row && row.cells[cell.cellIndex + step[1]];
    const link = next && next.querySelector("a");
    if (link) { event.preventDefault(); link.focus(); }
  });

  // The graph: a path from A to B through the arrows that are drawn, and one dimension at a time.
  if (window.GRAPH && $("path")) {
    const { groups, arrows, pairs } = window.GRAPH;
    const home = (key) => groups.findIndex((group) => group.includes(key));
    const between = (a, b) => {
      const before = new Map([[home(a), null]]), queue = [home(a)];
      while (queue.length && !before.has(home(b))) {
        const here = queue.shift();
        for (const [x, y] of arrows) if (x === here && !before.has(y)) { before.set(y, here); queue.push(y); }
      }
      if (!before.has(home(b))) return null;
      const way = [];
      for (let k = home(b); k !== null; k = before.get(k)) way.unshift(k);
      return [a, ...way.slice(1, -1).map((k) => groups[k].find((key) => pairs[`${key}-${key}`]) || groups[k][0]), b]
        .filter((key, k, all) => k === 0 || key !== all[k - 1]);
    };
    const link = (a, b) => { const e = element("a", `${a} ⟹ ${b}`); e.href = `${root}pairs/${a}-${b}.html`; return e; };
    const show = (keep) => {
      const a = $("from").value, b = $("to").value, letter = $("dimension").value, route = $("route");
      const said = pairs[`${a}-${b}`], way = a === b ? null : between(a, b);
      route.replaceChildren(link(a, b), ` ${said}. `);
      if (way && way.length > 2) way.slice(1).forEach((key, k) => route.append(k ? "; " : "Step by step: ", link(way[k], key)));
      document.querySelectorAll("[data-letters]").forEach((card) => {
        card.hidden = letter && !card.dataset.letters.split(" ").some((own) => own.includes(letter));
      });
      document.querySelectorAll("svg [data-key]").forEach((name) => { name.classList.toggle("on", [a, b, ...(way || [])].includes(name.dataset.key)); });
      if (keep) try { history.replaceState(null, "", "#" + new URLSearchParams({ from: a, to: b, ...(letter && { dimension: letter }) })); } catch (e) { /* file:// may refuse */ }
    };
    const read = () => {
      const given = new URLSearchParams(location.hash.slice(1));
      for (const name of ["from", "to", "dimension"]) if (given.get(name)) $(name).value = given.get(name);
      show(false);
    };
    ["from", "to", "dimension"].forEach((name) => $(name).addEventListener("input", () => show(true)));
    $("path").addEventListener("submit", (event) => event.preventDefault());
    window.addEventListener("hashchange", read);
    read();
  }

  // The converter: the slider moves over the points at which levels were computed, so that nothing is interpolated.
  if (window.GRID && $("source")) {
    const source = $("source"), slider = $("point"), second = $("second");
    // A notion with one more parameter that can be chosen: its values, of which the usual one is chosen first.
    const offer = (place) => {
      const own = window.GRID[source.value].second;
      $("more").hidden = !own;
      second.replaceChildren();
      if (!own) return;
      $("secondname").textContent = own.name;
      for (const value of Object.keys(own.at)) second.append(new Option(value, value));
      second.value = own.at[place] ? place : own.start;
    };
    const show = (keep) => {
      const own = window.GRID[source.value], k = Math.min(+slider.value, own.places.length - 1);
      const levels = own.second ? own.second.at[second.value] : own.levels;
      slider.max = own.places.length - 1;
      $("given").textContent = `${own.level} = ${own.places[k]}` + (own.second ? `, ${own.second.name} = ${second.value}` : "") + (own.fixed ? `, ${own.fixed}` : "");
      slider.setAttribute("aria-valuetext", `${own.level} = ${own.places[k]}`);
      for (const row of document.querySelectorAll("[data-target]")) {
        const key = row.dataset.key, [status, lo, hi] = levels[row.dataset.target][k];
        row.hidden = key === source.value;
        row.querySelector(".status").textContent = status;
        row.querySelector(".status").className = "status tag " + status;
        row.querySelector(".lo").textContent = lo;
        row.querySelector(".hi").textContent = hi;
        row.querySelector("a.why").href = `${root}pairs/${source.value}-${key}.html`;
      }
      if (keep) try { history.replaceState(null, "", `#${source.value}=${own.places[k]}` + (own.second ? `&${own.second.name}=${second.value}` : "")); } catch (e) { /* file:// may refuse */ }
    };
    const read = () => {
      const [[key, place], more] = decodeURIComponent(location.hash.slice(1)).split("&").map((part) => part.split("="));
      if (window.GRID[key]) source.value = key;
      offer(more && more[1]);
      const own = window.GRID[source.value], at = own.places.indexOf(place);
      slider.max = own.places.length - 1;
      slider.value = at >= 0 ? at : own.start;
      show(false);
    };
    second.addEventListener("change", () => show(true));
    source.addEventListener("change", () => { offer(); slider.max = 99; slider.value = window.GRID[source.value].start; show(true); });
    slider.addEventListener("input", () => show(true));
    window.addEventListener("hashchange", read);
    read();
  }
})();
