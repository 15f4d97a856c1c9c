"""A cluster of two worker processes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="NOT TESTED on a cluster: install symprivacy[distributed]")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs="CRITICAL"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
