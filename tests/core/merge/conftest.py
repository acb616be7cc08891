"""What the merge tests share: the T2080 readings with R's answers, and small subexperiments made here."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore.merge import process_raw_experiments


@pytest.fixture(scope="session")
def much_frames(t2080: Path) -> list[pd.DataFrame]:
    return process_raw_experiments(pd.read_csv(t2080 / "t2080_much_raw.csv"), 6, min_mean=100)


@pytest.fixture(scope="session")
def hrm_frames(t2080: Path) -> list[pd.DataFrame]:
    return process_raw_experiments(pd.read_csv(t2080 / "t2080_hrm_raw.csv"), 6, min_mean=100)


@pytest.fixture
def pairs() -> list[pd.DataFrame]:
    """Three HEMs, each pair read together in a subexperiment of its own; r(A, B) = 0.8, r(A, C) = -0.5, r(B, C) = -0.4 in truth."""
    truth = np.array([[1, 0.8, -0.5], [0.8, 1, -0.4], [-0.5, -0.4, 1]])
    random = np.random.default_rng(7)
    frames = []
    for chosen in (["A", "B"], ["A", "C"], ["B", "C"]):
        runs = 5000 + 500 * random.multivariate_normal(np.zeros(3), truth, 400)
        frames.append(pd.DataFrame(runs.round(), columns=list("ABC"))[chosen].astype(np.int64))
    return frames
