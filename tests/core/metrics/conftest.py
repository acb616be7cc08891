"""Definitions for the tests of metrics."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pytest

from hemcore.datasets.tables.metric_definitions import MetricDefinitions

REAL = Path(__file__).resolve().parents[4] / "shared" / "data" / "metrics"


def defined(formulas: Mapping[str, str], **columns: list[object]) -> MetricDefinitions:
    return MetricDefinitions(frame=pd.DataFrame({"name": list(formulas), "formula": list(formulas.values())} | columns))


@pytest.fixture(scope="session")
def real() -> Path:
    if not REAL.is_dir():
        pytest.skip(f"the real definitions are not at {REAL}")
    return REAL
