"""Which signatures count and which are set aside, and what to know of a row before it is believed: badges, TPI's unit, loops' energy.

EAR writes 0 for what it did not measure, several of its versions write TPI in another unit, and `eacct` without -l adds up nodes.
Source: EAR's src/commands/ear_acct.c and src/library/metrics/metrics.c, versions 4 to 6.3.
"""

from collections.abc import Collection
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.signature_table import METRICS
from hemcore.signatures.class_rules import Flags, Floats

BADGES = ("GPU active", "clipped power meter", "summed nodes", "no DRAM counter")
SetAside = Literal["nothing", "GPU active", "GPU active and busy waiting"]
TPI_UNITS = ("bytes", "transactions", "another", "unknown")
GPUS = 8
_GPU_NUMBERS = ("", *range(GPUS))  # a database has one figure of all
# Beyond it a node would do more than it can: rounding aside, the row is of several nodes.
_MORE_THAN_ONE = 1.05
# That a power meter ends at a value is believed where at least so many rows have it exactly and none has more.
_CLIPPED_ROWS = 3
_FLOPS = [f"{precision}OPS_{width}" for precision in ("SP", "DP") for width in ("SINGLE", "128", "256", "512")]
_LINE = 64  # bytes of a memory transaction
_RUN = ("JOBID", "STEPID", "APPID", "NODENAME")


def gpu_columns(columns: Collection[str]) -> list[str]:
    """Of `columns`, those that tell whether a GPU worked: utilisation where there is one, else power and the GPU's frequency."""
    utilisation = [name for name in (f"GPU{number}_UTIL_PERC" for number in _GPU_NUMBERS) if name in columns]
    by_power = [f"GPU{number}_{figure}" for number in _GPU_NUMBERS for figure in ("POWER_W", "FREQ_KHZ")]
    return utilisation or [name for name in by_power if name in columns]


def gpu_known_by_power(columns: Collection[str]) -> bool:
    """Whether `columns` tell of a GPU only by its power, which an idle one draws too."""
    found = gpu_columns(columns)
    return any(name.endswith("_POWER_W") for name in found)


def gpu_active(frame: pd.DataFrame) -> Flags:
    """Of each row, whether a GPU worked: one is utilised, or, where utilisation was not read, one draws power while its clock is not 0.

    An idle GPU draws power too and mostly keeps its clock: then it counts as working (`gpu_known_by_power`).
    """
    active = np.zeros(len(frame), dtype=bool)
    for name in gpu_columns(list(frame.columns)):
        if not name.endswith("_FREQ_KHZ"):
            stopped = _numbers(frame, name.replace("_POWER_W", "_FREQ_KHZ")) == 0 if name.endswith("_POWER_W") else False
            active |= (_numbers(frame, name) > 0) & ~np.asarray(stopped)
    return active


def busy_waiting(frame: pd.DataFrame, n_cpus: int) -> Flags:
    """EAR's rule for a node that waits: CPI below 0.4, less than 3 GB/s and 0.1 GFLOPS per CPU."""
    return (_numbers(frame, "CPI") < 0.4) & (_numbers(frame, "MEM_GBS") / n_cpus < 3) & (_numbers(frame, "GFLOPS") / n_cpus < 0.1)


def unmeasured(frame: pd.DataFrame) -> Flags:
    """Of each row, whether a metric is missing, or all four are 0: EAR's library was not loaded."""
    missing, none = np.zeros(len(frame), dtype=bool), np.ones(len(frame), dtype=bool)
    for name in METRICS:  # a column after another is four times as fast as across the rows
        values = _numbers(frame, name)
        missing |= np.isnan(values)
        none &= values == 0
    return missing | none


def metrics(frame: pd.DataFrame) -> Floats:
    """The four metrics, shape (rows, 4), in the order of METRICS."""
    return np.column_stack([_numbers(frame, name) for name in METRICS]) if len(frame) else np.empty((0, len(METRICS)))


def left_out(frame: pd.DataFrame, set_aside: SetAside, n_cpus: int) -> Flags:
    """Of each row, whether it was not measured or is of a kind that shall be set aside."""
    aside = unmeasured(frame)
    if set_aside != "nothing":
        aside |= gpu_active(frame)
    if set_aside == "GPU active and busy waiting":
        aside |= busy_waiting(frame, n_cpus)
    return aside


def badges(frame: pd.DataFrame, *, n_cpus: int, peak_gbs: float) -> pd.DataFrame:
    """What to know of each row: boolean columns BADGES, index as the frame's.

    "GPU active": the four metrics do not show what the GPU does. "clipped power meter": DC_NODE_POWER_W is the largest value there is and
    at least 3 rows have it to the last digit. "summed nodes": more CPUs were busy than the node has, or more memory traffic than its
    peak: `eacct` without -l adds nodes up and does not say how many. "no DRAM counter": neither memory traffic nor DRAM power was read.
    """
    power = _numbers(frame, "DC_NODE_POWER_W")
    most = np.nanmax(power) if (~np.isnan(power)).any() else np.nan
    clipped = power == most
    cycles, seconds, khz = (_numbers(frame, name) for name in ("CYCLES", "TIME_SEC", "AVG_CPUFREQ_KHZ"))
    traffic = _numbers(frame, "MEM_GBS")
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        busy = cycles / (seconds * khz * 1e3)
        summed = (busy > _MORE_THAN_ONE * n_cpus) & (_numbers(frame, "CPI") > 0) & ~is_loop(frame)
    summed |= traffic > _MORE_THAN_ONE * peak_gbs
    dram = _numbers(frame, "DRAM_POWER_W")
    worked = _numbers(frame, "CPI") > 0
    values = (
        gpu_active(frame),
        clipped & (clipped.sum() >= _CLIPPED_ROWS) & (np.nanmin(power) < most if clipped.any() else False),
        summed,
        worked & ((traffic == 0) | (dram == 0)),
    )
    return pd.DataFrame(dict(zip(BADGES, values, strict=True)), index=frame.index)


