"""Which of many points are drawn."""

import numpy as np

from hemcore.charts.point_groups import Groups, in_front, scatter


def test_chosen_points_are_drawn_only_where_they_are_shown() -> None:
    shown = np.array([True, False, True, True])
    # Points 0 and 1 are chosen; 1 is not shown.
    assert in_front(shown, np.array([True, True, False, False])).tolist() == [0]
    # No chosen point is shown: all that are shown.
    assert in_front(shown, np.array([False, True, False, False])).tolist() == [0, 2, 3]
    assert in_front(shown).tolist() == [0, 2, 3]


def test_of_too_many_points_some_are_drawn_evenly_with_both_ends() -> None:
    assert in_front(np.ones(9, dtype=bool), most=3).tolist() == [0, 4, 8]


def test_long_names_that_begin_alike_differ_in_the_legend() -> None:
    names = [f"a_program_with_quite_a_long_name_number_{number}" for number in (1, 2)]
    groups = Groups(codes=np.array([0, 1]), names=names, colours=["#000000"] * 2, symbols=["circle"] * 2)
    x = np.array([1.0, 2.0])
    shown = [trace["name"] for trace in scatter(x, x, groups, np.arange(2), hover="")]
    assert len(set(shown)) == 2
    assert all(len(name) <= 24 for name in shown)
