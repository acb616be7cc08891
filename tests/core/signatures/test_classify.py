"""EAR's rules, by cases worked out by hand: every strategy, every version, every boundary."""

import re

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.errors import HemError, ParameterError, TableError
from hemcore.signatures import (
    CLASSES,
    PEAKS,
    THRESHOLDS,
    Extremes,
    Medoids,
    Peaks,
    Thresholds,
    classify_default,
    classify_kmedoids,
    classify_roofline,
    theoretical_peaks,
    why_default,
    why_kmedoids,
    why_roofline,
)

C, M, X = CLASSES
SPR = THRESHOLDS["Intel Sapphire Rapids and newer"]
LIMITS = Thresholds(cpu_cpi=0.6, cpu_gbs=30, mem_cpi=0.8, mem_gbs=100)
NODE = Peaks(gbs=100, gflops=1000)  # the ridge point at 10 FLOP/byte


def rows(**columns: list[float]) -> pd.DataFrame:
    n = len(next(iter(columns.values())))
    return pd.DataFrame({name: np.array(columns.get(name, [1.0] * n), dtype=float) for name in ("CPI", "TPI", "MEM_GBS", "GFLOPS")})


@pytest.mark.parametrize(
    ("cpi", "gbs", "documentation", "code"),
    [
        (0.5, 20, C, C),
        (0.6, 30, C, X),  # on both limits: <= holds, < does not
        (0.6, 20, C, C),  # the float of 0.6 is above 0.6
        (0.5, 30, C, X),
        (np.nextafter(0.6, 1), 30, X, X),
        (0.6, np.nextafter(30, 31), X, X),
        (0.9, 120, M, M),
        (0.8, 100, M, X),
        (0.8, 120, M, X),
        (0.9, 100, M, X),
        (np.nextafter(0.8, 0), 100, X, X),
        (0.8, np.nextafter(100, 0), X, X),
        (0.7, 50, X, X),
        (0.5, 120, X, X),
        (0.9, 20, X, X),
        (0.0, 0.0, C, C),
    ],
)
def test_default(cpi: float, gbs: float, documentation: str, code: str) -> None:
    given = rows(CPI=[cpi], MEM_GBS=[gbs])
    assert classify_default(given, LIMITS)[0] == documentation
    assert classify_default(given, LIMITS, rules="5.1")[0] == code
    assert classify_default(given, LIMITS, rules="5.2")[0] == code


def test_default_tries_cpu_bound_first_where_limits_overlap() -> None:
    overlapping = Thresholds(cpu_cpi=1, cpu_gbs=100, mem_cpi=0.5, mem_gbs=50)
    assert classify_default(rows(CPI=[0.7], MEM_GBS=[70]), overlapping)[0] == C
    assert why_default(rows(CPI=[0.7], MEM_GBS=[70]), overlapping)[0] == "CPI at most 1 and MEM_GBS at most 100"


def test_default_on_one_limit_of_both() -> None:
    # Sapphire Rapids has CPI 0.4 for both classes; the bandwidth decides.
    assert classify_default(rows(CPI=[0.4] * 4, MEM_GBS=[180, 181, 249, 250]), SPR).tolist() == [C, X, X, M]


def test_limits_of_the_releases_are_c_floats() -> None:
    # 0.4 as a float is 0.4000000059604645: a CPI of 0.4 is below it, one of 0.40000001 is not; nor is 0.4 above it.
    at_limit = rows(CPI=[0.4, 0.40000001, 0.4], MEM_GBS=[100, 100, 300])
    assert classify_default(at_limit, SPR, rules="5.2").tolist() == [C, X, X]


@pytest.mark.parametrize(
    ("gflops", "gbs", "share", "documentation"),
    [
        (500, 50, 0.75, C),  # on the ridge point
        (np.nextafter(500, 0), 50, 0.75, X),
        (500, np.nextafter(50, 51), 0.75, X),
        (10, 75, 0.75, M),
        (10, np.nextafter(75, 0), 0.75, X),
        (10, 60, 0.6, M),
        (10, np.nextafter(60, 0), 0.6, X),
        (10, 100, 1.0, M),
        (1, 0, 0.75, C),  # an intensity without end
        (0, 0, 0.75, X),
        (0, 80, 0.75, M),
    ],
)
def test_roofline_to_the_letter(gflops: float, gbs: float, share: float, documentation: str) -> None:
    assert classify_roofline(rows(GFLOPS=[gflops], MEM_GBS=[gbs]), NODE, bandwidth_share=share)[0] == documentation


