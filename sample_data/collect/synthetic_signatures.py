"""Synthetic EAR signatures of jobs whose kind is known. No job was run: the figures are drawn, and consistent with one another."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hemcore.errors import ParameterError

KINDS = ("CPU-bound", "MEMORY-bound", "MIX", "GPU", "IDLE", "IO")
SHARES = (0.32, 0.30, 0.28, 0.05, 0.03, 0.02)
MAX_JOBS = 10_000_000


@dataclass(frozen=True)
class NodeModel:
    """The node that the jobs ran on, in the drawing: 2 x 56 cores, 8 channels of DDR5-4800 a socket."""

    cores: int = 112
    peak_gbs: float = 614.4
    peak_gflops: float = 7168.0
    nominal_ghz: float = 2.0
    idle_w: float = 230.0
    full_core_w: float = 420.0
    w_per_gbs: float = 0.22


# Per kind: CPI (median, log-sd), share of the peak bandwidth (low, high), share of the peak GFLOPS (low, high), IO MB/s (median),
# share of the cores in use (low, high).
_DRAWN = {
    "CPU-bound": ((0.34, 0.12), (0.01, 0.26), (0.10, 0.75), 0.05, (0.9, 1.0)),
    "MEMORY-bound": ((1.25, 0.30), (0.62, 0.93), (0.004, 0.05), 0.05, (0.5, 1.0)),
    "MIX": ((0.62, 0.22), (0.22, 0.60), (0.01, 0.22), 0.2, (0.7, 1.0)),
    "GPU": ((0.36, 0.10), (0.0004, 0.004), (1e-7, 1e-5), 1.0, (0.02, 0.1)),
    "IDLE": ((1.0, 0.0), (0.0, 0.0), (0.0, 0.0), 0.0, (0.0, 0.0)),
    "IO": ((1.10, 0.25), (0.01, 0.12), (1e-5, 4e-3), 400.0, (0.1, 0.8)),
}
# Names of jobs, after the programs of the other samples; the request server's input decides what limits it, so it is of three kinds.
_APPLICATIONS = {
    "CPU-bound": ("request_server", "image_pipeline", "pack_and_seal", "particle_world", "sensor_control"),
    "MEMORY-bound": ("request_server", "grid_solver", "sales_query"),
    "MIX": ("request_server", "text_index", "tiny_compiler"),
    "GPU": ("gpu_training",),
    "IDLE": ("idle",),
    "IO": ("backup",),
}
_CACHE_LEVELS = ("L1", "L2", "L3", "LL")
_FLOP_COLUMNS = [f"{precision}OPS_{width}" for precision in ("SP", "DP") for width in ("SINGLE", "128", "256", "512")]
_EPOCH = 1_767_225_600  # 2026-01-01 00:00:00 UTC


def generate_signatures(n_jobs: int, *, seed: int = 0, node: NodeModel | None = None) -> tuple[pd.DataFrame, pd.Series]:
    """Draw `n_jobs` jobs of one node each: their signatures in the columns of EAR 6's `eacct -l -c`, and their kinds.

    Returns (signatures, kinds): n_jobs rows in both, in order; `kinds` holds names of KINDS. The columns agree with one another as EAR
    computes them: CPI = CYCLES / INSTRUCTIONS, TPI = bytes of memory traffic / INSTRUCTIONS, CPU_GFLOPS = the sum of the eight
    weighted FLOP counters / TIME_SEC / 1e9. Job i is the same whatever n_jobs is only in its kind's distribution, not in its values.
    An IDLE job ran without EAR's library (EARL_ENABLED 0): its signature is zero, as EAR writes what was not measured.
    One MIX job in twenty stands close to a border between the kinds. JOBNAME is "synthetic_" and a program's name: nothing of the
    figures is that program's.

    Raises ParameterError unless 1 <= n_jobs <= 10,000,000.
    Source of the layout: EAR 6, application.c; of the drawn ranges: our own judgement of a two-socket node.
    """
    if not 1 <= n_jobs <= MAX_JOBS:
        raise ParameterError(f"n_jobs: {n_jobs} must be from 1 to {MAX_JOBS:,}.")
    node = node or NodeModel()
    rng = np.random.default_rng(seed)
    kind = rng.choice(len(KINDS), size=n_jobs, p=SHARES)
    drawn = _draw_metrics(rng, kind, node)
    return _eacct_columns(rng, kind, drawn, node), pd.Series(np.array(KINDS)[kind], name="KIND")


def _draw_metrics(rng: np.random.Generator, kind: np.ndarray, node: NodeModel) -> dict[str, np.ndarray]:
    n = len(kind)
    drawn = {name: np.zeros(n) for name in ("CPI", "GBS", "GFLOPS", "IO", "cores")}
    for number, name in enumerate(KINDS):
        chosen = np.flatnonzero(kind == number)
        (median, spread), bandwidth, flops, io, cores = _DRAWN[name]
        m = len(chosen)
        drawn["CPI"][chosen] = median * np.exp(spread * rng.standard_normal(m))
        drawn["GBS"][chosen] = node.peak_gbs * rng.uniform(*bandwidth, m)
        # Flop rates spread over orders of magnitude: uniform in the logarithm.
        low, high = flops
        drawn["GFLOPS"][chosen] = node.peak_gflops * (low * (high / low) ** rng.uniform(0, 1, m) if low else np.zeros(m))
        drawn["IO"][chosen] = io * np.exp(0.8 * rng.standard_normal(m))
        drawn["cores"][chosen] = np.round(node.cores * rng.uniform(*cores, m))
    drawn["cores"] = np.maximum(drawn["cores"], 1)
    border = (kind == KINDS.index("MIX")) & (rng.uniform(size=n) < 0.05)
    drawn["CPI"][border] = rng.choice([0.42, 0.80], size=n)[border] * np.exp(0.05 * rng.standard_normal(n))[border]
    drawn["seconds"] = np.round(np.clip(np.exp(rng.normal(6.2, 1.2, n)), 10, 172_800), 6)
    # Memory-bound jobs run a little below the nominal frequency's turbo, vector-heavy jobs further below.
    heavy = drawn["GFLOPS"] / node.peak_gflops
    drawn["ghz"] = np.clip(node.nominal_ghz * (1.5 - 0.35 * heavy) + 0.03 * rng.standard_normal(n), 0.8, 3.8)
    return drawn


def _eacct_columns(rng: np.random.Generator, kind: np.ndarray, drawn: dict[str, np.ndarray], node: NodeModel) -> pd.DataFrame:
    n = len(kind)
    idle, gpu = kind == KINDS.index("IDLE"), kind == KINDS.index("GPU")
    seconds, cores = drawn["seconds"], drawn["cores"]
    cycles = np.where(idle, 0, np.round(cores * drawn["ghz"] * 1e9 * seconds))
    instructions = np.where(idle, 0, np.round(cycles / drawn["CPI"]))
    flops = _flop_counters(rng, np.where(idle, 0, drawn["GFLOPS"]) * 1e9 * seconds)
    gflops = flops.sum(axis=1) / seconds / 1e9
    gbs = np.where(idle, 0.0, drawn["GBS"])
    with np.errstate(invalid="ignore", divide="ignore"):
        cpi = np.where(idle, 0.0, cycles / instructions)
        tpi = np.where(idle, 0.0, gbs * 1e9 * seconds / instructions)
    package_w = node.full_core_w * cores / node.cores * (0.55 + 0.45 * np.sqrt(gflops / node.peak_gflops)) + 60
    package_w = np.where(idle, 70.0, package_w) * (1 + 0.02 * rng.standard_normal(n))
    dram_w = 12 + 0.08 * gbs
    gpu_w = np.where(gpu, rng.uniform(180, 480, n), 0.0)
    node_w = node.idle_w + package_w + node.w_per_gbs * gbs + gpu_w
    start = _EPOCH + np.sort(rng.integers(0, 90 * 86_400, n))
    end = start + np.ceil(seconds).astype(np.int64)
    nominal_khz, imc_khz = int(node.nominal_ghz * 1e6), 2_400_000
    columns: dict[str, object] = {
        "JOBID": 1_000_000 + np.arange(n),
        "STEPID": np.zeros(n, dtype=np.int64),
        "APPID": np.zeros(n, dtype=np.int64),
        "USERID": [f"user{number:02d}" for number in rng.integers(0, 40, n)],
        "GROUPID": "synthetic",
        "ACCOUNTID": "synthetic",
        "JOBNAME": _names(rng.integers(0, 300, n), kind),
        "ENERGY_TAG": "",
        "JOB_START_TIME": start,
        "JOB_END_TIME": end,
        "JOB_START_DATE": _dates(start),
        "JOB_END_DATE": _dates(end),
        "JOB_EARL_START_TIME": np.where(idle, 0, start),
        "JOB_EARL_END_TIME": np.where(idle, 0, end),
        "POLICY": "monitoring",
        "POLICY_TH": 0.0,
        "JOB_NPROCS": cores.astype(np.int64),
        "JOB_TYPE": 0,
        "JOB_DEF_FREQ": nominal_khz,
        "EARL_ENABLED": np.where(idle, 0, 1),
        "EAR_LEARNING_PHASE": 0,
        "NODENAME": [f"node{number:03d}" for number in rng.integers(1, 65, n)],
        "AVG_CPUFREQ_KHZ": np.round(drawn["ghz"] * 1e6).astype(np.int64),
        "AVG_IMCFREQ_KHZ": imc_khz,
        "DEF_FREQ_KHZ": nominal_khz,
        "TIME_SEC": seconds,
        "CPI": cpi,
        "TPI": tpi,
        "MEM_GBS": gbs,
        "IO_MBS": np.where(idle, 0.0, drawn["IO"]),
        "PERC_MPI": np.where(idle | gpu, 0.0, rng.beta(1.2, 9, n) * 100),
        "DC_NODE_POWER_W": node_w,
        "DRAM_POWER_W": dram_w,
        "PCK_POWER_W": package_w,
        "CYCLES": cycles.astype(np.int64),
        "INSTRUCTIONS": instructions.astype(np.int64),
        "STALLS_FETCH_DECODE": 0,
        "STALLS_RESOURCES": 0,
        "STALLS_MEMORY": 0,
        "CPU_GFLOPS": gflops,
        "CPU_UTIL": np.where(idle, 0.0, 100 * cores / node.cores),
    }
    lines = gbs * 1e9 * seconds / 64
    for level, factor in zip(_CACHE_LEVELS, (8.0, 3.0, 1.0, 1.0), strict=True):
        columns[f"{level}_MISSES"] = np.round(lines * factor).astype(np.int64)
    for what in ("HITS", "ACCESSES", "MISSRATE", "HITRATE"):
        columns |= {f"{level}_{what}": 0 for level in _CACHE_LEVELS}  # not in EAR's database: always 0 from eacct
    columns |= {name: flops[:, i] for i, name in enumerate(_FLOP_COLUMNS)}
    for what in ("TEMP", "CPU_POWER", "DRAM_POWER"):
        columns |= {f"{what}{socket}": 0 for socket in range(4)}
    for number in range(8):
        used = gpu if number == 0 else np.zeros(n, dtype=bool)
        columns |= {
            f"GPU{number}_POWER_W": np.where(used, gpu_w, 0.0),
            f"GPU{number}_FREQ_KHZ": np.where(used, 1_700_000, 0),
            f"GPU{number}_MEM_FREQ_KHZ": np.where(used, 1_593_000, 0),
            f"GPU{number}_UTIL_PERC": np.where(used, rng.integers(40, 100, n), 0),
            f"GPU{number}_MEM_UTIL_PERC": np.where(used, rng.integers(10, 80, n), 0),
            f"GPU{number}_GFLOPS": np.where(used, rng.uniform(2_000, 15_000, n), 0.0),
            f"GPU{number}_TEMP": np.where(used, rng.integers(40, 75, n), 0),
            f"GPU{number}_MEMTEMP": 0,
        }
    columns |= {
        "NODEMGR_DC_NODE_POWER_W": node_w,
        "NODEMGR_DRAM_POWER_W": dram_w,
        "NODEMGR_PCK_POWER_W": package_w,
        "NODEMGR_MAX_DC_POWER_W": node_w * 1.05,
        "NODEMGR_MIN_DC_POWER_W": node_w * 0.92,
        "NODEMGR_TIME_SEC": np.ceil(seconds),
        "NODEMGR_AVG_CPUFREQ_KHZ": np.round(drawn["ghz"] * 1e6).astype(np.int64),
        "NODEMGR_DEF_FREQ_KHZ": nominal_khz,
    }
    return pd.DataFrame(columns)


def _names(numbers: np.ndarray, kind: np.ndarray) -> list[str]:
    applications = [_APPLICATIONS[name] for name in KINDS]
    return [f"synthetic_{applications[each][number % len(applications[each])]}" for number, each in zip(numbers, kind, strict=True)]


def _flop_counters(rng: np.random.Generator, operations: np.ndarray) -> np.ndarray:
    """`operations` dealt over EAR's eight counters (whole numbers of operations, already weighted by width)."""
    weights = rng.dirichlet([0.05, 0.03, 0.05, 0.3, 0.5, 0.1, 0.5, 2.0], size=len(operations))
    return np.round(weights * operations[:, None]).astype(np.int64)


def _dates(seconds: np.ndarray) -> pd.Index:
    return pd.DatetimeIndex(pd.to_datetime(seconds, unit="s")).strftime("%Y-%m-%d %H:%M:%S")
