"""The classes of a signature, the rules of EAR's versions, and checked columns of metrics."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hemcore.datasets.tables.checks import check_columns_present, check_counts
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.errors import ParameterError

CPU, MEMORY, MIX = CLASSES = ("CPU-bound", "MEMORY-bound", "MIX")
# Of a table, jobs on GPUs have their own: EAR's three come from metrics of the CPU alone.
GPU = "GPU"
TABLE_CLASSES = (*CLASSES, GPU)
WHY_GPU = "a GPU worked, which the four metrics do not show"
# "documentation": exactly as documented. "5.1", "5.2": as EAR's releases 5.1.x, and 5.2.0 to 6.3.0, do.
Rules = Literal["documentation", "5.1", "5.2"]
RULES: tuple[Rules, ...] = ("documentation", "5.1", "5.2")
Signatures = SignatureTable | pd.DataFrame
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def values_of(signatures: Signatures, names: Sequence[str]) -> tuple[list[Floats], pd.Index]:
    """The columns `names` as floats, and the index of the rows.

    Raises TableError where a column is missing, or a value is negative, infinite or no number; ParameterError where it is no table.
    """
    if isinstance(signatures, SignatureTable):  # has been checked when it was made
        frame = signatures.first
    elif isinstance(signatures, pd.DataFrame):
        frame = signatures
        check_columns_present(frame, names, "signatures")
        check_counts(frame[list(names)], "signatures")
    else:
        raise ParameterError(f"signatures: {type(signatures).__name__} given; it must be a SignatureTable or a DataFrame.")
    return [frame[name].to_numpy(dtype=float, na_value=np.nan) for name in names], frame.index


def classes(cpu: Flags, memory: Flags, measured: Flags, index: pd.Index, name: str) -> pd.Series:
    """A categorical Series of CLASSES: CPU-bound where `cpu`, MEMORY-bound where `memory`, else MIX; missing where not `measured`."""
    codes = np.full(len(cpu), 2, dtype=np.int8)
    codes[memory] = 1
    codes[cpu] = 0
    codes[~measured] = -1
    return pd.Series(pd.Categorical.from_codes(codes.astype(np.intp), categories=pd.Index(CLASSES)), index=index, name=name)


def sentences(codes: NDArray[np.integer], texts: Sequence[str], measured: Flags, index: pd.Index, name: str) -> pd.Series:
    """A categorical Series of `texts`, chosen per row by `codes`; missing where not `measured`.

    Texts may repeat; the categories are those that occur."""
    given = np.bincount(codes[measured], minlength=len(texts))
    distinct = list(dict.fromkeys(each for each, times in zip(texts, given, strict=True) if times))
    number = np.array([distinct.index(each) if times else -1 for each, times in zip(texts, given, strict=True)])
    found = np.where(measured, number[codes], -1)
    return pd.Series(pd.Categorical.from_codes(found, categories=pd.Index(distinct, dtype="str")), index=index, name=name)


def with_gpu(found: pd.Series, gpu: Flags, name: str = GPU) -> pd.Series:
    """The categorical Series `found` with the further category `name` where `gpu`."""
    wider = found.cat.add_categories([name])
    codes = np.where(gpu, len(wider.cat.categories) - 1, wider.cat.codes.to_numpy()).astype(np.intp)
    return pd.Series(pd.Categorical.from_codes(codes, categories=wider.cat.categories), index=found.index, name=found.name)


def check_rules(rules: str) -> None:
    """Raise ParameterError for unknown rules."""
    if rules not in RULES:
        raise ParameterError(f"rules: {rules!r} is not known; they are {', '.join(RULES)}.")


def cpus_of(n_cpus: int | None, rules: str) -> float:
    """The number by which `rules` divide the values of a node. Raises ParameterError if they do and n_cpus is None or below 1."""
    if rules == "documentation":
        return 1.0
    if n_cpus is None:
        raise ParameterError(
            f"n_cpus: the rules of EAR {rules} divide by the CPUs of the job's node. Enter their number (for example 112)."
        )
    if isinstance(n_cpus, bool) or not isinstance(n_cpus, int | np.integer) or n_cpus < 1:
        raise ParameterError(f"n_cpus: {n_cpus!r} must be a whole number of at least 1, the CPUs of the job's node.")
    return float(n_cpus)
