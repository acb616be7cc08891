"""Groups of runs by their number of phases, counted by hand."""

from hemcore.segmentation.compare.phase_groups import boundaries_text, groups_text, largest_share, run_groups
from hemcore.segmentation.evidence import RunAgreement, agreement_card, runs_detail, runs_reason

# Two kinds of runs: three with 3 phases, two with 2; in samples of runs of 100 and 200.
RUNS = [((10, 50), 100), ((50,), 100), ((40, 100), 200), ((60,), 100), ((30, 50), 100)]


def test_runs_with_as_many_phases_are_a_group_with_its_median_boundaries() -> None:
    three, two = run_groups(RUNS)
    assert (three.n_phases, three.places) == (3, (0, 2, 4))
    # 10%, 20%, 30% and 50%, 50%, 50%.
    assert three.boundaries == (0.2, 0.5)
    assert (two.n_phases, two.places, two.boundaries) == (2, (1, 3), (0.55,))
    assert largest_share((three, two)) == 0.6
    assert groups_text((three, two)) == "3 of 5 runs have 3 phases, 2 have 2."
    assert (
        boundaries_text((three, two))
        == "3 phases (3 runs): boundaries at 20%, 50% of the run. 2 phases (2 runs): boundaries at 55% of the run."
    )


def test_groups_of_one_size_and_many_groups() -> None:
    # Of equal groups that of the earlier run is first.
    assert groups_text(run_groups([((5, 7), 10), ((), 10)])) == "1 of 2 runs has 3 phases, 1 has 1."
    many = run_groups([(tuple(range(1, n)), 10) for n in (3, 3, 3, 4, 4, 5, 6)])
    assert groups_text(many) == "3 of 7 runs have 3 phases, 2 have 4, 2 other numbers."
    assert groups_text(run_groups([((5,), 10)] * 4)) == "All 4 runs have 2 phases."
    assert (run_groups([]), groups_text(()), largest_share(())) == ((), "", 1.0)


def test_a_second_kind_of_run_is_said_instead_of_a_median() -> None:
    # 31 of 60 runs have 10 phases and 29 have 14, though the median run agrees.
    runs = [(tuple(range(1, 10)), 100)] * 31 + [(tuple(range(1, 14)), 100)] * 29
    two_kinds = RunAgreement(60, 0.97, 1.0, 0.1, run_groups(runs))
    assert runs_reason(two_kinds, truth_known=False) == ("limited", "31 of 60 runs have 10 phases, 29 have 14.")
    assert runs_reason(two_kinds, truth_known=True).level == "good"
    card = agreement_card(two_kinds, "help", missing="one run only")
    assert card.note.startswith("31 of 60 runs have 10 phases, 29 have 14. In the same order;")
    assert "31 of 60 runs have 10 phases, 29 have 14. 10 phases (31 runs): boundaries at 1%" in runs_detail(two_kinds, 1)
    # 52 of 60 are more than 85%; 50 are not.
    for n, level in ((52, "good"), (50, "limited")):
        mixed = run_groups(runs[:1] * n + runs[-1:] * (60 - n))
        assert runs_reason(RunAgreement(60, 0.97, 1.0, 0.1, mixed), truth_known=False).level == level
    assert runs_reason(two_kinds._replace(covering=0.2, in_order=0.3), truth_known=False).level == "poor"
