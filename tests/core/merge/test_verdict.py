"""The verdict of a merge: every branch is read at a glance, and "good" needs all the evidence."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.headline import Verdict
from hemcore.merge import CopulaParams, HrmParams, MuchParams
from hemcore.merge.analysis import MUCH
from hemcore.merge.headline import verdict
from hemcore.merge.results import MergeReport
from hemcore.merge.trust.correlation_intervals import COLUMNS
from hemcore.merge.trust.outlier_shift import OutlierEffect
from hemcore.merge.trust.sampling_noise import TruthError
from hemcore.merge.trust.subexperiment_agreement import COLUMNS as DISAGREEMENTS
from hemcore.merge.trust.subexperiment_agreement import Agreement

HEMS = ["L2_CACHE_REQUESTS_OF_THE_PREFETCHER", "B", "C"]


def square(value: float) -> pd.DataFrame:
    frame = pd.DataFrame(np.full((3, 3), value), index=HEMS, columns=HEMS)
    return frame.mask(np.eye(3, dtype=bool), 1.0)


def truth(mse: float) -> TruthError:
    """Sampling noise is 1e-3; at four times that, 2 of the 3 pairs are off."""
    return TruthError(mse=mse, noise=1e-3, n_runs=500, n_pairs=3, n_beyond=2 if mse > 1e-3 else 0, real=square(0.5), errors=square(0.03))


def outliers(mean: float, r: float) -> OutlierEffect:
    """3% of A's readings left out; its mean times `mean`, r of A with B from 0.5 to `r`."""
    margins = pd.DataFrame(
        {"hem": HEMS, "readings": 100, "left_out": [3, 0, 0], "mean_read": 10.0, "mean_used": 10.0, "moved": [mean, 1.0, 1.0]}
    )
    return OutlierEffect(margins=margins, pairs=pd.DataFrame({"hem_a": HEMS[:1], "hem_b": HEMS[1:2], "r_read": [0.5], "r_used": [r]}))


def disagreeing(*names: str, either: bool = False, ratio: float = 2.0) -> Agreement:
    rows = [(name, "B", 100, 200, 0.5, ratio) for name in names]
    return Agreement(disagree=pd.DataFrame(rows, columns=DISAGREEMENTS), either=either, compared=3)


def report(
    *,
    worst: float = 0.01,
    apart: int = 0,
    constant: bool = False,
    n_hems: int = 3,
    noise: float = 0.02,
    n_outside: int = 0,
    params: HrmParams | MuchParams | CopulaParams | None = None,
    **more: object,
) -> MergeReport:
    """Three HEMs; pairs never read together: A with B (apart = 1), A with C too (2), all (3). constant: C has no correlation."""
    readings, target, achieved = square(500), square(0.5), square(0.5 + worst)
    for one, other in ((0, 1), (0, 2), (1, 2))[:apart]:
        for frame, value in ((readings, 0), (target, np.nan)):
            frame.iloc[one, other] = frame.iloc[other, one] = value
    if constant:
        target.iloc[2, :2] = target.iloc[:2, 2] = np.nan
    known = [pair for pair in ((1, 2), (0, 2), (0, 1)) if np.isfinite(target.iloc[pair])]
    intervals = pd.DataFrame([(HEMS[a], HEMS[b], 0.5, 0.4, 0.6, 500, "counts", 100) for a, b in known], columns=COLUMNS)
    return MergeReport(
        merged=pd.DataFrame(np.zeros((1_000, 3)), columns=HEMS),
        target=target,
        achieved=achieved,
        readings=readings,
        mse=worst**2,
        worst=(HEMS[known[0][0]], HEMS[known[0][1]], worst) if known else None,
        left_out=pd.DataFrame(),
        n_hems=n_hems,
        n_subexperiments=7,
        params=params if params is not None else HrmParams(),
        noise=noise,
        intervals=intervals.assign(merged=0.5 + worst),
        outside=intervals.iloc[:n_outside].assign(merged=0.5 + worst),
        **more,  # type: ignore[arg-type]
    )


