"""The sources that notions, bounds and claims cite: as keys in LaTeX, as BibTeX, and as a list of references."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from symprivacy.claims.library import sources
from symprivacy.render.style import escape


@dataclass(frozen=True)
class Source:
    """One entry; ``cited`` is how the package's records name it, followed by the place in it."""

    key: str
    cited: str
    kind: str
    author: str
    title: str
    year: int
    fields: Mapping[str, str]

    def to_bibtex(self) -> str:
        """The entry for a .bib file."""
        rows = {"author": self.author, "title": f"{{{self.title}}}", "year": str(self.year), **self.fields}
        body = ",\n".join(f"  {name} = {{{text}}}" for name, text in rows.items())
        return f"@{self.kind}{{{self.key},\n{body}\n}}"

    def to_item(self) -> str:
        r"""The entry as a \bibitem."""
        names = [" ".join(reversed(a.split(", "))) for a in self.author.split(" and ")]
        who = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
        order = ("booktitle", "journal", "publisher", "howpublished", "volume", "number", "pages", "eprint")
        words = {"volume": "volume ", "number": "number ", "pages": "pages ", "eprint": "arXiv:"}
        where = ", ".join(words.get(k, "") + self.fields[k] for k in order if k in self.fields)
        return rf"\bibitem{{{self.key}}} {who}. {self.title}. \emph{{{where}}}, {self.year}."


_OWN = (
    Source(
        "zhao17", "zhao17", "inproceedings", "Zhao, Jun", "Relations among different privacy notions", 2017,
        {"booktitle": "55th Annual Allerton Conference on Communication, Control, and Computing"},
    ),
    Source(
        "ks14", "ks14", "article", "Kasiviswanathan, Shiva Prasad and Smith, Adam",
        "On the `Semantics' of differential privacy: a {Bayesian} formulation", 2014,
        {"journal": "Journal of Privacy and Confidentiality", "volume": "6", "number": "1"},
    ),
    Source(
        "li13", "li13", "inproceedings", "Li, Ninghui and Qardaji, Wahbeh and Su, Dong and Wu, Yi and Yang, Weining",
        "Membership privacy: a unifying framework for privacy definitions", 2013,
        {"booktitle": "ACM Conference on Computer and Communications Security", "pages": "889--900"},
    ),
    Source(
        "zhang24", "zhang24", "misc", "Zhang, Xiaojin and Fei, Yulin and Chen, Wei",
        "Deciphering the interplay between local differential privacy, average {Bayesian} privacy, and maximum "
        "{Bayesian} privacy", 2024, {"eprint": "2403.16591", "archiveprefix": "arXiv"},
    ),
    Source(
        "sok22", "sok22", "misc", r"Desfontaines, Damien and Pej{\'o}, Bal{\'a}zs",
        "{SoK}: differential privacies", 2022, {"eprint": "1906.01337", "archiveprefix": "arXiv"},
    ),
    Source(
        "bunsteinke16", "Bun, Steinke 2016", "inproceedings", "Bun, Mark and Steinke, Thomas",
        "Concentrated differential privacy: simplifications, extensions, and lower bounds", 2016,
        {"booktitle": "Theory of Cryptography Conference", "pages": "635--658"},
    ),
    Source(
        "dworkrothblumvadhan10", "Dwork, Rothblum, Vadhan 2010", "inproceedings",
        "Dwork, Cynthia and Rothblum, Guy N. and Vadhan, Salil", "Boosting and differential privacy", 2010,
        {"booktitle": "IEEE Symposium on Foundations of Computer Science", "pages": "51--60"},
    ),
    Source(
        "dworkrothblum16", "Dwork, Rothblum 2016", "misc", "Dwork, Cynthia and Rothblum, Guy N.",
        "Concentrated differential privacy", 2016, {"eprint": "1603.01887", "archiveprefix": "arXiv"},
    ),
    Source(
        "kasiviswanathansmith08", "Kasiviswanathan, Smith 2008", "misc",
        "Kasiviswanathan, Shiva Prasad and Smith, Adam",
        "A note on differential privacy: defining resistance to arbitrary side information", 2008,
        {"eprint": "0803.3946", "archiveprefix": "arXiv"},
    ),
    Source(
        "kairouzohviswanath15", "Kairouz, Oh, Viswanath 2015", "inproceedings",
        "Kairouz, Peter and Oh, Sewoong and Viswanath, Pramod",
        "The composition theorem for differential privacy", 2015,
        {"booktitle": "International Conference on Machine Learning"},
    ),
    Source(
        "balle20", "Balle et al. 2020", "inproceedings",
        "Balle, Borja and Barthe, Gilles and Gaboardi, Marco and Hsu, Justin and Sato, Tetsuya",
        r"Hypothesis testing interpretations and {R{\'e}nyi} differential privacy", 2020,
        {"booktitle": "International Conference on Artificial Intelligence and Statistics"},
    ),
    Source(
        "asoodeh20", "Asoodeh et al. 2020", "inproceedings",
        "Asoodeh, Shahab and Liao, Jiachun and Calmon, Flavio P. and Kosut, Oliver and Sankar, Lalitha",
        "A better bound gives a hundred rounds: enhanced privacy guarantees via f-divergences", 2020,
        {"booktitle": "IEEE International Symposium on Information Theory", "pages": "920--925"},
    ),
    Source(
        "steinke24", "Steinke 2024", "misc", "Steinke, Thomas", r"Tight {RDP} \& {zCDP} bounds from pure {DP}", 2024,
        {"howpublished": "DifferentialPrivacy.org"},
    ),
    Source(
        "cesarrogers21", "Cesar, Rogers 2021", "inproceedings", "Cesar, Mark and Rogers, Ryan",
        "Bounding, concentrating, and truncating: unifying privacy loss composition for data analytics", 2021,
        {"booktitle": "Algorithmic Learning Theory"},
    ),
    Source(
        "pinsker64", "Pinsker", "book", "Pinsker, M. S.",
        "Information and information stability of random variables and processes", 1964, {"publisher": "Holden-Day"},
    ),
    Source(
        "bretagnollehuber79", "Bretagnolle, Huber 1979", "article", "Bretagnolle, J. and Huber, C.",
        r"Estimation des densit{\'e}s: risque minimax", 1979,
        {"journal": r"Zeitschrift f{\"u}r Wahrscheinlichkeitstheorie und verwandte Gebiete", "volume": "47",
         "pages": "119--137"},
    ),
    Source(
        "lecam86", "Le Cam", "book", "Le Cam, Lucien", "Asymptotic methods in statistical decision theory", 1986,
        {"publisher": "Springer"},
    ),
    Source(
        "mironov17", "Mironov 2017", "inproceedings", "Mironov, Ilya", r"R{\'e}nyi differential privacy", 2017,
        {"booktitle": "IEEE Computer Security Foundations Symposium", "pages": "263--275"},
    ),
    Source(
        "canonnekamathsteinke20", "Canonne, Kamath, Steinke 2020", "inproceedings",
        r"Canonne, Cl{\'e}ment L. and Kamath, Gautam and Steinke, Thomas",
        "The discrete {Gaussian} for differential privacy", 2020,
        {"booktitle": "Advances in Neural Information Processing Systems"},
    ),
)  # fmt: skip