@pytest.mark.parametrize(
    ("gflops", "gbs", "first", "second"),
    [
        # Four CPUs: right of the ridge, 5.1 asks for 3,000 GFLOPS (0.75 x 1,000 x 4), 5.2 for nothing more.
        (3000, 300, C, C),
        (2999, 299, X, C),
        (40, 4, X, C),
        # Left of it: 0.75 x 100 x 4 = 300 and 0.6 x 100 x 4 = 240 GB/s.
        (10, 300, M, M),
        (10, 299, X, M),
        (10, 240, X, M),
        (10, 239, X, X),
        (1, 0, X, C),
        (0, 0, X, X),
    ],
)
def test_roofline_of_the_releases(gflops: float, gbs: float, first: str, second: str) -> None:
    given = rows(GFLOPS=[gflops], MEM_GBS=[gbs])
    assert classify_roofline(given, NODE, rules="5.1", n_cpus=4)[0] == first
    assert classify_roofline(given, NODE, rules="5.2", n_cpus=4)[0] == second
    with_cpus = Peaks(gbs=100, gflops=1000, n_cpus=4)
    assert classify_roofline(given, with_cpus, rules="5.2", bandwidth_share=0.01)[0] == second


def test_a_file_of_the_node_is_never_memory_bound_to_a_release() -> None:
    node = PEAKS["2 x EPYC 9654, as in EAR's documentation"]
    at_its_peak = rows(GFLOPS=[100], MEM_GBS=[921.6])
    assert classify_roofline(at_its_peak, node)[0] == M
    assert classify_roofline(at_its_peak, node, rules="5.2")[0] == X


MEDOIDS = Medoids(z=np.array([[-1, 0, 0, 0], [1, 0, 0, 0], [0, 2, 0, 0]], dtype=float))
UNITS = Extremes(std=np.array([2, 1, 1, 1.0]), mean=np.array([10, 0, 0, 0.0]))


@pytest.mark.parametrize(
    ("cpi", "tpi", "expected"),
    [
        (8, 0, C),  # z = -1: on the CPU-bound medoid
        (12, 0, M),
        (10, 2, X),
        (10, 0, X),  # as near to CPU-bound as to MEMORY-bound
        (9.9, 0, C),
        (10.1, 0, M),
        (11, 0.75, M),  # d2 = 0.9014, d3 = 1.3463
        (10, 0.75, X),  # d1 = d2 = d3 = 1.25
    ],
)
def test_kmedoids(cpi: float, tpi: float, expected: str) -> None:
    given = rows(CPI=[cpi], TPI=[tpi], MEM_GBS=[0], GFLOPS=[0])
    assert classify_kmedoids(given, MEDOIDS, UNITS)[0] == expected


def test_the_releases_divide_every_metric_by_the_cpus() -> None:
    given = rows(CPI=[8 * 3, 8], TPI=[0, 0], MEM_GBS=[0, 0], GFLOPS=[0, 0])
    for rules in ("5.1", "5.2"):
        # 8 / 3 CPUs is z = -3.7, still nearest to CPU-bound; 24 / 3 is z = -1.
        assert classify_kmedoids(given, MEDOIDS, UNITS, rules=rules, n_cpus=3).tolist() == [C, C]
        assert classify_kmedoids(rows(CPI=[36], TPI=[0], MEM_GBS=[0], GFLOPS=[0]), MEDOIDS, UNITS, rules=rules, n_cpus=3)[0] == M
        with pytest.raises(ParameterError, match="n_cpus: the rules of EAR"):
            classify_kmedoids(given, MEDOIDS, UNITS, rules=rules)
    # Extremes divided by as many CPUs give what the documentation does.
    node = rows(CPI=[8, 12, 9], TPI=[0, 0, 3], MEM_GBS=[0, 0, 0], GFLOPS=[0, 0, 0])
    divided = classify_kmedoids(node, MEDOIDS, UNITS.divided(4), rules="5.2", n_cpus=4)
    assert divided.tolist() == classify_kmedoids(node, MEDOIDS, UNITS).tolist() == [C, M, X]


