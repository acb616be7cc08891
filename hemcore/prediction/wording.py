"""How the room's texts write numbers and names."""

import math
from collections.abc import Sequence

from hemcore.headline import percent


def rounded(share: float) -> str:
    """A share as cards and tables write it: "17.9%"; "an unknown share" where it is not known."""
    return percent(share, 1) if math.isfinite(share) else "an unknown share"


def shortened(name: str) -> str:
    """The name, cut to 24 characters in its middle: long names often begin alike."""
    return name if len(name) <= 24 else f"{name[:12]}…{name[-11:]}"


def first_names(names: Sequence[str], most: int = 6) -> str:
    """The first names, and how many more there are: "a, b and 3 more"."""
    shown = ", ".join(shortened(name) for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
