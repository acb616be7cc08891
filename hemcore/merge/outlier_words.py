"""What the runs left out as outliers change, in words and as a figure."""

from hemcore.headline import Card, formatted, percent
from hemcore.merge.params import NO_RUN_OUT
from hemcore.merge.trust.outlier_shift import OutlierEffect


def short_name(name: str) -> str:
    """`name` in at most 18 characters."""
    return name if len(name) <= 18 else f"{name[:9]}…{name[-8:]}"


def shifts_of(outliers: OutlierEffect) -> list[str]:
    """What the runs left out change, the correlation last."""
    shifts = []
    if outliers.mean_moved is not None:
        hem, ratio = outliers.mean_moved
        shifts.append(f"the mean of {short_name(hem)} to {ratio:.2f} of its value")
    if outliers.r_moved is not None:
        one, other, read, used = outliers.r_moved
        shifts.append(f"r of {short_name(one)} with {short_name(other)} from {formatted(read, '.2f')} to {formatted(used, '.2f')}")
    return shifts


def outlier_reasons(outliers: OutlierEffect) -> tuple[str, ...]:
    """What leaving runs out does and how none is left out: two sentences."""
    changed = " and ".join(shifts_of(outliers))
    return (
        f"Up to {percent(outliers.left_out, 1)} of the readings of a HEM are left out. This changes {changed}; the"
        " fit to the measured pairs leaves out the same runs and cannot show it.",
        f"If they are not outliers, set the outlier z-score to {NO_RUN_OUT:,.0f}, which leaves no run out.",
    )


def outlier_card(outliers: OutlierEffect) -> Card:
    """The figure "Left out as outliers"."""
    mean, pair = outliers.mean_moved, outliers.r_moved
    if mean is not None:
        note = f"mean of {short_name(mean[0])}: {mean[1]:.2f} of the mean read"
    else:
        read, used = ("", "") if pair is None else (formatted(r, ".2f") for r in pair[2:])
        note = "" if pair is None else f"r of {short_name(pair[0])} with {short_name(pair[1])}: {read} read, {used} used"
    return Card(
        label="Left out as outliers",
        value=outliers.left_out,
        form=".1%",
        note=note,
        help="The largest fraction of a HEM's readings that the outlier z-score leaves out. For long-tailed counts this is the tail: the"
        " mean and correlations change, and the other errors here leave out the same runs, so they do not show it.",
        better="lower",
    )
