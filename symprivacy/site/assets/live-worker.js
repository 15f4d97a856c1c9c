// Python in a worker of its own: the page stays alive while it works, and nothing is fetched but the files beside it.
import { loadPyodide } from "../live/pyodide.mjs";

const beside = (name) => new URL(`../live/${name}`, import.meta.url).href;
const bytes = async (name) => new Uint8Array(await (await fetch(beside(name))).arrayBuffer());
const RUN = `
import contextlib, io, shlex
from symprivacy.cli.main import run

def answer(line, words):
    told = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        try:
            if words is None:
                words = shlex.split(line)
                words = words[1:] if words[:1] == ["symprivacy"] else words
            code = run(list(words))
        except ValueError as error:
            code = 2
            print(f"cannot read the command: {error}")
        except SystemExit as end:
            code = end.code or 0
    return told.getvalue(), code
`;
let answer;
const ready = (async () => {
  const python = await loadPyodide({ indexURL: beside("") });
  const [packages, flint] = await Promise.all([bytes("packages.zip"), bytes("flint.whl")]);
  const home = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(packages, "zip", { extractDir: home });
  python.unpackArchive(flint, "wheel");
  python.runPython(RUN);
  answer = python.globals.get("answer");
  return python;
})();
ready.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error).slice(0, 400) }));
onmessage = async ({ data: { line, words, files } }) => {
  const python = await ready;
  try {
    for (const [name, content] of Object.entries(files)) python.FS.writeFile(name, content);
    const found = answer(line, words === null ? undefined : python.toPy(words));
    const [text, code] = found.toJs();
    found.destroy();
    postMessage({ text, code });
  } catch (error) {
    postMessage({ text: "internal error: " + String(error).slice(-400), code: 4 });
  }
};