def test_the_evidence_of_a_good_merge_and_what_takes_it_away() -> None:
    assert verdict(report()) == Verdict(
        answer="3 of 3 HEMs merged into one table of 1,000 runs.",
        trust="Measured correlations are met to within 0.01: every pair can be read.",
        why=("A measured r has a standard error of ±0.02.", "Pairs read together: the merged r is within 0.01 of the measured r."),
        level="good",
        remedies=verdict(report()).remedies,
    )
    # Few runs, a HEM left out, a pair never read together, outliers that change a mean, a subexperiment that disagrees.
    assert verdict(report(noise=0.05)).level == "limited"
    assert verdict(report(noise=0.05)).trust == "Measured r are met to within 0.01, but uncertain by ±0.05."
    # 15 runs: no model knows an r that the runs leave uncertain by 0.2, however well the merge fits them.
    few = verdict(report(noise=0.2, params=CopulaParams()))
    assert few.level == "poor"
    assert few.trust == "Too few runs: a measured r is uncertain by ±0.2."
    assert verdict(report(noise=0.2, params=MuchParams())).remedies[0].label == "Add runs"
    assert verdict(report(noise=0.2, truth=truth(1.2e-3))).level == "limited"
    # However well MUCH meets the correlations, its rows are not like those read together.
    much = verdict(report(params=MuchParams()))
    assert (much.level, much.trust) == ("limited", "MUCH keeps the correlations and nothing else.")
    assert [remedy.label for remedy in much.remedies] == ["Merge with the copula"]
    assert verdict(report(noise=0.05)).level == "limited"
    assert verdict(report(n_hems=4)).level == "limited"
    assert verdict(report(n_hems=4)).trust == "Measured correlations are met to within 0.01; 1 HEM is left out."
    assert verdict(report(apart=1)).level == "limited"
    assert verdict(report(outliers=outliers(0.9, 0.5))).level == "limited"
    assert verdict(report(agreement=disagreeing("a"))).level == "poor"


@pytest.mark.parametrize(("used", "level"), [(0.56, "limited"), (0.64, "limited"), (0.65, "poor"), (0.35, "poor")])
def test_outliers_that_change_a_correlation_by_0_15_spoil_the_merge(used: float, level: str) -> None:
    found = verdict(report(outliers=outliers(1.0, used)))
    assert found.level == level
    assert found.trust == f"Runs left out as outliers move r of L2_CACHE_…EFETCHER with B from 0.50 to {used:.2f}."
    assert found.remedies[0].label == "Leave no run out"


def test_an_r_that_few_runs_decide_is_named() -> None:
    plain = report(params=CopulaParams())
    for behind, low, level in ((4, 0.4, "good"), (3, 0.5, "good"), (3, 0.4, "limited")):
        found = verdict(replace(plain, intervals=plain.intervals.assign(rests_on=[100, behind, 100], low=low)))
        assert found.level == level
    assert found.trust == "r of L2_CACHE_…EFETCHER with C rests on 3 of 500 runs."


@pytest.mark.parametrize(("n_outside", "worst", "level"), [(0, 0.2, "good"), (1, 0.12, "limited"), (1, 0.24, "limited"), (1, 0.26, "poor")])
def test_the_copula_is_judged_by_its_intervals_and_not_by_its_fit(n_outside: int, worst: float, level: str) -> None:
    """One of three pairs outside 0.4 to 0.6 is more than a fifth; red if it is 0.15 or more beyond: at 0.76, not at 0.74."""
    found = verdict(report(params=CopulaParams(), worst=worst, n_outside=n_outside))
    assert found.level == level
    assert (found.trust == "1 of 3 merged correlations are outside their 90% interval.") == bool(n_outside)


def test_the_copula_meets_the_r_that_has_the_interval() -> None:
    """Pearson's r of one pair is 0.5 off, by a run that decides it; by ranks the merge is 0.02 off at most. Few runs are then the doubt."""
    plain = report(params=CopulaParams(), worst=0.5, noise=0.08)
    ranks = plain.intervals.assign(scale="ranks", merged=[0.5, 0.52, 0.49])
    assert verdict(replace(plain, intervals=ranks)).trust == ("Measured r are met to within 0.02, but uncertain by ±0.08.")
    few = verdict(replace(plain, intervals=ranks.assign(rests_on=[1, 100, 100])))
    assert (few.trust, few.level) == ("r of B with C rests on 1 of 500 runs.", "limited")
    assert "to within 0.5" in verdict(replace(plain, intervals=ranks, params=HrmParams())).trust


@pytest.mark.parametrize(
    ("merged", "level"), [((0.64,), "good"), ((0.36,), "good"), ((0.66,), "limited"), ((0.34,), "limited"), ((0.61,) * 4, "limited")]
)
def test_a_pair_outside_its_interval_is_forgiven_where_chance_explains_it(merged: tuple[float, ...], level: str) -> None:
    """10 intervals 0.4 to 0.6: one pair outside is usual, by 0.06 it is no chance; 4 are outside with a probability of 1.3%."""
    plain = report(params=CopulaParams())
    ten = pd.concat([plain.intervals.iloc[:1]] * 10, ignore_index=True)
    found = verdict(replace(plain, intervals=ten, outside=ten.iloc[: len(merged)].assign(merged=merged)))
    assert found.level == level
    assert found.trust.endswith(
        {
            1: "; 1 of 10 is outside the 90% interval, as chance explains." if level == "good" else "interval, one by 0.06.",
            4: "4 of 10 merged correlations are outside their 90% interval.",
        }[len(merged)]
    )


