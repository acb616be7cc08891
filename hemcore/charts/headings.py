"""What the columns of tables are called and which are shares, for pages, reports and notebooks. Names in the data stay as they are."""

import pandas as pd

_HEADINGS = {
    "n_samples": "samples",
    "start_s": "start, s",
    "stop_s": "stop, s",
    "n_change_points": "change points",
    "residual": "residual error",
    "hausdorff": "Hausdorff, samples",
    "f1": "F1",
    "covering_true": "truth: covering",
    "precision_true": "truth: precision",
    "recall_true": "truth: recall",
    "f1_true": "truth: F1",
    "asks_for": "needed",
    "optimal_threshold": "Algorithm 1's threshold",
    "n_segments": "segments (median)",
    "fewest_segments": "fewest",
    "most_segments": "most",
    "cov_percent": "CoV, %",
    "cov_percent_as_printed": "CoV as printed, %",
    "cov_percent_per_sample": "CoV per sample, %",
    "max_residual": "largest residual",
    "n_runs": "runs",
    "def_freq_khz": "default frequency, kHz",
    "cpu_khz": "CPU frequency, kHz",
    "time_s": "time, s",
    "seconds": "represents, s",
    "energy_j": "energy, J",
    "edp_js": "energy x time, J s",
    "power_w": "power, W",
    "mean_power_w": "mean power, W",
    "node_hours": "node-hours",
    "energy_kwh": "energy, kWh",
    "time_spread": "spread of time",
    "time_change": "time, change",
    "energy_change": "energy, change",
    "edp_change": "energy x time, change",
    "over_threshold": "over its threshold",
    "stands_for": "represents, phases",
    "mape": "error per phase",
    "mape_mean": "per phase, mean program",
    "mape_median": "per phase, median",
    "whole_mean": "whole, mean program",
    "whole_median": "whole, median",
    "worst": "worst, per phase",
    "worst_program": "worst program",
    "share_low": "share, from",
    "share_true": "truth: share",
    "share_high": "share, to",
    "predicted_over_measured": "predicted / measured",
    "in_order": "in order",
    "per_instruction": "per instruction",
    "fewer_at_most": "saved at most",
    "times_as_fast": "times as fast",
    "fewer_as_reference": "saved as the reference",
    "duration_change": "duration, change",
    "rand_index": "Rand index",
    "share_changed": "share changed",
    "JOBID": "job",
    "STEPID": "step",
    "APPID": "application",
    "NODENAME": "node",
    "LOOPID": "loop",
    "TIMESTAMP": "timestamp",
    "TIME_SEC": "time, s",
    "DC_NODE_POWER_W": "node power, W",
}
# Prefixes of the headings of estimator scores.
_SHARES_OF = ("RA ", "WA ", "total by ")
_SHARES = {
    "covering",
    "precision",
    "recall",
    "f1",
    "clearness",
    "explained",
    "share",
    "share of its roof",
    "largest share",
    "time_change",
    "energy_change",
    "edp_change",
    "time_spread",
    "more than",
    "mape",
    "mape_mean",
    "mape_median",
    "whole_mean",
    "whole_median",
    "worst",
    "rows shuffled",
    "programs left out",
    "share_low",
    "draws past it",
    "fraction of time",
    "share_high",
    "share_changed",
    "fewer_at_most",
    "fewer_as_reference",
}


def heading(name: str) -> str:
    """The column `name` of a result for people: "mape_mean" is "per phase, mean program". Names of events and of the user stay."""
    return _HEADINGS.get(name, name)


def headed(table: pd.DataFrame) -> pd.DataFrame:
    """`table` with readable columns."""
    return table.rename(columns=lambda name: heading(str(name)))


def is_share(name: str) -> bool:
    """Whether the column `name` holds shares of 1, which are shown as percentages."""
    return name.removesuffix("_true") in _SHARES or name.startswith(_SHARES_OF)
