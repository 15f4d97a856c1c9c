"""Questions that users ask, each with a short answer and what to type."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HowTo:
    """A question with its answer; ``see`` leads to pages of the site."""

    key: str
    question: str
    answer: tuple[str, ...]
    commands: tuple[str, ...] = ()
    python: str = ""
    see: tuple[tuple[str, str], ...] = ()
    words: str = ""
    # What the commands read, by the names of the files.
    files: tuple[tuple[str, str], ...] = ()


CONVERTER, MATRIX, LEDGER = (
    ("converter.html", "The converter"),
    ("matrix.html", "The matrix"),
    ("ledger.html", "The ledger"),
)


def command(name: str) -> tuple[str, str]:
    """The page of a command."""
    return f"commands/{name}.html", f"symprivacy {name}"


QUESTIONS = (
    HowTo(
        "which-level-follows",
        "Which level of one notion follows from another?",
        ("Give the notion that holds, its parameters, and the notion that is wanted. The answer is the best level, "
         "with a closed form where there is one, a certified enclosure to as many digits as asked, and the mechanism "
         "that attains it.",),
        ("symprivacy convert DP ZCDP --at eps=1 --digits 30",),
        'from symprivacy import convert\nconvert("DP", {"eps": 1}, "ZCDP", digits=30)',
        (CONVERTER, MATRIX, command("convert")),
    ),
    HowTo(
        "eps-at-delta",
        "Which eps does a zCDP or Rényi guarantee give at my delta?",
        ("Approximate differential privacy has two parameters; fix delta with delta2 and eps is answered, or fix eps "
         "with eps2 and delta is answered.",),
        ("symprivacy convert ZCDP ADP --at rho=1/10 delta2=1e-6", "symprivacy convert RDP ADP --at alpha=8 e=1 eps2=2"),
        see=(CONVERTER, command("convert")),
        words="epsilon delta accounting",
    ),
    HowTo(
        "compose-a-plan",
        "What do many runs cost together?",
        ("Composition of pure differential privacy is exact; other notions add up or are converted. Sampling is taken "
         "into account with --sampled.",),
        ("symprivacy compose DP --at eps=1/10 --times 100 --delta 1/1000000",),
        see=(command("compose"),),
        words="composition accounting budget subsampling",
    ),
    HowTo(
        "why-does-it-hold",
        "How do I see why an implication holds?",
        ("derive prints the steps from the definitions of both notions; each is checked again before it is printed. "
         "The page of a pair shows the same steps, folded.",),
        ("symprivacy derive DP KL", "symprivacy chain MP SP --explain"),
        'from symprivacy import derive\nprint(derive("DP", "KL").to_text())',
        (MATRIX, command("derive"), command("chain")),
        "proof explain",
    ),
    HowTo(
        "audit-my-draft",
        "How do I check the claims of my own draft?",
        ("Write one claim per line as JSON with an id and a statement; guarantees are written as in papers. Each gets "
         "a verdict: tight, holds, improvable with the better bound, or false with an exact counterexample.",),
        ("symprivacy audit --file draft.jsonl --out draft.html",),
        see=(LEDGER, command("audit")),
        words="paper theorem claim jsonl",
        files=(("draft.jsonl", '{"id": "thm1", "source": "draft", "where": "Thm 1", '
                               '"statement": "eps-DP => (eps/2)-TV for 0 < eps <= 1"}'),),
    ),
    HowTo(
        "find-a-theorem",
        "How do I find what was found about a theorem of a paper?",
        ("Choose the paper in the ledger and type its number, such as 2.4; or use the search of the start page.",),
        ("symprivacy audit --paper ks14", "symprivacy show ks14-eq6"),
        see=(LEDGER, command("show")),
    ),
    HowTo(
        "find-a-counterexample",
        "How do I look for a counterexample?",
        ("falsify searches small exact mechanisms and makes what it finds as small as it can. Nothing found proves "
         "nothing.",),
        ('symprivacy falsify "UDP(eps) => BoundedDP(eps)"',),
        see=(("separations.html", "What tells notions apart"), command("falsify")),
    ),
    HowTo(
        "what-separates-two-notions",
        "What separates two notions?",
        ("Where nothing follows, the page of the pair names a family of mechanisms: the first notion stays as small as "
         "one likes while the second has no bound. A few families do this for all impossible pairs.",),
        ("symprivacy chain KL DP",),
        see=(("separations.html", "What tells notions apart"), MATRIX),
    ),
    HowTo(
        "prove-an-inequality",
        "How do I prove an inequality on a range?",
        ("State it with the domain of every variable. It is proved with a certificate, refuted at an exact point, or "
         "undecided with the reason.",),
        ('symprivacy prove "1/2 - 1/(exp(eps)+1) > eps/6" --on "eps in (0, 27/20]" --save cert.json',),
        'from symprivacy import prove\nprove("tanh(eps/2) <= exp(2*eps) - 1", "eps in [0, oo)")',
        (command("prove"),),
    ),
    HowTo(
        "check-a-certificate",
        "How do I check a certificate elsewhere?",
        ("A certificate is plain JSON. check verifies it without any search, with two arithmetics that share no code; "
         "export --coq turns it into a file for Coq with coq-interval.",),
        ("symprivacy check cert.json", "symprivacy export --coq bound.v cert.json"),
        see=(command("check"), command("export")),
        words="coq verify proof assistant arb",
    ),
    HowTo(
        "which-bound-is-better",
        "On which range is one bound better than another?",
        ("compare cuts the range into certified pieces and encloses the crossings. With several variables, sweep "
         "partitions a box.",),
        ('symprivacy compare "1/2 - 1/(exp(eps)+1)" "eps/6" --on "eps in (0, 5]"',
         'symprivacy chain KL TV --without conversion --on "k in (0, 5]"'),
        see=(command("compare"), command("sweep")),
        words="crossing tighter",
    ),
    HowTo(
        "find-roots",
        "How do I find all roots of an expression, with certainty?",
        ("roots isolates them in an interval; each enclosure is proved to hold exactly one, and the list says whether "
         "it is complete.",),
        ('symprivacy roots "exp(x) - 3*x" --on "x in [0, 5]" --digits 30',),
        see=(command("roots"),),
    ),
    HowTo(
        "level-of-my-mechanism",
        "Which level does my mechanism have?",
        ("Write the channel as JSON with exact entries. level gives the smallest parameter with the pair, prior and "
         "output that attain it; profile does so for every notion.",),
        ("symprivacy level mechanism.json SP", "symprivacy profile mechanism.json"),
        'from symprivacy import level\nfrom symprivacy.mechanisms import randomized_response\n'
        'level(randomized_response(ratio=4), "SP").value',
        (("mechanisms.html", "Mechanisms"), command("level"), command("profile")),
        files=(("mechanism.json", '{"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}'),),
    ),
    HowTo(
        "compare-two-mechanisms",
        "Which of two mechanisms is more private?",
        ("Notions may order them differently; profile of both says which notion prefers which.",),
        ("symprivacy profile one.json other.json",),
        see=(command("profile"),),
        files=(("one.json", '{"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}'),
               ("other.json", '{"matrix": [["1/2", "1/2", "0"], ["2/5", "1/2", "1/10"]]}')),
    ),
    HowTo(
        "define-a-notion",
        "How do I define a notion of my own?",
        ("Give the constraint on the posterior q of a secret of prior p, or the likelihood ratio that it allows, or a "
         "convex function of the ratio r whose mean it bounds. Conversions to and from the others follow.",
         "On the command line it is a file."),
        ("symprivacy convert Half TV --at h=1/2 --notions half.json",),
        'from symprivacy import derive\nfrom symprivacy.notions import Notion\n\n'
        'mine = Notion.define("Half", "h in [0, oo)", mean="(r - 1)**2/2")\nprint(derive("DP", mine))',
        see=(("notions.html", "Privacy notions"),),
        words="own custom definition",
        files=(("half.json", '{"key": "Half", "parameters": {"h": "[0, oo)"}, "mean": "(r-1)**2/2"}'),),
    ),
    HowTo(
        "what-does-an-attacker-learn",
        "What does a guarantee mean to an attacker's beliefs?",
        ("A notion about posteriors allows, for each probability before the output, a range of probabilities after it. "
         "The page of such a notion draws it; beliefs draws several side by side.",),
        ('symprivacy beliefs DP SP --at "eps=1,eta=1/5" --out posteriors.svg',),
        see=(("notions.html", "Privacy notions"), command("beliefs")),
        words="prior posterior bayes semantic",
    ),
    HowTo(
        "cite-and-paste",
        "How do I put a result into a paper, and cite it?",
        ("export prints LaTeX with labels, and the cited sources as BibTeX. Every page of a pair, a notion or a claim "
         "has the same LaTeX to copy.",),
        ('symprivacy export "DP=>KL" --latex', "symprivacy export SP --bib"),
        see=(command("export"),),
        words="latex bibtex citation",
    ),
    HowTo(
        "leave-out-a-result",
        "Does an implication follow without a given result?",
        ("chain composes what is known; --without leaves out a claim, a source, a principle or a kind of edge.",),
        ('symprivacy chain SP KL --without "SP>KL"',),
        see=(command("chain"),),
    ),
    HowTo(
        "many-statements",
        "How do I decide many statements at once?",
        ("Commands with --batch read JSON Lines and print one line per line in the same order. A bad line gets an "
         "error in its place and does not stop the others.",),
        ("symprivacy prove --batch statements.jsonl --jobs 4 --timeout 10",
         "symprivacy convert --batch questions.jsonl"),
        see=(command("prove"), command("convert")),
        files=(("statements.jsonl", '{"id": "a1", "lhs": "exp(x)", "rel": ">=", "rhs": "1 + x", '
                                    '"domain": {"x": ["-1", "oo", false, true]}}'),
               ("questions.jsonl", '{"id": "c1", "from": "DP", "to": "ADP", "at": {"eps": "1", "eps2": "0.5"}}')),
    ),
    HowTo(
        "what-proved-means",
        "What do proved, tight and certified mean?",
        ("Proved: a certificate exists, and two checkers with different arithmetic accept it. A checker searches for "
         "nothing; every step names a rule, and it verifies that the rule applies.",
         "Tight: the upper end of the enclosure is proved, the lower end is attained or approached by a named "
         "mechanism, and the two agree to the digits shown. Impossible: a family of mechanisms satisfies the premise "
         "and exceeds every level of the conclusion.",
         "Numbers on these pages are enclosures: rounded outward, so that the true value lies between the two ends. "
         "That a formula is the right one rests on the principles that the page names.",
         "Undecided says nothing about the statement."),
        ("symprivacy check cert.json",),
        see=(("principles.html", "Principles"), LEDGER),
        words="trust evidence verdict meaning kernel",
    ),
    HowTo(
        "what-is-open",
        "What is still open?",
        ("wanted lists the pairs that are not settled, those first whose answer would settle most others.",),
        ("symprivacy wanted",),
        see=(("wanted.html", "What is open"), command("wanted")),
    ),
    HowTo(
        "build-this-site",
        "How do I build these pages?",
        ("site writes the folder. A run of the audit can be used again with --audit, which saves its time.",),
        ("symprivacy audit --json > run.jsonl", "symprivacy site atlas/ --audit run.jsonl"),
        see=(command("site"),),
    ),
)  # fmt: skip