@pytest.mark.parametrize(("n_wide", "n_pairs", "level"), [(1, 10, "good"), (2, 10, "limited"), (2, 19, "limited"), (2, 20, "good")])
def test_nine_of_ten_pairs_are_known_to_0_1(n_wide: int, n_pairs: int, level: str) -> None:
    """0.4 to 0.6 is just narrow enough; 0.39 to 0.6 is not."""
    plain = report(params=CopulaParams())
    pairs = pd.concat([plain.intervals.iloc[:1]] * n_pairs, ignore_index=True)
    pairs.loc[: n_wide - 1, "low"] = 0.39
    found = verdict(replace(plain, intervals=pairs, outside=pairs.iloc[:0].assign(merged=0.0)))
    assert found.level == level
    assert (found.trust == f"2 of {n_pairs} measured r are uncertain by over ±0.1 (90% interval).") == (level == "limited")
    assert verdict(replace(plain, intervals=pairs, truth=truth(1.2e-3))).level == "good"


def test_the_truth_decides_where_it_is_known() -> None:
    good, bad = verdict(report(worst=0.2, truth=truth(1.2e-3))), verdict(report(truth=truth(4e-2)))
    # The root of (1.2e-3 - 1e-3) * 3 / 2 is 0.017, of (4e-2 - 1e-3) * 3 / 2 0.24: below 0.05 and above 0.15.
    assert (good.level, bad.level) == ("good", "poor")
    assert good.trust == "Correlations are as good as reading all HEMs together once more."
    assert bad.trust == "2 of 3 pairs are further from the truth than noise explains."


PARAMS = pytest.mark.parametrize("params", [HrmParams(), MuchParams(), CopulaParams()], ids=lambda params: type(params).__name__)


def read_at_a_glance(found: Verdict) -> None:
    assert not found.too_long(), found.text
    assert all(each.endswith(".") for each in (found.answer, found.trust, *found.why)), found.full_text


@pytest.mark.slow
@PARAMS
def test_every_verdict_is_read_at_a_glance(params: HrmParams) -> None:
    seen = set()
    for worst, apart, constant, n_hems, noise, against, (n_outside, completable) in product(
        (0.01, 0.2), (0, 1, 3), (False, True), (3, 5), (0.02, 0.2), (None, 1e-3, 4e-2), ((0, True), (2, False))
    ):
        known = None if against is None else truth(against)
        given = {"worst": worst, "apart": apart, "constant": constant, "n_hems": n_hems, "noise": noise, "n_outside": n_outside}
        found = verdict(report(**given, params=params, truth=known, completable=completable))  # type: ignore[arg-type]
        read_at_a_glance(found)
        seen.add(found.trust)
        assert found.level != "good" or (not apart and not constant and n_hems == 3 and (known is not None or noise == 0.02))
    assert len(seen) > 12


@PARAMS
def test_outliers_and_disagreement_are_read_at_a_glance_and_never_good(params: HrmParams) -> None:
    effects = (None, outliers(1.0, 0.5), outliers(0.9, 0.5), outliers(1.0, 0.9), outliers(0.9, 0.9))
    agreements = (None, disagreeing("a"), disagreeing("my first run", "b", "c"), disagreeing("a", "b", either=True))
    for effect, agreement in product(effects, agreements):
        found = verdict(report(params=params, outliers=effect, agreement=agreement))
        read_at_a_glance(found)
        fine = agreement is None and (effect is None or not effect.matters) and not isinstance(params, MuchParams)
        assert (found.level == "good") == fine


def test_a_change_of_exactly_0_15_is_too_far() -> None:
    effect = outliers(1.0, 0.15)
    effect.pairs["r_read"] = 0.0
    assert verdict(report(outliers=effect)).level == "poor"


def test_where_no_pair_of_the_merged_was_read_together_the_pairs_are_planned_first() -> None:
    """A with B, C with D: the copula, which joins what MUCH leaves apart, could not relate the two groups either."""
    random = np.random.default_rng(0)
    sizes = [random.normal(1_000, 50, 60).round() for _ in range(2)]
    frames = tuple(pd.DataFrame(dict.fromkeys(hems, size)) for hems, size in zip(("AB", "CD"), sizes, strict=True))
    found = MUCH.of(Subexperiments(frames=frames, n_pmcs=2), MuchParams(unmeasured="complete"))
    said = verdict(found)
    assert said.trust == "No pair was read together: nothing can be checked."
    assert [each.label for each in said.remedies] == ["Plan these pairs", "Merge with the copula"]
