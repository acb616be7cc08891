"""A trained model corrects only what resembles its training: program, k, and size of counts, per event."""

import numpy as np
import pandas as pd

from hemcore.mpx.learned.network import TrainedModel
from hemcore.mpx.learned.resemblance import ranges, run_means, run_steps, suited
from hemcore.mpx.sampled import Rows, Sampled

EVENTS = ("A", "B", "C", "D", "E")


def model(**more: np.ndarray) -> TrainedModel:
    """Trained at k = 4 on the program p, whose runs have mean logs of 5 to 6 for each event."""
    spans = {"low": np.full((1, 5), 5, np.float32), "high": np.full((1, 5), 6, np.float32), "k": np.float32(4)}
    return TrainedModel(
        kind="all events", events=EVENTS, programs=("p",), slots_per_count=4, seed=0, weights={**spans, **more}, losses=pd.DataFrame()
    )


def sampled(logs: list[float], k: int = 4, programs: tuple[str, ...] = ("p",)) -> tuple[Sampled, Rows]:
    """A run per program of 40 slots in which each event has always its one count, seen in 1 of k slots."""
    counts = np.repeat(np.expm1(np.array(logs))[:, None], 40 * len(programs), axis=1)
    seen = np.where(np.arange(counts.shape[1]) % k == 0, counts, np.nan)
    starts = np.arange(len(programs) + 1) * 40
    return Sampled(counts=seen, starts=starts), Rows(np.arange(counts.shape[1]), starts, [(name, 1) for name in programs])


def test_what_resembles_training_is_corrected() -> None:
    found = suited(model(), *sampled([5, 5.5, 6, 5 - 0.69, 6 + 0.69]))
    assert found.corrected.all()
    assert found.why == ()


def test_an_event_of_other_size_is_not_and_many_make_the_run_strange() -> None:
    found = suited(model(), *sampled([5, 5.5, 6, 5 - 0.70, 5]))
    assert found.corrected.ravel().tolist() == [True, True, True, False, True]
    assert found.why == ("Counts of D are unlike those in training: they get the untrained estimate.",)
    # Counts of a fiftieth: 3.9 in logs. Two of five events are more than a quarter.
    fiftieth = suited(model(), *sampled([5, 5.5, 6, 5.5 - np.log(50), 5.5 - np.log(50)]))
    assert not fiftieth.corrected.any()
    assert fiftieth.why == ("Counts of A and 4 more events are unlike those in training: they get the untrained estimate.",)


def test_another_k_or_program_is_not() -> None:
    found = suited(model(), *sampled([5.5] * 5, k=8))
    assert not found.corrected.any()
    assert found.why == ("The model was trained at 1 slot in 4; this series has 1 in 8 and gets the untrained estimate.",)
    near = suited(model(), *sampled([5.5] * 5, k=5))
    assert near.corrected.all()
    assert near.why == ("The model was trained at 1 slot in 4; this series has 1 in 5, for which it was not tested.",)
    two = suited(model(), *sampled([5.5] * 5, programs=("p", "q")))
    assert two.corrected.tolist() == [[True, False]] * 5
    assert two.why == ("The model was not trained on q, which gets the untrained estimate.",)


def test_models_kept_without_sizes_have_program_and_k() -> None:
    old = TrainedModel(kind="all events", events=EVENTS, programs=("p",), slots_per_count=4, seed=0, weights={}, losses=pd.DataFrame())
    assert suited(old, *sampled([1.0] * 5)).corrected.all()
    assert not suited(old, *sampled([1.0] * 5, k=2)).corrected.any()


def test_ranges_are_of_each_programs_runs() -> None:
    counts = np.expm1(np.array([[1.0, 3, np.nan, np.nan, 7, 9], [2, 2, 4, 6, np.nan, np.nan]]))
    means = run_means(Sampled(counts=counts, starts=np.array([0, 2, 4, 6])))
    np.testing.assert_allclose(means, [[2, np.nan, 8], [2, 5, np.nan]])
    found = ranges(np.array([[2.0, 3, 8], [2, 5, 4]]), np.array([[0.1, 0.3, 0.2], [0.5, 0.4, np.nan]]), ["p", "p", "q"], ("q", "p"))
    assert found["low"].tolist() == [[8, 4], [2, 2]]
    assert found["high"].tolist() == [[8, 4], [3, 5]]
    assert found["rough"].tolist() == np.float32([[0.2, 0], [0.3, 0.5]]).tolist()


def test_steps_are_between_counted_slots_of_one_run() -> None:
    counts = np.expm1(np.array([[1.0, np.nan, 3, 2, 7, 7.5], [np.nan, 4, np.nan, 6, np.nan, np.nan]]))
    given = Sampled(counts=counts, starts=np.array([0, 4, 6]))
    np.testing.assert_allclose(run_steps(given), [[1.5, 0.5], [2, np.nan]])
    np.testing.assert_allclose(run_steps(given, 2), [[1, np.nan], [np.nan, np.nan]])


def test_slots_in_another_order_are_not_corrected() -> None:
    """In training a step is at most 0.2: 1.5 times that and 0.1 are allowed."""
    given, rows = sampled([5.5] * 5)
    shown = np.flatnonzero(~given.hidden[0])
    for size, same in ((0.39, True), (0.41, False)):
        given.counts[:2, shown] = np.expm1(5.5 + size * (np.arange(len(shown)) % 2))
        found = suited(model(rough=np.full((1, 5), 0.2, np.float32)), given, rows)
        assert found.corrected.all() == same
        assert (found.why == ()) == same
