"""How wrong a model is about changes, where it can be worked out by hand: slopes drawn at will, programs that differ by known factors."""

import numpy as np
import pytest

from hemcore.prediction.evaluate.change_errors import (
    ChangeErrors,
    _next,
    errors_of_changes,
    size_of,
    slope_covariance,
    step_sizes,
    steps_alone,
)
from hemcore.prediction.evaluate.counter_cloud import Cloud, cloud
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models.fitted import Linear

COUNTERS = ("Ir", "D1mr", "Bcm")
# 1 cycle per instruction, 10 per miss of the cache, 20 per mispredicted branch.
MODEL = Linear(form="counts", names=COUNTERS, theta=np.array([1.0, 10.0, 20.0]))


def rows_of(X: list[list[float]], group: list[int]) -> Rows:
    n, codes = len(X), np.array(group, dtype=np.int64)
    unknown = np.full(n, np.nan)
    known = {"X": np.array(X, dtype=float), "y": np.ones(n), "group": codes, "place": np.arange(n)}
    groups = tuple(f"p{code}" for code in range(int(codes.max()) + 1))
    return Rows(**known, copied=unknown, volts=unknown, hertz=unknown, groups=groups, counters=COUNTERS)


def errors(
    slopes: np.ndarray | None = None, offsets: tuple[float, ...] = (0.0,) * 5, within: float = 0.2, between: float = 1.0
) -> ChangeErrors:
    """Those of five programs, all steps within them and between them of one size each."""
    return ChangeErrors(
        slopes=np.zeros((2, 2)) if slopes is None else slopes,
        programs=5,
        offsets=np.array(offsets),
        within=np.array([within]),
        between=np.array([between]),
    )


def test_the_slopes_of_programs_have_the_covariance_that_they_were_drawn_with() -> None:
    # 300 programs whose error rises by 0.3, or falls by as much, per step of the first count, and by half of that per step of the second.
    random = np.random.default_rng(0)
    codes = np.repeat(np.arange(300), 40)
    logs = random.normal(5, (0.5, 2.0), (len(codes), 2)) + codes[:, None]  # means of programs are no matter
    slope = np.where(np.arange(300) % 2 == 0, 0.3, -0.3)
    noise = random.normal(0, 0.02, len(codes))
    wrong = slope[codes] * logs[:, 0] + slope[codes] / 2 * logs[:, 1] + noise + codes
    found = slope_covariance(logs, wrong, codes)
    assert found == pytest.approx(np.array([[0.09, 0.045], [0.045, 0.0225]]), rel=0.03, abs=1e-4)


def test_noise_alone_gives_no_slopes() -> None:
    random = np.random.default_rng(1)
    codes = np.repeat(np.arange(100), 50)
    found = slope_covariance(random.normal(0, 1, (5_000, 2)), random.normal(0, 0.1, 5_000), codes)
    # By least squares they would have a variance of 0.01 / 50 each.
    assert (np.diag(found) < 0.01 / 50 / 3).all()


def test_one_round_by_hand() -> None:
    # Squares of counts sum to 4, products with the error to 2, squares of errors to 3; slopes vary by 1, noise by 2: 4 / 2 + 1 / 1 = 3, so
    # the slope is 2 / 2 / 3, known to 1 / 3. Left over: 3 - 2 x 2 / 3 + 4 / 9 and 4 / 3, over 10 phases.
    spread, noise = _next(np.full((2, 1, 1), 4.0), np.full((2, 1), 2.0), 2 * 3.0, np.eye(1), 2.0, 10)
    assert spread[0, 0] == pytest.approx(1 / 9 + 1 / 3)
    assert noise == pytest.approx(2 * (3 - 4 / 3 + 4 / 9 + 4 / 3) / 10)


def test_without_phases_that_differ_there_are_no_slopes() -> None:
    one_each = slope_covariance(np.array([[1.0], [2.0]]), np.array([0.1, 0.4]), np.array([0, 1]))
    exact = slope_covariance(np.array([[1.0], [2.0]]), np.array([0.1, 0.1]), np.array([0, 0]))
    still = slope_covariance(np.array([[1.0, 1.0], [2.0, 1.0]] * 4), np.array([0.1, 0.4] * 4), np.array([0, 0, 0, 0, 1, 1, 1, 1]))
    assert one_each.tolist() == exact.tolist() == [[0.0]]
    assert still[0, 0] > 0
    assert (still[1] == 0).all()


