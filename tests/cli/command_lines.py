"""Random command lines: whole ones, and ones with something hostile in them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from symprivacy.notions import get

Pool = tuple[tuple[str, ...], tuple[str, ...]]
NUMBERS: Pool = (
    ("1", "0", "1/2", "0.1", "2", "1e-6", "log(2)", "sqrt(2)", "pi", "exp(1)", "3", "10", "1/3"),
    (
        "-5",
        "-1/2",
        "1e-400",
        "10**50",
        "exp(100)",
        "exp(exp(5))",
        "10**400",
        "2**-2000",
        "1e1000",
        "1 - 1e-30",
        "oo",
        "-oo",
        "nan",
        "x",
        "",
        "1/0",
        "0**0",
        "9**9**9",
        "log(0)",
        "log(-1)",
        "1e5000",
        "[1]",
        "'",
        "∞",
        "ε",
        "1,2",
        "1=2",
        "()",
        "__import__('os')",
        "Piecewise((1, True))",
        "erfinv(2)",
        "Abs(-1)",
        "(" * 80,
        "1;2",
        "\x00",
        "\udcff",
    ),
)
KEYS: Pool = (
    (
        "DP",
        "RB",
        "ADP",
        "PDP",
        "TV",
        "KL",
        "RDP",
        "ZCDP",
        "GDP",
        "CHI2",
        "HELL2",
        "JS",
        "SP",
        "MP",
        "MPP",
        "LDP",
        "MBP",
        "MBPU",
        "ABP",
        "ABPW",
        "BDP",
        "UDP",
        "PMP",
        "NMP",
        "BoundedDP",
        "InfPr",
        "AdvPr",
        "fDP",
    ),
    (
        "",
        "dp",
        "XX",
        "DP(eps)",
        "SP(eta); DROP",
        "SP(9**9**9)",
        "DP(1)",
        "DP(",
        "(eps, delta)-DP",
        "Dp ",
        "differential privacy",
        "SP(eta",
        "SP)eta(",
        "SP(eta)(eta)",
        "ε-DP",
        "../..",
        "zhao17-eq20",
        "ks14-eq6",
        "no-such-claim",
        "DP\n",
        "\x00",
    ),
)
NAMES = (
    "eps",
    "delta",
    "eta",
    "alpha",
    "e",
    "k",
    "t",
    "c",
    "h",
    "j",
    "rho",
    "mu",
    "xi",
    "m",
    "a",
    "p",
    "D",
    "eps2",
    "delta2",
    "m2",
    "",
    "_",
    "x=y",
)
EXPRESSIONS: Pool = (
    (
        "x",
        "exp(x) - 3*x",
        "x**2 - 2",
        "1/x",
        "log(x)",
        "Abs(Abs(x) - sqrt(2))",
        "x**x",
        "(x**2)**(1/2)",
        "erfc(x**4)",
        "Piecewise((1/x, x > 1), (1, True))",
        "log(log(log(x)))",
        "0**0",
        "x**0",
        "exp(exp(exp(exp(x))))",
        "erfinv(x)",
        "Max(x, 1 - x)",
        "x - x",
        "x**50",
        "x**(1/3)",
        "10**1000*10**1000*10**1000*10**1000*10**1000*x",
        "1e-1200*x",
    ),
    (
        "",
        "(",
        "y",
        "x +",
        "x y",
        "nan",
        "x; 1",
        "x[0]",
        "10**10**10",
        "9**9**9",
        "f(x)",
        "lambda: x",
        "x.__class__",
        "\x00",
        "exp(" * 70 + "x" + ")" * 70,
        "x" * 5000,
        "-" * 300 + "x",
        "x\n+1",
        "1/0",
        "log(-1)",
        "Piecewise((1,))",
        "'x'",
    ),
)
DOMAINS: Pool = (
    (
        "x in [0, 1]",
        "x in (0, 5]",
        "x in (-oo, oo)",
        "x in [20, oo)",
        "x in (-oo, 0)",
        "x in [-2, 2]",
        "x in [0, 0]",
        "x in [sqrt(2), pi]",
        "x in [0, 10**400]",
        "x in [exp(exp(30)), oo)",
        "x in [-10**400, 1]",
        "x in (1, 1 + 1e-300)",
    ),
    (
        "",
        "x",
        "x in",
        "x in [1, 0]",
        "x in [0, y]",
        "y in [0, 1]",
        "x in [0, nan]",
        "x in [oo, 0]",
        "x in (0, 0)",
        "x in [0, 1",
        "__x in [0, 1]",
        "x in [0, 10**10**10]",
        "x in [0, 1, 2]",
        "x in {1}",
        "x ∈ [0, 1]",
        "x in [log(0), 1]",
        "\x00",
    ),
)
MECHANISMS: Pool = (
    (
        '{"matrix": [["4/5","1/5"],["1/5","4/5"]]}',
        '{"matrix": [["1","0"],["0","1"]]}',
        '{"matrix": [["1"],["1"]]}',
        '{"matrix": [["1/2","1/2"],["1/4","3/4"],["1/3","2/3"]], "neighbours": [[0,1],[1,2]]}',
        '{"n": 1, "domain": ["0","1"], "default": "0", "matrix": [["2/3","1/3"],["1/3","2/3"]]}',
        '{"matrix": [["1/2","49999999999999999/100000000000000000","1/100000000000000000"],["3/4","1/4","0"]]}',
    ),
    (
        "",
        "[]",
        "{}",
        "null",
        "1",
        '"x"',
        '{"matrix": 5}',
        '{"matrix": []}',
        '{"matrix": [[]]}',
        '{"matrix": [["1"],["1/2"]]}',
        '{"matrix": [["1","0"],["1"]]}',
        '{"matrix": [["2","-1"],["1","0"]]}',
        '{"matrix": [["1/0","1"],["1","0"]]}',
        '{"matrix": [["nan","1"],["1","0"]]}',
        '{"matrix": [[0.5, 0.5],[1, 0]]}',
        '{"matrix": {"a": 1}}',
        "[" * 100_000,
        '{"matrix": [["1/2","1/2"]], "neighbours": 7}',
        '{"matrix": [["1"],["1"]], "neighbours": [[0,9]]}',
        "\x00\xff",
        '{"matrix": [["1","0"],["0","1"]], "neighbours": [["a","b"]], "inputs": 3, "outputs": {}}',
        '{"n": 40, "domain": ["0","1"], "default": "0", "matrix": []}',
        '{"n": -1, "domain": [], "default": 0, "matrix": [["1"]]}',
    ),
)
CERTIFICATES = (
    *(
        "",
        "[]",
        "{}",
        "null",
        "7",
        '{"derivation": "..."}',
        '{"derivation": []}',
        '{"derivation": {}}',
        '{"derivation": null}',
    ),
    *(
        '{"format": "symprivacy-certificate/1"}',
        '{"format": ["symprivacy-certificate/1"]}',
        '{"format": "symprivacy-chart/1"}',
    ),
    '{"format": "symprivacy-derivation/1", "steps": 5}',
    '{"format": "symprivacy-derivation/1", "steps": [{}]}',
    '{"format": "symprivacy-derivation/1", "steps": [{"certificates": [{}]}], "conversion": 1}',
    '{"derivation": {"format": "symprivacy-derivation/1", "steps": [{"certificates": []}]}, "conversion": {}}',
    *('{"a": ' * 5000 + "1" + "}" * 5000, '{"format": NaN}', "\x00", '{"lhs": 1, "rel": 2, "rhs": 3, "domain": 4}'),
)
CLAIMS: Pool = (
    (
        '{"id": "a", "source": "mine", "where": "", "statement": "DP(eps) => TV(eps)"}',
        '{"id": "b", "source": "mine", "where": "", "statement": "exp(x) > x for x in [0, 1]"}',
    ),
    (
        "",
        "[]",
        "{}",
        "null",
        '{"id": 1}',
        '{"id": "a", "statement": 5}',
        "not json",
        '{"id": "a", "source": "s", "where": "", "statement": "=>"}',
        '{"id": "a", "source": "s", "where": "", "statement": "DP(eps) => TV(9**9**9)"}',
        '{"id": "a", "source": "s", "where": "", "statement": "' + "(" * 3000 + '"}',
    ),
)
STATEMENTS: Pool = (
    ("DP(eps) => TV(eps/4)", "UDP(eps) => BoundedDP(eps)", "ks14-eq6", "DP(eps) => TV(1)", "exp(eps) > 1"),
    (
        "",
        "=>",
        "DP =>",
        "DP(eps) =>",
        "=> DP(eps)",
        "DP(eps) => XX(eps)",
        "DP(eps) => TV(",
        "DP(eps,eps) => TV(eps)",
        "DP(-1) => TV(0)",
        "DP(eps) => TV(eps) for eps in [1, 0]",
        "DP(eps) => TV(q) for q",
        "A => B => C",
        "DP(x) => TV(x)",
        "1 > 0 > -1",
        "\x00",
        "x" * 3000,
    ),
)


# How often something hostile is taken where something sensible could stand.
HOSTILE = 0.2


def pick(random: Random, pool: Pool) -> str:
    """Mostly something sensible."""
    return random.choice(pool[random.random() < HOSTILE])


def certificate(random: Random) -> str:
    """A true certificate with one of its values exchanged."""
    data: dict[str, object] = {
        "format": "symprivacy-certificate/1", "lhs": "exp(x)", "rel": ">=", "rhs": "1 + x", "verdict": "proved",
        "domain": {"x": ["0", "1", False, False]},
        "proofs": [{"by": "slope", "var": "x", "end": "lo", "face": {"by": "box"}, "slope": {"by": "box"}}],
    }  # fmt: skip
    junk = (
        None,
        5,
        -1.5,
        "",
        "x",
        "10**10**10",
        [],
        {},
        [[]],
        True,
        "proved",
        "refuted",
        {"x": 1},
        [{"by": "box"}],
        "1e999",
        "\x00",
    )
    data[random.choice(list(data))] = random.choice(junk)
    return json.dumps(data)


def batch(random: Random) -> str:
    """Lines for prove, roots or convert, some of them broken."""
    lines = []
    for k in range(3):
        record: dict[str, object] = {
            "id": k, "lhs": pick(random, EXPRESSIONS), "rel": random.choice(["<", ">=", "=", 5]), "rhs": "1", "var": "x",
            "expr": pick(random, EXPRESSIONS), "from": pick(random, KEYS), "to": pick(random, KEYS),
            "at": random.choice([{"eps": pick(random, NUMBERS)}, {}, 5, None, {"eps": None}]),
            "domain": random.choice([{"x": ["0", "1", False, False]}, ["0", "1", False, False], {}, 5, {"x": 5}, {"x": [0]}]),
        }  # fmt: skip
        lines.append(
            random.choice([json.dumps(record), json.dumps(record)[:-3], "[]", "5", "\x00", '{"id": {"a": []}}'])
        )
    return "\n".join(lines)


def _at(given: list[str]) -> list[str]:
    return ["--at", *given] if given else []


class Lines:
    """Draws command lines; files that they name are written to a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0

    def file(self, random: Random, text: str) -> str:
        """The path of a file, or of something that is none."""
        if random.random() < 0.05:
            return random.choice([str(self.folder), "", "/no/such/file", "\x00", "~", "x" * 5000])
        self.count += 1
        path = self.folder / f"{self.count}.json"
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        return str(path)

    def out(self, random: Random, ending: str) -> str:
        """Where to write: a new file, or where none can be."""
        self.count += 1
        places = [f"{self.folder}/{self.count}{ending}", str(self.folder), "/no/such/folder/x", "", "\x00"]
        return random.choice([places[0], *places])

    def at(self, random: Random, *keys: str) -> list[str]:
        """Parameters: those of some notions, the last one as a target, or any."""
        names = [random.choice(NAMES) for _ in range(random.randint(0, 3))]
        if random.random() > HOSTILE and all(key in KEYS[0] for key in keys):
            names = [p.name for p in get(keys[0]).parameters]
            asked = {"ADP": "eps2", "PDP": "eps2", "RDP": "alpha2", "MPP": "p2", "MBPU": "m2"}
            names += [asked[key] for key in keys[1:] if key in asked]
        return [f"{name}={pick(random, NUMBERS)}" for name in names]

    def options(self, random: Random, *keys: str) -> list[str]:
        """The same, each behind its own --at."""
        return [word for given in self.at(random, *keys) for word in ("--at", given)]

    def draw(self, random: Random) -> list[str]:
        """One command line."""
        r = random
        key, other = pick(r, KEYS), pick(r, KEYS)
        on = ["--on", pick(r, DOMAINS)] if r.random() < 0.95 else []
        quick = ["--timeout", r.choice(["0.1", "0.3", "0.05"])]
        digits = (
            ["--digits", r.choice(["5", "30", "300", "1000", "5000", "0", "-1", "x", ""])] if r.random() < 0.4 else []
        )
        json_ = r.choice([[], ["--json"]])
        match r.choice(["prove", "roots", "compare", "sweep", "check", "convert", "compose", "level", "beliefs", "derive",
                        "chain", "show", "export", "falsify", "batch", "small", "audit"]):  # fmt: skip
            case "prove":
                saved = ["--save", self.out(r, ".json")] if r.random() < 0.2 else []
                text = f"{pick(r, EXPRESSIONS)} {r.choice(['<', '<=', '>', '>=', '==', '!=', '=', ''])} {pick(r, EXPRESSIONS)}"
                return ["prove", text, *on, *quick, *json_, *saved]
            case "roots":
                return ["roots", pick(r, EXPRESSIONS), *on, *quick, *digits, *json_]
            case "compare":
                return ["compare", pick(r, EXPRESSIONS), pick(r, EXPRESSIONS), *on, *quick, *digits, *json_]
            case "sweep":
                out = ["--out", self.out(r, ".jsonl")] if r.random() < 0.3 else []
                rim = ["--rim", r.choice(["1/10", "0.5", "2", "0", "x", "nan", "1/0"])]
                if r.random() < 0.2:
                    return ["sweep", "--check", self.file(r, r.choice(CERTIFICATES)), *json_]
                return [
                    "sweep",
                    pick(r, EXPRESSIONS),
                    pick(r, EXPRESSIONS),
                    *on,
                    *quick,
                    *out,
                    *rim,
                    "--jobs",
                    "1",
                    *json_,
                ]
            case "check":
                text = certificate(r) if r.random() < 0.6 else r.choice(CERTIFICATES)
                return [
                    "check",
                    self.file(r, text),
                    "--arithmetic",
                    r.choice(["mpmath", "arb", "both", "x"]),
                    *json_,
                    "--timeout",
                    "5",
                ]
            case "convert":
                return ["convert", key, other, *_at(self.at(r, key, other)), "--timeout", "1", *digits, *json_]
            case "compose":
                more = [
                    ["--times", r.choice(["2", "10", "0", "x"])],
                    ["--group", "3"],
                    ["--sampled", pick(r, NUMBERS)],
                    [],
                ]
                asked = [["--delta", pick(r, NUMBERS)], ["--eps2", pick(r, NUMBERS)], []]
                return ["compose", key, *_at(self.at(r, key)), *r.choice(more), *r.choice(asked), *digits, *json_]
            case "level":
                prior = [
                    "--prior",
                    r.choice(["p=1/3", "uniform", "1/2,1/2", "p", "2", "", "p=", "1/2,1/2,1/2", "-1,2"]),
                ]
                given = self.options(r, key)
                return [
                    "level",
                    self.file(r, pick(r, MECHANISMS)),
                    key,
                    *r.choice([[], prior]),
                    *given,
                    *digits,
                    *json_,
                ]
            case "beliefs":
                given = self.options(r, key)
                return [
                    "beliefs",
                    key,
                    *r.choice([[], [other]]),
                    *given,
                    *r.choice([[], ["--svg", self.out(r, ".svg")]]),
                    *json_,
                ]
            case "derive":
                return ["derive", key, other, "--prior", r.choice(["worst", "uniform", "p", pick(r, NUMBERS)]), *json_]
            case "chain":
                return [
                    "chain",
                    key,
                    other,
                    *_at(self.at(r, key, other)),
                    *r.choice([[], ["--on", "eps in (0, 1]"], ["--without", key], ["--hops", "1"]]),
                    *json_,
                ]
            case "show":
                return ["show", pick(r, KEYS), *r.choice([[], ["--latex"], ["--json"]])]
            case "export":
                return [
                    "export",
                    key,
                    *r.choice([[], [other]]),
                    *r.choice([[], ["--latex"], ["--bib"], ["--coq", "x.v"]]),
                ]
            case "falsify":
                return ["falsify", pick(r, STATEMENTS), "--timeout", "0.2", *json_]
            case "batch":
                return [
                    r.choice(["prove", "roots", "convert"]),
                    "--batch",
                    self.file(r, batch(r)),
                    "--jobs",
                    "1",
                    "--timeout",
                    "0.2",
                ]
            case "small":
                return r.choice([["notions"], ["notions", "--dimension", key], ["graph", "--dimension", "Q"], [key], ["profile", self.file(r, pick(r, MECHANISMS)), "--levels-only"],
                                 [], ["prove"], ["roots", "x", "--digits"], ["--help"], ["matrix", "--notions", key, other], ["--nonsense"]])  # fmt: skip
            case _:
                return ["audit", "--file", self.file(r, pick(r, CLAIMS)), "--jobs", "1", "--timeout", "2", *json_]
