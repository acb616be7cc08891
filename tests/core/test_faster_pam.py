"""FasterPAM: medoids that can be read off, no swap left that gains, and the results of the package kmedoids where it is installed."""

import numpy as np
import pytest

from hemcore.errors import ParameterError
from hemcore.faster_pam import fasterpam


def between(points: np.ndarray) -> np.ndarray:
    return np.abs(points[:, None, :] - points[None]).sum(axis=2).astype(np.float32)


# On a line: two groups of three, at 0, 1, 3 and at 10, 11, 14.
LINE = between(np.array([[0.0], [1], [3], [10], [11], [14]]))


def test_two_groups_on_a_line_by_hand() -> None:
    # From the rows 0 and 1 the medoids move to 1 and 4: 1 + 0 + 2 in the first group, 1 + 0 + 3 in the second.
    found = fasterpam(LINE, np.array([0, 1]))
    assert sorted(found.medoids.tolist()) == [1, 4]
    assert found.loss == 7
    near = found.medoids[found.labels]
    assert near.tolist() == [1, 1, 1, 4, 4, 4]
    assert found.swaps >= 1
    # Already there: nothing is swapped.
    assert fasterpam(LINE, np.array([1, 4])).swaps == 0


def test_one_medoid_is_the_best_row_from_any_start() -> None:
    # Sums of the distances from 0, 1, 3, 10, 11, 14: 39, 35, 31, 31, 33, 45; the first of the two least.
    found = [fasterpam(LINE, np.array([start])) for start in range(6)]
    assert {int(each.medoids[0]) for each in found} == {2}
    assert {each.loss for each in found} == {31}


def test_as_many_medoids_as_points_lose_nothing() -> None:
    found = fasterpam(LINE, np.arange(6))
    assert (found.loss, found.swaps) == (0, 0)
    assert found.labels.tolist() == list(range(6))


def test_equal_points_end() -> None:
    found = fasterpam(np.zeros((5, 5), dtype=np.float32), np.array([3, 1]))
    assert (found.loss, found.swaps) == (0, 0)


def test_swaps_that_gain_nothing_but_rounding_end() -> None:
    # Eight places, thirty points in each: from a medoid in each nothing can be gained, though the sums round.
    for seed in range(20):
        points = np.repeat(np.random.default_rng(seed).normal(size=(8, 3)), 30, axis=0)
        found = fasterpam(between(points), np.arange(8) * 30)
        assert (found.loss, found.swaps) == (0, 0)


@pytest.mark.parametrize("k", [2, 3, 8])
def test_no_single_swap_gains_at_the_end(k: int) -> None:
    random = np.random.default_rng(k)
    distances = between(random.normal(size=(60, 3)))
    found = fasterpam(distances, random.choice(60, k, replace=False), random.permutation(60))
    assert found.loss == pytest.approx(distances[found.medoids].min(axis=0).sum(dtype=float))
    np.testing.assert_array_equal(distances[found.medoids[found.labels], np.arange(60)], distances[found.medoids].min(axis=0))
    for place in range(k):
        for other in range(60):
            swapped = found.medoids.copy()
            swapped[place] = other
            assert distances[swapped].min(axis=0).sum(dtype=float) >= found.loss - 1e-5


@pytest.mark.parametrize("k", [2, 3, 5, 8])
def test_the_same_medoids_as_the_package_kmedoids(k: int) -> None:
    kmedoids = pytest.importorskip("kmedoids")
    random = np.random.default_rng(k)
    for n in (20, 200, 700):
        distances = between(random.normal(size=(n, 4)))
        start = np.sort(random.choice(n, k, replace=False))
        own, other = fasterpam(distances, start), kmedoids.fasterpam(distances, start.astype(np.uint64), n_cpu=1)
        assert sorted(own.medoids.tolist()) == sorted(other.medoids.tolist())
        assert own.loss == pytest.approx(other.loss, rel=1e-6)


@pytest.mark.parametrize(
    ("start", "order", "error"),
    [
        ([], None, "start: [] must be different row numbers"),
        ([1, 1], None, "start: [1, 1] must be"),
        ([0, 6], None, "from 0 to 5"),
        ([-1, 2], None, "start: [-1, 2]"),
        ([0, 1], [0, 1, 2, 3, 4, 4], "order: it must name each of the 6 points once"),
    ],
)
def test_starts_and_orders_that_do_not_fit(start: list[int], order: list[int] | None, error: str) -> None:
    with pytest.raises(ParameterError) as refusal:
        fasterpam(LINE, np.array(start, dtype=int), None if order is None else np.array(order))
    assert error in str(refusal.value)


def test_distances_must_be_square() -> None:
    with pytest.raises(ParameterError, match="distances: the shape is"):
        fasterpam(LINE[:4], np.array([0, 1]))