def test_steps_alone_by_hand() -> None:
    # 100 + 50 + 20 = 170 cycles. Misses doubled: 220; branches halved: 160. Twice the instructions are no step per instruction.
    rows, after = rows_of([[100, 5, 1]], [0]), rows_of([[200, 20, 1]], [0])
    steps = steps_alone(MODEL, cloud(rows), rows, after)
    assert steps.tolist() == [pytest.approx([np.log(220 / 170), np.log(160 / 170)])]
    assert steps_alone(MODEL, cloud(rows), rows, rows).tolist() == [[0.0, 0.0]]
    # What one saves does not make up for what the other costs.
    assert size_of(np.array([[3.0, -4.0], [0.0, 0.0]])).tolist() == [5.0, 0.0]


def test_a_small_change_is_as_wrong_as_the_slopes_of_programs() -> None:
    # Both slopes vary by 0.04 and go along: one step each way cancels, one in both is 0.16. Student's t of 4 degrees at 90%: 1.533.
    own = errors(np.full((2, 2), 0.04))
    assert own.half_width(np.array([1.0, 1.0]), 0.1, 0.8) == pytest.approx(1.533 * 0.4, rel=1e-3)
    assert own.half_width(np.array([1.0, -1.0]), 0.1, 0.8) == 0
    assert own.half_width(np.array([-1.0, 0.0]), 0.1, 0.8) == pytest.approx(1.533 * 0.2, rel=1e-3)
    assert ChangeErrors(**(vars(own) | {"programs": 1})).half_width(np.ones(2), 0.1, 0.8) == 0


def test_a_change_as_large_as_from_program_to_program_is_as_wrong_as_those() -> None:
    # Differences of 0, 1, 3, 7, 12: 1 2 3 4 5 6 7 9 11 12. 80% of five is counted as of six: 96%, the last; 60% as 72%, the eighth.
    own = errors(np.full((2, 2), 0.04), offsets=(0.0, 1.0, 3.0, 7.0, 12.0))
    assert own.apart(0.8) == 12
    assert own.apart(0.6) == 9
    assert own.half_width(np.ones(2), 1.0, 0.8) == 12
    # Larger than what a program does itself, smaller than between programs: the slopes hold for the 0.2 that was seen.
    assert own.half_width(np.ones(2), 0.8, 0.8) == pytest.approx(1.533 * 0.4 / 4, rel=1e-3)


def test_a_step_is_between_programs_by_how_rare_it_is_in_one() -> None:
    # 0.5: half of the steps between programs are at most as large, a quarter of those within are larger.
    own = ChangeErrors(
        slopes=np.zeros((1, 1)), programs=4, offsets=np.zeros(4), within=np.array([0.1, 0.2, 0.5, 0.6]), between=np.array([0.4, 0.8])
    )
    assert own.between_programs(0.5) == pytest.approx(0.5 / 0.75)
    assert [own.between_programs(size) for size in (0.3, 0.7, 2.0)] == [0, 1, 1]
    alone = ChangeErrors(**(vars(own) | {"between": np.zeros(0)}))
    assert alone.between_programs(9.0) == 0


def test_of_programs_left_out_by_hand() -> None:
    # Three programs of two phases, 100 and 200 misses per 1,000 instructions; the third has as many branches as misses.
    X = [[1_000, 100, 10], [1_000, 200, 10], [1_000, 100, 10], [1_000, 200, 10], [1_000, 100, 100], [1_000, 200, 200], [1_000, 1, 1]]
    rows = rows_of(X, [0, 0, 1, 1, 2, 2, 2])
    log_errors = np.array([0.1, 0.1, 0.2, 0.4, -0.2, -0.4, np.nan])
    found = errors_of_changes(cloud(rows), rows, log_errors, lambda own: step_sizes(cloud(rows), own, MODEL))
    assert found.programs == 3
    assert found.offsets.tolist() == pytest.approx([0.1, 0.3, -0.3])
    # 2,200 and 3,200 cycles; in the third program 4,000, where twice the misses add 1,000 and twice the branches 2,000.
    one, third = np.log(3_200 / 2_200), np.hypot(np.log(5 / 4), np.log(6 / 4))
    back = np.hypot(np.log(6 / 7), np.log(5 / 7))
    assert sorted(found.within) == pytest.approx(sorted([one, one, one, one, third, back]))
    # Mean phases: 150 misses and 10 branches, 2,700 cycles; and 150 of each, 5,500. From the third on only branches change.
    assert sorted(found.between) == pytest.approx([0, np.log(5_500 / 2_700), np.log(5_500 / 2_700)])
    assert found.slopes[0, 0] > 0


def test_of_one_program_nothing_is_known() -> None:
    rows = rows_of([[1_000, 100, 10], [1_000, 200, 10]], [0, 0])
    known: Cloud = cloud(rows)
    found = errors_of_changes(known, rows, np.array([0.1, 0.3]), lambda own: step_sizes(known, own, MODEL))
    assert found.programs == 1
    assert found.half_width(np.ones(2), 1.0, 0.8) == 0