def _of_the_library() -> tuple[Source, ...]:
    """The works that the library of statements cites and the package does not."""
    known = {source.key for source in _OWN}
    fields = ("key", "kind", "author", "title", "year")
    return tuple(
        Source(key, key, line["kind"], line["author"], line["title"], line["year"],
               {name: text for name, text in line.items() if name not in fields})
        for key, line in sources().items()
        if key not in known
    )  # fmt: skip


SOURCES = (*_OWN, *_of_the_library())


def find(where: str) -> tuple[Source, str] | None:
    """The source that a text such as ``"ks14 Lemma 3.3"`` names, and the place in it.

    >>> source, place = find("Bun, Steinke 2016, Proposition 1.4")
    >>> source.key, place
    ('bunsteinke16', 'Proposition 1.4')
    """
    names = [(name, source) for source in SOURCES for name in {source.cited, source.key}]
    for name, source in sorted(names, key=lambda pair: -len(pair[0])):
        if re.match(re.escape(name) + r"(?![A-Za-z0-9])", where):
            return source, where[len(name) :].strip(" ,")
    return None


def cite(where: str, words: Callable[[str], str] = escape) -> str:
    r"""A citation in LaTeX, of one source or of several separated by semicolons; ``words`` writes what is no source.

    >>> print(cite("ks14 Definition 2.1; sok22 Definition 37"))
    \cite[Definition 2.1]{ks14}; \cite[Definition 37]{sok22}
    """
    shown = []
    for part in where.split("; "):
        found = find(part)
        if found is None:
            shown.append(words(part))
        else:
            place = escape(found[1])
            shown.append(rf"\cite[{{{place}}}]{{{found[0].key}}}" if "]" in place else _cite(found[0].key, place))
    return "; ".join(shown)


def _cite(key: str, place: str) -> str:
    return rf"\cite[{place}]{{{key}}}" if place else rf"\cite{{{key}}}"


def cited(latex: str) -> tuple[Source, ...]:
    r"""The sources whose keys a LaTeX text cites.

    >>> [s.key for s in cited(r"\cite[Lemma 1]{zhao17} and \cite{ks14,li13}")]
    ['zhao17', 'ks14', 'li13']
    """
    groups = re.findall(r"\\[cC]ite[a-z]*\*?(?:\[[^\]]*\])*\{([^}]*)\}", latex)
    keys = {key.strip() for group in groups for key in group.split(",")}
    return tuple(source for source in SOURCES if source.key in keys)


def bibliography(sources: Iterable[Source]) -> str:
    """The .bib file of some sources."""
    return "\n\n".join(source.to_bibtex() for source in sources)


def references(sources: Iterable[Source]) -> str:
    """The list of references of a document that compiles without BibTeX."""
    items = "\n".join(source.to_item() for source in sources)
    return f"\\begin{{thebibliography}}{{99}}\n{items}\n\\end{{thebibliography}}" if items else ""
