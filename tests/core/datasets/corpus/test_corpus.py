"""Every variant of the corpus becomes the table that was written for it by hand."""

from itertools import combinations

import numpy as np
import pytest

from hemcore.datasets import CounterSeries
from hemcore.datasets.readers.recognition import read_upload, recognise
from hemcore.datasets.readers.uploaded_files import UploadedFile
from tests.core.datasets.corpus.variants import Variant, all_of_perf

PERF = all_of_perf()


def pairwise(variants: list[Variant]) -> set[str]:
    """The names of fewer variants, in which whatever two words are in one name are in one still."""
    seen: set[tuple[str, ...]] = set()
    kept = set()
    for variant in variants:
        pairs = set(combinations(variant.name.split(" "), 2)) or {(variant.name,)}
        if pairs - seen:
            kept.add(variant.name)
            seen |= pairs
    return kept


SOON = pairwise(PERF)


def check(variant: Variant) -> None:
    files = [UploadedFile(name, text.encode()) for name, text in variant.files.items()]
    matches = recognise(files)
    assert matches, "no format recognised"
    assert matches[0].key == variant.key
    table = read_upload(files).table
    assert isinstance(table, CounterSeries)
    places = [
        (str(a), int(r), int(i)) for a, r, i in table.intervals[["application", "run", "interval"]].itertuples(index=False, name=None)
    ]
    assert sorted(places) == sorted(variant.table)
    assert sorted(table.events) == sorted({event for row in variant.table.values() for event in row})
    for number, place in enumerate(places):
        expected = [variant.table[place].get(event, np.nan) for event in table.events]
        np.testing.assert_allclose(table.counts.iloc[number].to_numpy(dtype=float), expected, rtol=1e-12, err_msg=str(place))
    assert table.mode == variant.mode
    for event, share in variant.share.items():
        assert table.share is not None
        np.testing.assert_allclose(table.share[event].to_numpy(dtype=float), share, rtol=1e-12)


def test_the_corpus_is_large() -> None:
    assert len(PERF) >= 150
    assert len({variant.name for variant in PERF}) == len(PERF)


@pytest.mark.slow
@pytest.mark.parametrize("variant", [pytest.param(each, id=each.name, marks=[pytest.mark.long] * (each.name not in SOON)) for each in PERF])
@pytest.mark.sweep
def test_a_variant_of_perf_becomes_its_table(variant: Variant) -> None:
    check(variant)
