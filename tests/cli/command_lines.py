"""Random command lines: whole ones, and ones with something hostile in them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from symprivacy.notions import get

# What is sensible, and what is hostile.
Pool = tuple[tuple[str, ...], tuple[str, ...]]
# fmt: off
NUMBERS: Pool = (
    (
        "1", "0", "1/2", "0.1", "2", "1e-6", "log(2)", "sqrt(2)", "pi", "exp(1)", "3", "10", "1/3",
    ),
    (
        "-5", "-1/2", "1e-400", "10**50", "exp(100)", "exp(exp(5))", "10**400", "2**-2000", "1e1000", "1 - 1e-30",
        "oo", "-oo", "nan", "x", "", "1/0", "0**0", "9**9**9", "log(0)", "log(-1)", "1e5000", "[1]", "'", "∞", "ε",
        "1,2", "1=2", "()", "__import__('os')", "Piecewise((1, True))", "erfinv(2)", "Abs(-1)", "(" * 80, "1;2",
        "\x00", "\udcff",
    ),
)
KEYS: Pool = (
    (
        "DP", "RB", "ADP", "PDP", "TV", "KL", "RDP", "ZCDP", "GDP", "CHI2", "HELL2", "JS", "SP", "MP", "MPP", "LDP",
        "MBP", "MBPU", "ABP", "ABPW", "BDP", "UDP", "PMP", "NMP", "BoundedDP", "InfPr", "AdvPr", "fDP",
        "MAXL", "PML", "LIP", "tCDP", "mCDP", "RDPlow", "KL[forward]", "CHI2[forward]", "RDP[forward]",
    ),
    (
        "", "dp", "XX", "DP(eps)", "SP(eta); DROP", "SP(9**9**9)", "DP(1)", "DP(", "(eps, delta)-DP", "Dp ",
        "differential privacy", "SP(eta", "SP)eta(", "SP(eta)(eta)", "ε-DP", "../..", "zhao17-eq20", "ks14-eq6",
        "no-such-claim", "DP\n", "\x00",
    ),
)
NAMES = (
    "eps", "delta", "eta", "alpha", "e", "k", "t", "c", "h", "j", "rho", "mu", "xi", "m", "a", "p", "D", "eps2",
    "delta2", "m2", "omega", "omega2", "alpha2", "l", "tau", "", "_", "x=y",
)
EXPRESSIONS: Pool = (
    (
        "x", "exp(x) - 3*x", "x**2 - 2", "1/x", "log(x)", "Abs(Abs(x) - sqrt(2))", "x**x", "(x**2)**(1/2)",
        "erfc(x**4)", "Piecewise((1/x, x > 1), (1, True))", "log(log(log(x)))", "0**0", "x**0",
        "exp(exp(exp(exp(x))))", "erfinv(x)", "Max(x, 1 - x)", "x - x", "x**50", "x**(1/3)",
        "10**1000*10**1000*10**1000*10**1000*10**1000*x", "1e-1200*x",
    ),
    (
        "", "(", "y", "x +", "x y", "nan", "x; 1", "x[0]", "10**10**10", "9**9**9", "f(x)", "lambda: x",
        "x.__class__", "\x00", "exp(" * 70 + "x" + ")" * 70, "x" * 5000, "-" * 300 + "x", "x\n+1", "1/0", "log(-1)",
        "Piecewise((1,))", "'x'",
    ),
)
DOMAINS: Pool = (
    (
        "x in [0, 1]", "x in (0, 5]", "x in (-oo, oo)", "x in [20, oo)", "x in (-oo, 0)", "x in [-2, 2]",
        "x in [0, 0]", "x in [sqrt(2), pi]", "x in [0, 10**400]", "x in [exp(exp(30)), oo)", "x in [-10**400, 1]",
        "x in (1, 1 + 1e-300)",
    ),
    (
        "", "x", "x in", "x in [1, 0]", "x in [0, y]", "y in [0, 1]", "x in [0, nan]", "x in [oo, 0]", "x in (0, 0)",
        "x in [0, 1", "__x in [0, 1]", "x in [0, 10**10**10]", "x in [0, 1, 2]", "x in {1}", "x ∈ [0, 1]",
        "x in [log(0), 1]", "\x00",
    ),
)
MECHANISMS: Pool = (
    (
        '{"matrix": [["4/5","1/5"],["1/5","4/5"]]}', '{"matrix": [["1","0"],["0","1"]]}',
        '{"matrix": [["1"],["1"]]}',
        '{"matrix": [["1/2","1/2"],["1/4","3/4"],["1/3","2/3"]], "neighbours": [[0,1],[1,2]]}',
        '{"n": 1, "domain": ["0","1"], "default": "0", "matrix": [["2/3","1/3"],["1/3","2/3"]]}',
        '{"matrix": [["1/2","49999999999999999/100000000000000000","1/100000000000000000"],["3/4","1/4","0"]]}',
    ),
    (
        "", "[]", "{}", "null", "1", '"x"', '{"matrix": 5}', '{"matrix": []}', '{"matrix": [[]]}',
        '{"matrix": [["1"],["1/2"]]}', '{"matrix": [["1","0"],["1"]]}', '{"matrix": [["2","-1"],["1","0"]]}',
        '{"matrix": [["1/0","1"],["1","0"]]}', '{"matrix": [["nan","1"],["1","0"]]}',
        '{"matrix": [[0.5, 0.5],[1, 0]]}', '{"matrix": {"a": 1}}', "[" * 100_000,
        '{"matrix": [["1/2","1/2"]], "neighbours": 7}', '{"matrix": [["1"],["1"]], "neighbours": [[0,9]]}', "\x00ÿ",
        '{"matrix": [["1","0"],["0","1"]], "neighbours": [["a","b"]], "inputs": 3, "outputs": {}}',
        '{"n": 40, "domain": ["0","1"], "default": "0", "matrix": []}',
        '{"n": -1, "domain": [], "default": 0, "matrix": [["1"]]}',
    ),
)
CERTIFICATES = (
    "", "[]", "{}", "null", "7", '{"derivation": "..."}', '{"derivation": []}', '{"derivation": {}}',
    '{"derivation": null}', '{"format": "symprivacy-certificate/1"}', '{"format": ["symprivacy-certificate/1"]}',
    '{"format": "symprivacy-chart/1"}', '{"format": "symprivacy-derivation/1", "steps": 5}',
    '{"format": "symprivacy-derivation/1", "steps": [{}]}',
    '{"format": "symprivacy-derivation/1", "steps": [{"certificates": [{}]}], "conversion": 1}',
    '{"derivation": {"format": "symprivacy-derivation/1", "steps": [{"certificates": []}]}, "conversion": {}}',
    '{"a": ' * 5000 + '1' + '}' * 5000, '{"format": NaN}', "\x00", '{"lhs": 1, "rel": 2, "rhs": 3, "domain": 4}',
)
CLAIMS: Pool = (
    (
        '{"id": "a", "source": "mine", "where": "", "statement": "DP(eps) => TV(eps)"}',
        '{"id": "b", "source": "mine", "where": "", "statement": "exp(x) > x for x in [0, 1]"}',
    ),
    (
        "", "[]", "{}", "null", '{"id": 1}', '{"id": "a", "statement": 5}', "not json",
        '{"id": "a", "source": "s", "where": "", "statement": "=>"}',
        '{"id": "a", "source": "s", "where": "", "statement": "DP(eps) => TV(9**9**9)"}',
        '{"id": "a", "source": "s", "where": "", "statement": "' + '(' * 3000 + '"}',
    ),
)
STATEMENTS: Pool = (
    (
        "DP(eps) => TV(eps/4)", "UDP(eps) => BoundedDP(eps)", "ks14-eq6", "DP(eps) => TV(1)", "exp(eps) > 1",
    ),
    (
        "", "=>", "DP =>", "DP(eps) =>", "=> DP(eps)", "DP(eps) => XX(eps)", "DP(eps) => TV(",
        "DP(eps,eps) => TV(eps)", "DP(-1) => TV(0)", "DP(eps) => TV(eps) for eps in [1, 0]",
        "DP(eps) => TV(q) for q", "A => B => C", "DP(x) => TV(x)", "1 > 0 > -1", "\x00", "x" * 3000,
    ),
)
JUNK: tuple[object, ...] = (
    None, 5, -1.5, "", "x", "10**10**10", [], {}, [[]], True, "proved", "refuted", {"x": 1}, [{"by": "box"}], "1e999",
    "\x00",
)
BOXES: tuple[object, ...] = (
    {"x": ["0", "1", False, False]}, ["0", "1", False, False], {}, 5, {"x": 5}, {"x": [0]},
)
# fmt: on
# How often something hostile is taken where something sensible could stand.
HOSTILE = 0.2
# What a target with two parameters is given.
ASKED = {"ADP": "eps2", "PDP": "eps2", "RDP": "alpha2", "MPP": "p2", "MBPU": "m2"}
DIGITS = ("5", "30", "300", "1000", "5000", "0", "-1", "x", "")


def certificate(random: Random) -> str:
    """A true certificate with one of its values exchanged."""
    data: dict[str, object] = {
        "format": "symprivacy-certificate/1", "lhs": "exp(x)", "rel": ">=", "rhs": "1 + x", "verdict": "proved",
        "domain": {"x": ["0", "1", False, False]},
        "proofs": [{"by": "slope", "var": "x", "end": "lo", "face": {"by": "box"}, "slope": {"by": "box"}}],
    }  # fmt: skip
    data[random.choice(list(data))] = random.choice(JUNK)
    return json.dumps(data)


class Lines:
    """Draws command lines; files that they name are written to a folder."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.random, self.count = folder, Random(seed), 0

    def draw(self) -> list[str]:
        """One command line."""
        command = self.random.choice([name for name in vars(Lines) if name.startswith("_of_")])
        line: list[str] = getattr(self, command)()
        return line

    def pick(self, pool: Pool) -> str:
        """Mostly something sensible."""
        return self.random.choice(pool[self.random.random() < HOSTILE])

    def some(self, *options: list[str]) -> list[str]:
        """One of some options, or none."""
        return self.random.choice([[], *options])

    def file(self, text: str) -> str:
        """The path of a file with this text, or of something that is none."""
        if self.random.random() < HOSTILE / 4:
            return self.random.choice([str(self.folder), "", "/no/such/file", "\x00", "~", "x" * 5000])
        self.count += 1
        path = self.folder / f"{self.count}.json"
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        return str(path)

    def out(self, ending: str) -> str:
        """Where to write: a new file, or where none can be."""
        self.count += 1
        new = f"{self.folder}/{self.count}{ending}"
        return self.random.choice([new, new, str(self.folder), "/no/such/folder/x", "", "\x00"])

    def at(self, *keys: str) -> list[str]:
        """Parameters: those of the first notion and what the second is asked, or any."""
        names = [self.random.choice(NAMES) for _ in range(self.random.randint(0, 3))]
        if self.random.random() > HOSTILE and all(key in KEYS[0] for key in keys):
            names = [p.name for p in get(keys[0]).parameters] + [ASKED[key] for key in keys[1:] if key in ASKED]
        return [f"{name}={self.pick(NUMBERS)}" for name in names]

    def grouped(self, *keys: str) -> list[str]:
        """The same behind one --at."""
        given = self.at(*keys)
        return ["--at", *given] if given else []

    def one_by_one(self, key: str) -> list[str]:
        """The same, each behind its own --at."""
        return [word for given in self.at(key) for word in ("--at", given)]

    def shape(self) -> list[str]:
        """Options that many commands have."""
        digits = ["--digits", self.random.choice(DIGITS)] if self.random.random() < 0.3 else []
        return [*digits, *self.some(["--json"])]

    def where(self) -> list[str]:
        """A domain and little time."""
        return ["--on", self.pick(DOMAINS), "--timeout", self.random.choice(["0.05", "0.1", "0.3"])]

    def _of_prove(self) -> list[str]:
        relation = self.random.choice(["<", "<=", ">", ">=", "==", "!=", "=", ""])
        text = f"{self.pick(EXPRESSIONS)} {relation} {self.pick(EXPRESSIONS)}"
        return ["prove", text, *self.where(), *self.some(["--json"], ["--save", self.out(".json")])]

    def _of_roots(self) -> list[str]:
        return ["roots", self.pick(EXPRESSIONS), *self.where(), *self.shape()]

    def _of_compare(self) -> list[str]:
        return ["compare", self.pick(EXPRESSIONS), self.pick(EXPRESSIONS), *self.where(), *self.shape()]

    def _of_sweep(self) -> list[str]:
        if self.random.random() < 0.2:
            return ["sweep", "--check", self.file(self.random.choice(CERTIFICATES)), *self.some(["--json"])]
        rim = ["--rim", self.random.choice(["1/10", "0.5", "2", "0", "x", "nan", "1/0"]), "--jobs", "1"]
        two = [self.pick(EXPRESSIONS), self.pick(EXPRESSIONS)]
        return ["sweep", *two, *self.where(), *rim, *self.some(["--json"], ["--out", self.out(".jsonl")])]

    def _of_check(self) -> list[str]:
        text = certificate(self.random) if self.random.random() < 0.6 else self.random.choice(CERTIFICATES)
        arithmetic = self.random.choice(["mpmath", "arb", "both", "x"])
        return ["check", self.file(text), "--arithmetic", arithmetic, "--timeout", "5", *self.some(["--json"])]

    def _of_convert(self) -> list[str]:
        key, other = self.pick(KEYS), self.pick(KEYS)
        return ["convert", key, other, *self.grouped(key, other), "--timeout", "0.5", *self.shape()]

    def _of_compose(self) -> list[str]:
        family = self.random.choice(["gaussian", "laplace", "geometric", "RB", "GDP"])
        key = self.random.choice([self.pick(KEYS), f"{family}({self.pick(NUMBERS)})"])
        how = [
            ["--times", self.random.choice(["2", "10", "0", "x"])],
            ["--group", "3"],
            ["--sampled", self.pick(NUMBERS)],
        ]
        asked = [["--delta", self.pick(NUMBERS)], ["--eps2", self.pick(NUMBERS)]]
        limit = ["--timeout", "2"]
        return ["compose", key, *self.grouped(key), *self.some(*how), *self.some(*asked), *limit, *self.shape()]

    def _of_level(self) -> list[str]:
        key = self.pick(KEYS)
        priors = ["p=1/3", "uniform", "1/2,1/2", "p", "2", "", "p=", "1/2,1/2,1/2", "-1,2"]
        prior = self.some(["--prior", self.random.choice(priors)])
        return ["level", self.file(self.pick(MECHANISMS)), key, *prior, *self.one_by_one(key), *self.shape()]

    def _of_beliefs(self) -> list[str]:
        key = self.pick(KEYS)
        return ["beliefs", key, *self.one_by_one(key), *self.some(["--svg", self.out(".svg")], ["--json"])]

    def _of_derive(self) -> list[str]:
        # Keys that are none, mostly: derivations take long.
        key, other = self.random.choice([*KEYS[1], "DP", "SP"]), self.random.choice([*KEYS[1], "DP"])
        return ["derive", key, other, "--prior", self.random.choice(["worst", "uniform", self.pick(NUMBERS)])]

    def _of_chain(self) -> list[str]:
        key, other = self.random.choice([*KEYS[1], "DP", "MP"]), self.random.choice([*KEYS[1], "TV", "SP"])
        more = self.some(["--without", key], ["--hops", "1"], ["--json"])
        return ["chain", key, other, *self.grouped(key, other), *more]

    def _of_show(self) -> list[str]:
        return ["show", self.pick(KEYS), *self.some(["--latex"], ["--json"])]

    def _of_export(self) -> list[str]:
        form = self.some(["--latex"], ["--bib"], ["--coq", self.out(".v")])
        return ["export", self.pick(KEYS), *self.some([self.pick(KEYS)]), *form]

    def _of_falsify(self) -> list[str]:
        return ["falsify", self.pick(STATEMENTS), "--timeout", "0.2", *self.some(["--json"])]

    def _of_batch(self) -> list[str]:
        return [
            self.random.choice(["prove", "roots", "convert"]),
            *("--batch", self.file("\n".join(self._line(k) for k in range(3))), "--jobs", "1", "--timeout", "0.2"),
        ]

    def _line(self, number: int) -> str:
        text = json.dumps({
            "id": number, "lhs": self.pick(EXPRESSIONS), "rel": self.random.choice(["<", ">=", "=", 5]), "rhs": "1",
            "var": "x", "expr": self.pick(EXPRESSIONS), "domain": self.random.choice(BOXES),
            "from": self.pick(KEYS), "to": self.pick(KEYS),
            "at": self.random.choice([{"eps": self.pick(NUMBERS)}, {}, 5, None, {"eps": None}]),
        })  # fmt: skip
        return self.random.choice([text, text, text, text[:-3], "[]", "5", "\x00", '{"id": {"a": []}}'])

    def _of_audit(self) -> list[str]:
        return [
            "audit",
            "--file",
            self.file(self.pick(CLAIMS)),
            "--jobs",
            "1",
            "--timeout",
            "2",
            *self.some(["--json"]),
        ]

    def _of_others(self) -> list[str]:
        key, other = self.pick(KEYS), self.pick(KEYS)
        return self.random.choice([
            ["notions", "--dimension", key], ["graph", "--dimension", key], ["matrix", "--notions", key, other],
            ["profile", self.file(self.pick(MECHANISMS)), "--levels-only"], [key], [], ["prove"], ["--nonsense"],
            ["roots", "x", "--digits"], ["notions", "--help"], ["--version"], ["check"],
        ])  # fmt: skip
