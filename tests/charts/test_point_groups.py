"""Which of many points are drawn."""

import numpy as np

from hemcore.charts.point_groups import in_front


def test_chosen_points_are_drawn_only_where_they_are_shown() -> None:
    shown = np.array([True, False, True, True])
    # Points 0 and 1 are chosen; 1 is not shown.
    assert in_front(shown, np.array([True, True, False, False])).tolist() == [0]
    # No chosen point is shown: all that are shown.
    assert in_front(shown, np.array([False, True, False, False])).tolist() == [0, 2, 3]
    assert in_front(shown).tolist() == [0, 2, 3]


def test_of_too_many_points_some_are_drawn_evenly_with_both_ends() -> None:
    assert in_front(np.ones(9, dtype=bool), most=3).tolist() == [0, 4, 8]
