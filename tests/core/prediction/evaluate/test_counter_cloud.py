"""What goes along with a change, and what is far, by hand: clouds of one or two counters whose covariances are given."""

import math

import numpy as np
import pytest

from hemcore.prediction.evaluate.change_errors import ChangeErrors
from hemcore.prediction.evaluate.counter_cloud import Cloud, cloud
from hemcore.prediction.evaluate.phase_changes import far_part, interval, phase_weights
from hemcore.prediction.model_rows import Rows
from hemcore.prediction.models.fitted import Linear
from hemcore.prediction.models.trained_models import FittedModels
from hemcore.prediction.models.tuning import Tuned
from hemcore.prediction.params import PredictionParams

COUNTERS = ("D1mr", "Dr")
# Logs of the two vary by 1 each and share half of it: Dr goes with the square root of D1mr.
HALF = np.array([[1.0, 0.5], [0.5, 1.0]])


def rows_of(
    X: list[list[float]], counters: tuple[str, ...] = COUNTERS, y: list[float] | None = None, group: list[int] | None = None
) -> Rows:
    n = len(X)
    unknown, codes = np.full(n, np.nan), np.array(group or [0] * n, dtype=np.int64)
    return Rows(
        X=np.array(X, dtype=float), y=np.array(y or [1.0] * n), group=codes, copied=unknown, volts=unknown, hertz=unknown,
        place=np.arange(n), groups=tuple(f"p{code}" for code in range(int(codes.max()) + 1)), counters=counters,
    )  # fmt: skip


def cloud_of(
    counters: tuple[str, ...] = COUNTERS,
    *,
    work: str = "",
    high: float = 4.0,
    points: list[float] | None = None,
    far: float = 1.0,
    parts: int = 0,
) -> Cloud:
    """Logs from 0 to ln(high) in each counter; points: of one counter, in standard deviations."""
    d = len(counters)
    within = HALF if d == 2 else np.eye(d)
    return Cloud(
        counters=counters, work=work, floors=np.zeros(d), middle=np.zeros(d), units=np.ones(d), within=within,
        again=np.array([within] * parts).reshape(parts, d, d), axes=np.eye(d), ends=np.array([[0.0] * d, [math.log(high)] * d]),
        inverse=np.eye(d), points=np.array(points or [0.0]).reshape(-1, 1), far=far,
    )  # fmt: skip


def test_what_goes_along_stops_at_the_most_that_was_measured() -> None:
    # Four times the misses: twice the reads, 2 to 4. Sixteen times: 8, but no more than 4 was ever measured; who has 8 keeps them.
    found = cloud_of()
    assert found.moved(rows_of([[1, 2]]), {"D1mr": 4.0}, together=True).X.tolist() == [[4, pytest.approx(4)]]
    assert found.moved(rows_of([[1, 2], [1, 8]]), {"D1mr": 16.0}, together=True).X[:, 1].tolist() == pytest.approx([4, 8])
    # Nor less than the least measured, 1; who has 0.5 keeps it.
    assert found.moved(rows_of([[16, 2], [16, 0.5]]), {"D1mr": 1 / 16}, together=True).X[:, 1].tolist() == pytest.approx([1, 0.5])


def test_what_goes_along_is_known_up_to_the_rest_of_its_variance() -> None:
    # Half of the covariance squared is explained: 1 - 0.5 x 0.5 / 1 = 0.75 of the variance is left.
    assert cloud_of().spread([0], [1]).tolist() == pytest.approx([math.sqrt(0.75)])


def test_instructions_lengthen_together_and_alone_only_themselves() -> None:
    rows = rows_of([[100, 10, 2]], ("Ir", *COUNTERS))
    found = cloud_of(work="Ir")
    assert found.moved(rows, {"Ir": 3.0}, together=True).X.tolist() == [[300, 30, 6]]
    assert found.moved(rows, {"Ir": 3.0}, together=False).X.tolist() == [[300, 10, 2]]


def test_the_distance_is_the_mean_to_the_five_nearest() -> None:
    # The log of a count of 1 is 0: as far as 0, 1, 2, 3, 4 from the points.
    assert cloud_of(("D1mr",), points=[0, 1, 2, 3, 4, 9]).distances(rows_of([[1]], ("D1mr",))).tolist() == [pytest.approx(2)]


def test_a_long_program_does_not_decide_alone_what_is_far() -> None:
    # 300 phases of one program are alike, at distance 0; 10 of another are not. Each program counts the same, so that 5% are among the 10.
    X = [[1000.0]] * 300 + [[float(2**place)] for place in range(10)]
    assert cloud(rows_of(X, ("D1mr",), group=[0] * 300 + [1] * 10)).far > 0.1


def test_one_phase_in_twenty_left_out_is_far() -> None:
    # Five programs of 20 phases each: 19 alike, and one at a distance of its own that no other program has. Of the five such phases, 5% of
    # all, the nearest is where far begins.
    X = [[1000.0 * math.exp(10 * program * (phase == 19)) for phase in range(20)] for program in range(1, 6)]
    flat = [[each] for own in X for each in own]
    group = [program for program in range(5) for _ in range(20)]
    far = cloud(rows_of(flat, ("D1mr",), group=group)).far
    assert far == pytest.approx(0, abs=1e-6)
    more = [[each] for own in X for each in own[:-1] + [own[-1]] * 2]
    assert cloud(rows_of(more, ("D1mr",), group=[program for program in range(5) for _ in range(21)])).far > 1


