"use strict";
// The page "Try it": a worker holds Python and the package; one that takes too long is ended and begun anew.
(function () {
  const $ = (id) => document.getElementById(id);
  const ready = $("ready"), forms = [...document.querySelectorAll("form[data-words]")], stop = $("stop");
  const LIMIT = 120, LARGEST = 20e6;
  let worker = null, clock = null, asked = null;
  const able = (on) => forms.forEach((form) => { form.querySelector("button").disabled = !on; });
  const say = (text) => { ready.textContent = text; };
  // A command in the address is put into its field, and run only when somebody says so.
  const given = new URLSearchParams(location.hash.slice(1)).get("run");
  if (given) $("any").value = given;
  able(false);
  if (!ready.dataset.bundled) return say("These pages were built without the program. With it: symprivacy site OUT --serve");
  if (location.protocol === "file:") return say("Browsers run programs only from a server. On this machine: symprivacy site OUT --serve");

  const show = (text, code) => {
    clearTimeout(clock);
    stop.disabled = true;
    asked.lastChild.textContent = text || "no answer";
    asked.dataset.code = code;
  };
  const begin = () => {
    say("Loading Python and the package, about 28 MB the first time ...");
    worker = new Worker("assets/live-worker.js", { type: "module" });
    worker.onmessage = ({ data }) => {
      if (data.ready) { say("Ready."); able(true); return; }
      if (data.failed) { say("The program cannot be loaded: " + data.failed); return; }
      show(data.text, data.code);
      able(true);
    };
    worker.onerror = (event) => { say("The program cannot be loaded: " + event.message); };
  };
  const end = (why) => {
    worker.terminate();
    show(why, -1);
    begin();
  };
  const ask = (line, words, files) => {
    const box = document.createElement("article"), head = document.createElement("p"), code = document.createElement("code"), pre = document.createElement("pre");
    box.className = "card";
    code.textContent = line;
    head.append(code);
    pre.tabIndex = 0;
    pre.textContent = "...";
    box.append(head, pre);
    $("log").prepend(box);
    asked = box;
    able(false);
    stop.disabled = false;
    clock = setTimeout(() => end(`No answer within ${LIMIT} seconds; on the command line there is more time.`), LIMIT * 1000);
    worker.postMessage({ line, words, files });
    $("answers").scrollIntoView({ block: "nearest" });
  };
  const quoted = (word) => /^[\w@%+=:,.\/-]+$/.test(word) ? word : `"${word}"`;
  const command = (words) => ["symprivacy", ...words].map(quoted).join(" ");
  stop.addEventListener("click", () => end("Stopped."));
  forms.forEach((form) => form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const field = (name) => form.elements[name].value.trim(), kind = form.dataset.words;
    if (kind === "any") return ask(field("line"), null, {});
    if (kind === "check") {
      const file = form.elements.file.files[0];
      if (file.size > LARGEST) return say(`A file of at most ${LARGEST / 1e6} MB can be checked here.`);
      return ask(command(["check", "given.json"]), ["check", "given.json"], { "given.json": new Uint8Array(await file.arrayBuffer()) });
    }
    const words = {
      prove: () => ["prove", field("statement"), "--on", field("domain")],
      convert: () => ["convert", field("from"), field("to"), "--at", ...field("at").split(/[\s,]+/), "--digits", field("digits")],
      derive: () => ["derive", field("from"), field("to")],
    }[kind]();
    ask(command(words), words, {});
  }));
  begin();
})();
