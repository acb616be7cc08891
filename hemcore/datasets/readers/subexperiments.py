"""Subexperiments in CSV: side by side in one file, or one file each."""

from collections.abc import Sequence

from hemcore.datasets.readers.csv_text import number_table
from hemcore.datasets.readers.files import UploadedFile
from hemcore.datasets.readers.hem_columns import propose_n_pmcs
from hemcore.datasets.readers.raw_experiments import RawExperiments, split_raw_experiments, subexperiments_from_frames
from hemcore.errors import ReadError


def proposed_n_pmcs(cells: Sequence[str]) -> int:
    """n_pmcs of a stacked file with this header, from where the first HEM repeats; all columns when it never does."""
    return propose_n_pmcs([cell for cell in cells if cell])


def read_stacked(file: UploadedFile, *, n_pmcs: int | None, min_mean: float) -> tuple[RawExperiments, list[str]]:
    """One wide file (the T2080 layout): groups of n_pmcs columns are subexperiments. Returns the readings and notes.

    Raises ReadError as number_table does, and what split_raw_experiments raises.
    """
    table, notes = number_table(file.name, file.content)
    if n_pmcs is None:
        n_pmcs = propose_n_pmcs(table.columns)
        if n_pmcs == 1 and len(set(table.columns)) > 1:
            raise ReadError(
                f"{file.name}: where the first HEM repeats, the {table.shape[1]} columns do not divide into groups of one size."
                " Give n_pmcs, the number of HEMs read at once, or correct the header."
            )
        notes.append(f"n_pmcs was proposed as {n_pmcs}, from where the first HEM repeats.")
    return split_raw_experiments(table, n_pmcs, min_mean=min_mean), notes


def read_separate(files: Sequence[UploadedFile], *, min_mean: float) -> tuple[RawExperiments, list[str]]:
    """One file a subexperiment, named by the file; rows of unequal number. Returns the readings and notes."""
    tables, notes = [], []
    for file in files:
        table, noted = number_table(file.name, file.content)
        tables.append(table)
        notes += noted
    labels: list[str] = []
    for file in files:
        label, number = file.name, 1
        while label in labels:
            number += 1
            label = f"{file.name} ({number})"
        labels.append(label)
    return subexperiments_from_frames(tables, min_mean=min_mean, labels=labels), notes