def test_a_deviation_of_zero_is_mix() -> None:
    flat = Extremes(std=np.array([0, 1, 1, 1.0]), mean=np.array([10, 0, 0, 0.0]))
    given = rows(CPI=[8, 10, 12], TPI=[0] * 3, MEM_GBS=[0] * 3, GFLOPS=[0] * 3)
    assert classify_kmedoids(given, MEDOIDS, flat).tolist() == [X, X, X]
    assert why_kmedoids(given, MEDOIDS, flat).unique().tolist() == ["no distance: a standard deviation is 0, or a metric far too large"]


def test_what_was_not_measured_has_no_class() -> None:
    given = rows(CPI=[np.nan, 0.5, 0.5], MEM_GBS=[10, np.nan, 10], GFLOPS=[1, 1, np.nan], TPI=[1, 1, 1])
    assert classify_default(given, LIMITS).isna().tolist() == [True, True, False]
    assert classify_roofline(given, NODE).isna().tolist() == [False, True, True]
    assert classify_kmedoids(given, MEDOIDS, UNITS).isna().all()
    assert why_default(given, LIMITS).isna().tolist() == [True, True, False]


def test_reasons_in_words() -> None:
    given = rows(CPI=[0.5, 0.9, 0.7, 0.5, 0.9], MEM_GBS=[20, 120, 50, 50, 20])
    assert why_default(given, LIMITS).tolist() == [
        "CPI at most 0.6 and MEM_GBS at most 30",
        "CPI at least 0.8 and MEM_GBS at least 100",
        "not CPU-bound: CPI above 0.6 and MEM_GBS above 30; not MEMORY-bound: CPI below 0.8 and MEM_GBS below 100",
        "not CPU-bound: MEM_GBS above 30; not MEMORY-bound: CPI below 0.8 and MEM_GBS below 100",
        "not CPU-bound: CPI above 0.6; not MEMORY-bound: MEM_GBS below 100",
    ]
    given = rows(GFLOPS=[600, 10, 10, 0], MEM_GBS=[50, 80, 50, 0])
    assert why_roofline(given, NODE).tolist() == [
        "right of the ridge point, 10 FLOP/byte",
        "left of the ridge point, 10 FLOP/byte; MEM_GBS at least 75 (0.75 of 100)",
        "left of the ridge point, 10 FLOP/byte; MEM_GBS below 75 (0.75 of 100)",
        "neither GFLOPS nor MEM_GBS: no intensity",
    ]
    assert why_kmedoids(rows(CPI=[8, 10], TPI=[0, 0], MEM_GBS=[0, 0], GFLOPS=[0, 0]), MEDOIDS, UNITS).tolist() == [
        "nearest to the CPU-bound medoid",
        "as near to one medoid as to another",
    ]


def test_the_index_of_the_signatures_is_kept_and_nothing_is_changed() -> None:
    given = rows(CPI=[0.5, 0.9], MEM_GBS=[20, 120]).set_axis(["a", "b"])
    before = given.copy(deep=True)
    assert classify_default(given, LIMITS).to_dict() == {"a": C, "b": M}
    assert classify_roofline(given, NODE).index.tolist() == ["a", "b"]
    pd.testing.assert_frame_equal(given, before)
    assert list(classify_default(given, LIMITS).cat.categories) == [C, M, X]
    assert len(classify_default(given.iloc[:0], LIMITS)) == 0


@pytest.mark.parametrize(("kind", "right"), [(C, (1486, 1335)), (M, (1482, 1482)), (X, (687, 1393))])
def test_exact_counts_on_the_sample(kind: str, right: tuple[int, int]) -> None:
    table, truth = samples.load("signatures"), samples.truth("signatures")
    assert isinstance(table, SignatureTable)
    of_kind = truth == kind
    assert of_kind.sum() == {C: 1630, M: 1482, X: 1393}[kind]
    roofline = classify_roofline(table, PEAKS["2 x Xeon 8480+, DP at base 2.0 GHz"], bandwidth_share=0.6)
    assert ((classify_default(table, SPR) == kind) & of_kind).sum() == right[0]
    assert ((roofline == kind) & of_kind).sum() == right[1]


