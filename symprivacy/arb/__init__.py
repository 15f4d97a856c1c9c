"""A second checker of certificates, on python-flint's Arb.

It shares the certificate format with :mod:`symprivacy.kernel` and no code: it has its own reader of expressions, its
own enclosures and derivatives, its own exact algebra (python-flint's multivariate polynomials), and its own reading
of every rule. A mistake of one arithmetic, parser or rule is then seen as a disagreement between the two.

>>> from symprivacy.arb.check import check
>>> check({"format": "symprivacy-certificate/2", "lhs": ["exp", "x"], "rel": ">", "rhs": 0,
...        "domain": {"x": [0, 1, False, False]}, "verdict": "proved", "proofs": [{"by": "box"}]})
'proved'
"""
