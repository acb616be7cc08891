"""The note of a training's progress, and the loss curve read back from such notes while it runs."""

import re
from collections.abc import Iterable

import pandas as pd

# Of a part of a job, its label comes first: "0 of 14 done, part 2 of 14 (event Bcm): Bcm, epoch 3 of 600: learned 0.1".
_NOTE = re.compile(r"(?:.*\): )?(?P<name>.{1,80}?) (?P<step>[\d,]+) of (?P<steps>[\d,]+): (?P<losses>.+)")
_LOSS = re.compile(r"(?P<name>[a-z][a-z ]*) (?P<value>\d+\.\d+(?:e-?\d+)?)")


def note_of(name: str, step: int, steps: int, losses: dict[str, float]) -> str:
    """ "step 20 of 1,600: curves 0.1210, counts 0.1011". Losses that are not known are left out."""
    text = ", ".join(f"{key} {value:.4f}" for key, value in losses.items() if value == value)
    return f"{name} {step:,} of {steps:,}: {text}"


def losses_of(notes: Iterable[str]) -> pd.DataFrame:
    """What notes say: one row per note and loss: `of` (what is counted, "step" or "Bcm, epoch"), step, loss (its name) and value.

    Notes that note_of did not make are passed over; empty where there are none.
    """
    rows = []
    for note in notes:
        read = _NOTE.fullmatch(note)
        if read:
            step = int(read["step"].replace(",", ""))
            rows += [(read["name"], step, each["name"], float(each["value"])) for each in _LOSS.finditer(read["losses"])]
    return pd.DataFrame(rows, columns=["of", "step", "loss", "value"])
