"""All notions and conversions as a graph and as a matrix: chains, gaps, witnesses, the taxonomy of the SoK.

>>> from symprivacy.atlas import chain
>>> print(chain("MP", "SP").best)
MP(eps) => SP(tanh(eps/2))
"""

from __future__ import annotations

from symprivacy.atlas.chain import Chain, chain
from symprivacy.atlas.graph import Atlas, build
from symprivacy.atlas.matrix import Matrix, matrix
from symprivacy.atlas.wanted import wanted

__all__ = ["Atlas", "Chain", "Matrix", "build", "chain", "matrix", "wanted"]