def test_a_phase_that_was_far_as_measured_is_far_once_it_is_farther() -> None:
    # Points at log 0, far from 1 on. At log 3 a phase has been seen: log 3.2 is no news, log 3.4 is more than 1.1 times as far.
    rows, found = rows_of([[math.exp(3)]], ("D1mr",)), cloud_of(("D1mr",))
    for step, part in ((0.2, 0.0), (0.4, 1.0)):
        after = rows.with_counts(rows.X * math.exp(step))
        assert far_part(found, rows, after, np.ones(1)) == (pytest.approx(3 + step), part)
    near = rows_of([[1.0]], ("D1mr",))
    assert far_part(found, near, near.with_counts(near.X * math.exp(0.9)), np.ones(1))[1] == 0


def test_weights_of_phases_are_their_targets_or_even_by_program() -> None:
    rows = rows_of([[1], [1], [1]], ("D1mr",), y=[1, 3, 6], group=[0, 0, 1])
    assert phase_weights(rows, even=False).tolist() == pytest.approx([0.1, 0.3, 0.6])
    assert phase_weights(rows, even=True).tolist() == pytest.approx([0.125, 0.375, 0.5])


def ready_of(refits: list[list[float]], **more: dict[str, ChangeErrors]) -> FittedModels:
    """A model of Ir + 10 D1mr, and what it was without a part of the programs each."""
    names = ("Ir", "D1mr")
    one, *others = (Linear(form="counts", names=names, theta=np.array(theta)) for theta in [[1.0, 10.0], *refits])
    return FittedModels(
        models={"OLS": Tuned(model="OLS", fitted=one, settings={})}, off={}, scores={"OLS": 0.0}, reach=None, example=None,  # type: ignore[arg-type]
        target="CYCLES", programs=("p0",), notes=(), params=PredictionParams(), cloud=cloud_of(("D1mr",), work="Ir", parts=len(refits)),
        refits={"OLS": tuple(others)}, **more,
    )  # fmt: skip


def test_the_interval_is_of_the_costs_without_a_part_of_the_programs() -> None:
    # Half of the misses: 100 + 100 become 100 + 50, -25%. Without one part only misses cost (-50%), without the other instructions (0).
    # Logs -0.693 and 0: half of it from their middle, twice; Student's t with one degree of freedom is at 90% tan(0.4 pi). The response is
    # known to a tenth at best.
    rows = rows_of([[100, 10]], ("Ir", "D1mr"), y=[200])
    half = math.hypot(math.tan(0.4 * math.pi) * math.log(2) / 2, 0.1 * math.log(0.75))
    found = interval(ready_of([[0.0, 10.0], [1.0, 0.0]]), "OLS", rows, {"D1mr": -0.5}, -0.25, together=False)
    assert found == pytest.approx((0.75 * math.exp(-half) - 1, 0.75 * math.exp(half) - 1))
    # Models that are apart by 3 in logs, as a third side.
    wide = interval(ready_of([[0.0, 10.0], [1.0, 0.0]]), "OLS", rows, {"D1mr": -0.5}, -0.25, 3.0, together=False)
    assert wide == pytest.approx((0.75 * math.exp(-math.hypot(half, 3)) - 1, 0.75 * math.exp(math.hypot(half, 3)) - 1))


def test_two_of_three_parts_that_agree_count_as_two() -> None:
    # Logs -0.693, 0 and 0: their jackknife error is 2/3 of 0.693; Student's t with two degrees of freedom is at 90% 0.8 sqrt(2 / 0.36).
    rows = rows_of([[100, 10]], ("Ir", "D1mr"), y=[200])
    half = math.hypot(0.8 * math.sqrt(2 / 0.36) * math.log(2) * 2 / 3, 0.1 * math.log(0.75))
    low, high = interval(ready_of([[0.0, 10.0], [1.0, 0.0], [1.0, 0.0]]), "OLS", rows, {"D1mr": -0.5}, -0.25, together=False)
    assert (low, high) == pytest.approx((0.75 * math.exp(-half) - 1, 0.75 * math.exp(half) - 1))


def test_a_response_is_uncertain_beyond_what_only_makes_a_phase_longer() -> None:
    # Twice the instructions with half of the misses each: 200 + 100, +50%; misses per instruction are halved. Slopes vary by 0.3 from
    # program to program; Student's t of ten programs is at 90% 1.383. Twice the instructions alone change no count per instruction.
    rows = rows_of([[100, 10]], ("Ir", "D1mr"), y=[200])
    wrong = ChangeErrors(slopes=np.array([[0.09]]), programs=10, offsets=np.zeros(10), within=np.full(3, 9.0), between=np.full(3, 9.0))
    ready = ready_of([[1.0, 10.0], [2.0, 20.0]], change_errors={"OLS": wrong})
    low, high = interval(ready, "OLS", rows, {"Ir": 1.0, "D1mr": -0.5}, 0.5, together=True)
    half = 1.383 * 0.3 * math.log(2)
    assert (low, high) == pytest.approx((1.5 * math.exp(-half) - 1, 1.5 * math.exp(half) - 1), rel=1e-3)
    assert interval(ready, "OLS", rows, {"Ir": 1.0}, 1.0, together=True) == pytest.approx((1, 1))
    # Of log 1.5, log 2 is length; of the rest a tenth is not known, whatever programs left out say.
    low, high = interval(ready_of([[1.0, 10.0], [2.0, 20.0]]), "OLS", rows, {"Ir": 1.0, "D1mr": -0.5}, 0.5, together=True)
    half = 0.1 * abs(math.log(1.5) - math.log(2))
    assert (low, high) == pytest.approx((1.5 * math.exp(-half) - 1, 1.5 * math.exp(half) - 1))