def is_loop(frame: pd.DataFrame) -> Flags:
    """Of each row, whether it is a loop's, whose time is of one iteration while its counters are of a period of several."""
    loop = "LOOPID" in frame.columns or "LOOP_SIZE" in frame.columns
    return np.full(len(frame), loop, dtype=bool)


def periods(frame: pd.DataFrame) -> Floats:
    """The seconds that each row's counters are of; NaN where nothing tells.

    A loop's are its floating point operations over its GFLOPS, since ITER_TIME_SEC is of one iteration; a job's are TIME_SEC.
    """
    seconds = _numbers(frame, "TIME_SEC")
    if not is_loop(frame).any():
        return np.where(seconds > 0, seconds, np.nan)
    operations = np.sum([np.nan_to_num(_numbers(frame, name)) for name in _FLOPS], axis=0)
    rate = _numbers(frame, "GFLOPS")
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # A rate of few digits gives no period.
        found = np.where((rate > 1e-3) & (operations > 0), operations / (rate * 1e9), np.nan)
    return np.where(np.isfinite(found), found, np.nan)


def tpi_units(frame: pd.DataFrame) -> pd.Series:
    """The unit of each row's TPI, categorical, one of TPI_UNITS, found from MEM_GBS x time / INSTRUCTIONS, bytes an instruction.

    "bytes": that itself, to a factor of 2, as EAR 5 and 6 write; "transactions": one 64th of it; "another": neither, as of older
    versions; "unknown": not to be found out, since time, instructions or traffic are missing or 0.
    """
    tpi, traffic, instructions = (_numbers(frame, name) for name in ("TPI", "MEM_GBS", "INSTRUCTIONS"))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = tpi / (traffic * 1e9 * periods(frame) / instructions)
    known = np.isfinite(ratio) & (ratio > 0)
    within = [known & (ratio * factor > 0.5) & (ratio * factor < 2) for factor in (1, _LINE)]
    codes = np.select([within[0], within[1], known], [0, 1, 2], 3)
    return pd.Series(pd.Categorical.from_codes(codes, categories=pd.Index(TPI_UNITS)), index=frame.index, name="TPI unit")


def of_another_tpi(units: pd.Series) -> Flags:
    """Of each row of `tpi_units`, whether its TPI is in another unit than that of most rows; those of unknown unit are taken as the others.

    TPI of different units must not be pooled: the rows of the smaller group are to be set aside.
    """
    codes = units.cat.codes.to_numpy()
    given = np.bincount(codes[codes < 3], minlength=3)
    return (codes < 3) & (codes != given.argmax()) if given.any() else np.zeros(len(codes), dtype=bool)


def loop_seconds(frame: pd.DataFrame) -> Floats:
    """The seconds that each loop row stands for: since the row before it of the same job, step, application and node, by TIMESTAMP.

    The first row of each has none before it: its period where its counters tell, else NaN. NaN too without TIMESTAMP.
    """
    if "TIMESTAMP" not in frame.columns:
        return np.full(len(frame), np.nan)
    stamps = pd.Series(_numbers(frame, "TIMESTAMP"))
    keys = [frame[name].reset_index(drop=True) for name in _RUN if name in frame.columns]
    order = stamps.sort_values(kind="stable").index
    ordered = stamps.loc[order]
    since = (ordered.groupby([key.loc[order] for key in keys], dropna=False).diff() if keys else ordered.diff()).reindex(stamps.index)
    found: Floats = np.where(since.notna(), since, periods(frame)).astype(np.float64)
    return found


def energy_j(frame: pd.DataFrame) -> Floats:
    """The energy of each row in joules: DC_NODE_POWER_W times its seconds, which of loops are differences of TIMESTAMP; NaN = not known."""
    seconds = loop_seconds(frame) if is_loop(frame).any() else periods(frame)
    power = _numbers(frame, "DC_NODE_POWER_W")
    found = np.where(power > 0, power, np.nan) * seconds
    return np.where(np.isfinite(found), found, np.nan)


def _numbers(frame: pd.DataFrame, name: str) -> Floats:
    """A column as floats; NaN throughout if there is none, or it holds text."""
    if name not in frame.columns or not pd.api.types.is_numeric_dtype(frame[name]):
        return np.full(len(frame), np.nan)
    values: NDArray[np.float64] = frame[name].to_numpy(dtype=float, na_value=np.nan)
    return values