def test_the_equations_of_the_documentation() -> None:
    epyc = theoretical_peaks(sockets=2, cores=96, ghz=3.7, channels=12, mega_transfers=4800, fma_units=1, vector_bits=512, element_bits=32)
    assert (epyc.gbs, epyc.gflops, epyc.n_cpus) == (921.6, 22732.8, 192)
    xeon = theoretical_peaks(sockets=2, cores=56, ghz=2.0, channels=8, mega_transfers=4800)
    assert (xeon.gbs, xeon.gflops) == (614.4, 7168.0)
    assert round(epyc.ridge, 2) == 24.67
    assert all(peaks.source and peaks.n_cpus for peaks in PEAKS.values())
    assert all(limits.source for limits in THRESHOLDS.values())


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: classify_default(rows(CPI=[-1]), LIMITS), "column 'CPI', row 1: -1 must be at least 0"),
        (lambda: classify_default(rows(CPI=[np.inf]), LIMITS), "column 'CPI', row 1: inf must be a finite number"),
        (lambda: classify_default(rows(CPI=[1]).drop(columns="MEM_GBS"), LIMITS), "signatures: no column 'MEM_GBS'"),
        (lambda: classify_default([1, 2], LIMITS), "signatures: list given; it must be a SignatureTable"),
        (lambda: classify_default(rows(CPI=[1]), LIMITS, rules="6"), "rules: '6' is not known; they are documentation, 5.1, 5.2"),
        (lambda: classify_roofline(rows(CPI=[1]), NODE, bandwidth_share=0), "bandwidth_share: 0 must be above 0"),
        (lambda: classify_roofline(rows(CPI=[1]), NODE, bandwidth_share=1.1), "bandwidth_share: 1.1 must be above 0"),
        (lambda: classify_roofline(rows(CPI=[1]), NODE, rules="5.2"), "n_cpus: the rules of EAR 5.2 divide"),
        (lambda: classify_roofline(rows(CPI=[1]), NODE, rules="5.2", n_cpus=0), "n_cpus: 0 must be a whole number of at least 1"),
        (lambda: Peaks(gbs=0, gflops=1), "gbs: 0 must be a finite number above 0"),
        (lambda: Peaks(gbs=1, gflops=float("inf")), "gflops: inf must be a finite number above 0"),
        (lambda: Thresholds(cpu_cpi=-0.1, cpu_gbs=1, mem_cpi=1, mem_gbs=1), "cpu_cpi: -0.1 must be a number of at least 0"),
        (lambda: theoretical_peaks(sockets=2, cores=0, ghz=2, channels=8, mega_transfers=4800), "cores: 0 must be a finite number above 0"),
        (lambda: Medoids(z=np.zeros((4, 3))), "medoids: the shape is (4, 3); it must be (3, 4)"),
        (lambda: Extremes(std=np.array([1, 1, np.nan, 1]), mean=np.zeros(4)), "extremes: std: nan is among them"),
        (lambda: Extremes(std=np.array([1, -1, 1, 1]), mean=np.zeros(4)), "extremes: the standard deviation of TPI is -1"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said(ask: object, said: str) -> None:
    with pytest.raises(HemError) as refusal:
        ask()  # type: ignore[operator]
    assert said in str(refusal.value)
    assert isinstance(refusal.value, TableError | ParameterError)


def test_peaks_are_the_products_that_their_sources_say() -> None:
    for name, peaks in PEAKS.items():
        sockets, cores, gigahertz, flops = re.search(r"(\d) x (\d+) cores x ([\d.]+) GHz x (\d+) FLOP/cycle", peaks.source).groups()  # type: ignore[union-attr]
        assert peaks.gflops == pytest.approx(int(sockets) * int(cores) * float(gigahertz) * int(flops)), name
        # A Xeon 8480+ has 8 channels of DDR5-4800, an EPYC 9654 has 12; 8 bytes each.
        assert peaks.gbs == pytest.approx(2 * (8 if "Xeon" in name else 12) * 4.8 * 8), name
