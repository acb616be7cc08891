"""Which rows of signatures belong to one job step, and who ran which application."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.signatures.class_rules import Floats
from hemcore.signatures.signature_rows import is_loop

# The columns that name the application, the user and the account, the first with information counts.
APPLICATION, USER, ACCOUNT = ("JOBNAME", "APPID"), ("USERID",), ("ACCOUNTID", "USER_ACC")
_FIRST_OF_SLURM = 4_294_967_290


def batch_steps(frame: pd.DataFrame) -> NDArray[np.bool_]:
    """Of each row, whether it is the batch or another step that SLURM itself adds (numbers from 4294967290 on)."""
    if "STEPID" not in frame.columns:
        return np.zeros(len(frame), dtype=bool)
    return first_numbers(frame, ("STEPID",)) >= _FIRST_OF_SLURM


def step_numbers(frame: pd.DataFrame) -> NDArray[np.int64]:
    """Of each row, the number of its job step, from 0 in the order of the rows; shape (rows,).

    Rows of which nothing says that they are nodes or loops of one step are steps of their own.
    """
    step = [frame[name].to_numpy() for name in ("JOBID", "STEPID", "APPID") if name in frame.columns]
    if not step or not ("NODENAME" in frame.columns or is_loop(frame).any()):
        return np.arange(len(frame))
    return np.asarray(pd.factorize(pd.MultiIndex.from_arrays(step))[0], dtype=np.int64)


def first_texts(frame: pd.DataFrame, names: tuple[str, ...]) -> np.ndarray | None:
    """The first of the columns with information, as text; None if there is none."""
    for name in names:
        if name in frame.columns:
            values = frame[name].astype(object).where(frame[name].notna(), "").astype(str).str.strip()
            if (values != "").any() and not (values == "0").all():
                return np.asarray(values.where(values != "", "(unknown)").to_numpy(dtype=object))
    return None


def first_numbers(frame: pd.DataFrame, names: tuple[str, ...]) -> Floats:
    """The first of the columns that is there, as numbers; NaN if none is."""
    for name in names:
        if name in frame.columns:
            values: Floats = pd.to_numeric(frame[name], errors="coerce").to_numpy(dtype=float, na_value=np.nan)
            return values
    return np.full(len(frame), np.nan)
