"""EAR's model files, read and written exactly: roofline.TAG.data, medoids.TAG.data, extremes.TAG.data.

All are text of one line: numbers between spaces, no commas. They go to $EAR_ETC/ear/coeffs/island{X}.
Source: EAR documentation, "Classification", Input; EAR's src/common/types/roofline.c and medoids.c (order, one line, no other separator).
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hemcore.datasets.tables.signature_table import METRICS
from hemcore.errors import ParameterError, ReadError
from hemcore.headline import amount
from hemcore.signatures.class_rules import CLASSES, Floats, Signatures, values_of
from hemcore.signatures.ear.ear_models import Extremes, Medoids
from hemcore.signatures.ear.machines import Peaks

# "code": CPI, TPI, MEM_GBS, GFLOPS, by which EAR's releases read. "documentation": CPI, TPI, GFLOPS, MEM_GBS, as documented.
Order = Literal["code", "documentation"]
ORDERS: dict[Order, tuple[str, ...]] = {"code": METRICS, "documentation": ("CPI", "TPI", "GFLOPS", "MEM_GBS")}
COUNTS = {"roofline": 2, "medoids": 12, "extremes": 8}
# "island0medoids.TAG.data" is what EAR opens when its path ends without a slash.
_NAME = re.compile(r"^(?:.*[/\\])?(?:island\d+)?(roofline|medoids|extremes)\.(.+)\.data$")
_TAG = re.compile(r"[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*")
# What EAR reads of the line at most.
_LONGEST = {"roofline": 1024, "medoids": 4096, "extremes": 4096}


@dataclass(frozen=True, kw_only=True)
class EarFiles:
    """The model files of one tag; each part is None where its file is not there.

    warnings: what looks wrong in them, a sentence each; empty where nothing does.
    """

    tag: str = ""
    peaks: Peaks | None = None
    medoids: Medoids | None = None
    extremes: Extremes | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """Which strategy EAR takes ("k-medoids", "roofline" or "default"), and why, in a sentence."""

    name: Literal["k-medoids", "roofline", "default"]
    why: str


def choose_strategy(files: EarFiles) -> Strategy:
    """The strategy that EAR takes with these files: k-medoids, then roofline, then default. Source: EAR documentation, final note."""
    if files.medoids is not None and files.extremes is not None:
        return Strategy(name="k-medoids", why="Medoids and extremes are both there, and k-medoids goes before the other two.")
    half = ""
    if files.medoids is not None or files.extremes is not None:
        there, lacking = ("medoids", "extremes") if files.medoids is not None else ("extremes", "medoids")
        half = f"The {there} are there but the {lacking} are not, so k-medoids cannot be used. "
    if files.peaks is not None:
        return Strategy(name="roofline", why=f"{half or 'There are no medoids and extremes. '}The roofline's peaks are there.")
    return Strategy(
        name="default", why=f"{half or 'There are no medoids and extremes. '}There are no peaks: the default thresholds remain."
    )


def read_ear_files(files: Mapping[str, str | bytes], *, tag: str = "", order: Order = "code") -> EarFiles:
    """The model files of one tag, from their names ("medoids.epyc9654.data", also with a folder or "island0" before it) and contents.

    tag: which one, where files of several are given; empty: theirs, if they have one only. An empty mapping gives EarFiles without parts.
    Raises ReadError for a name that is none of the three, files of other tags, one kind twice, or a content that does not fit.
    """
    found: dict[str, tuple[str, str | bytes]] = {}
    tags: dict[str, str] = {}
    for name, content in files.items():
        kind, own = kind_and_tag(name)
        if tag and own != tag:
            raise ReadError(f"{name}: is of the tag {own!r}, not {tag!r}. Give {kind}.{tag}.data, or choose the tag {own!r}.")
        if kind in found:
            raise ReadError(f"{name}: a {kind} file was given already, {found[kind][0]}. Give one of each kind, of one tag.")
        found[kind], tags[own] = (name, content), name
    if len(tags) > 1:
        (one, first), (other, second) = list(tags.items())[:2]
        raise ReadError(f"{second}: is of the tag {other!r}, but {first} is of {one!r}. EAR reads files of one tag; give those.")
    peaks = read_roofline(found["roofline"][1], name=found["roofline"][0]) if "roofline" in found else None
    medoids = read_medoids(found["medoids"][1], name=found["medoids"][0], order=order) if "medoids" in found else None
    extremes = read_extremes(found["extremes"][1], name=found["extremes"][0], order=order) if "extremes" in found else None
    warnings = suspicions(peaks=peaks, medoids=medoids, extremes=extremes, order=order)
    return EarFiles(tag=next(iter(tags), tag), peaks=peaks, medoids=medoids, extremes=extremes, warnings=warnings)


def write_ear_files(files: EarFiles, *, order: Order = "code") -> dict[str, str]:
    """Names and contents of what `files` has, each number with every digit it needs. Raises ParameterError for a tag EAR cannot have."""
    if not _TAG.fullmatch(files.tag) or len(files.tag) > 100:
        raise ParameterError(f"tag: {files.tag[:80]!r} must be letters, digits, '_', '-', '+' and single dots, as in ear.conf (epyc9654).")
    places = [METRICS.index(metric) for metric in ORDERS[_known(order)]]
    lines: dict[str, Floats] = {}
    if files.peaks is not None:
        lines["roofline"] = np.array([files.peaks.gbs, files.peaks.gflops])
    if files.medoids is not None:
        lines["medoids"] = files.medoids.z[:, places].ravel()
    if files.extremes is not None:
        lines["extremes"] = np.column_stack([files.extremes.std, files.extremes.mean])[places].ravel()
    # repr gives each number with the fewest digits that give it back.
    return {f"{kind}.{files.tag}.data": " ".join(repr(float(value)) for value in values) + "\n" for kind, values in lines.items()}


def kind_and_tag(name: str) -> tuple[str, str]:
    """("medoids", "epyc9654") of "island0/medoids.epyc9654.data". Raises ReadError for any other name."""
    match = _NAME.match(name)
    if match is None or not _TAG.fullmatch(match[2]):
        shown = name if len(name) <= 80 else f"{name[:77]}..."
        raise ReadError(
            f"{shown!r}: not a name that EAR reads. Call it roofline.TAG.data, medoids.TAG.data or extremes.TAG.data, with the node's tag."
        )
    return match[1], match[2]


def read_roofline(content: str | bytes, *, name: str = "roofline") -> Peaks:
    """The peaks of a roofline file, "GB/s GFLOPS", bandwidth first. Raises ReadError where it is not two numbers above 0."""
    gbs, gflops = _numbers(content, name, "roofline", "peak GB/s and peak GFLOPS")
    for what, value in (("peak bandwidth", gbs), ("peak of GFLOPS", gflops)):
        if value <= 0:
            raise ReadError(f"{name}: the {what} is {value:g}; it must be above 0. Compute it anew with theoretical_peaks.")
    return Peaks(gbs=gbs, gflops=gflops, source=name)


def read_medoids(content: str | bytes, *, name: str = "medoids", order: Order = "code") -> Medoids:
    """The medoids of a file of 12 numbers: CPU-bound, MEMORY-bound, MIX, four metrics each in `order`. Raises ReadError if it is not."""
    places = _places(order)
    values = np.array(_numbers(content, name, "medoids", "four metrics each of the CPU-bound, MEMORY-bound and MIX medoid"))
    return Medoids(z=values.reshape(len(CLASSES), len(METRICS))[:, places])


def read_extremes(content: str | bytes, *, name: str = "extremes", order: Order = "code") -> Extremes:
    """The extremes of a file of 8 numbers: standard deviation and mean of each metric in `order`, the deviation first.

    Raises ReadError where it is not, or a deviation is negative.
    """
    places = _places(order)
    pairs = np.array(_numbers(content, name, "extremes", "standard deviation and mean of four metrics")).reshape(len(METRICS), 2)[places]
    if (pairs[:, 0] < 0).any():
        metric = int((pairs[:, 0] < 0).argmax())
        raise ReadError(
            f"{name}: the standard deviation of {METRICS[metric]} is {pairs[metric, 0]:g}; it must be at least 0. "
            "The deviation comes before the mean: were the two swapped?"
        )
    return Extremes(std=pairs[:, 0], mean=pairs[:, 1])


def suspicions(
    *,
    peaks: Peaks | None = None,
    medoids: Medoids | None = None,
    extremes: Extremes | None = None,
    signatures: Signatures | None = None,
    order: Order = "code",
) -> tuple[str, ...]:
    """Sentences on what looks wrong in model files: numbers in another order than `order`, a deviation of 0. May be empty.

    signatures: with them, extremes are also held against the means of what they shall standardise. These are hints; EAR itself reads
    any numbers. Raises as values_of does.
    """
    found = []
    other = "documentation's" if _known(order) == "code" else "code's"
    if peaks is not None and peaks.ridge < 1:
        found.append(
            f"The peak of {peaks.gflops:g} GFLOPS is below that of {peaks.gbs:g} GB/s, a ridge point of {amount(peaks.ridge, 2)} "
            "FLOP/byte: were the two swapped? The bandwidth comes first."
        )
    if medoids is not None:
        gbs, gflops = medoids.z[:, METRICS.index("MEM_GBS")], medoids.z[:, METRICS.index("GFLOPS")]
        if gbs[0] > gbs[1] and gflops[1] > gflops[0]:
            found.append(
                "The CPU-bound medoid has the larger MEM_GBS and the MEMORY-bound one the larger GFLOPS: "
                f"was the file written in the {other} order?"
            )
    if extremes is not None:
        zero = [metric for metric, std in zip(METRICS, extremes.std, strict=True) if std == 0]
        if zero:
            found.append(f"The standard deviation of {' and '.join(zero)} is 0: no distance can be computed, and every signature is MIX.")
        place, flops = METRICS.index("MEM_GBS"), METRICS.index("GFLOPS")
        mean = extremes.mean
        if peaks is not None and mean[place] > peaks.gbs:
            found.append(
                f"The mean MEM_GBS of the extremes, {mean[place]:g}, is above the peak of {peaks.gbs:g}: "
                f"were they written in the {other} order?"
            )
        elif signatures is not None:
            (own_gbs, own_gflops), _ = values_of(signatures, ("MEM_GBS", "GFLOPS"))
            gbs_mean, gflops_mean = _mean(own_gbs), _mean(own_gflops)
            as_read = _apart(mean[place], gbs_mean) + _apart(mean[flops], gflops_mean)
            swapped = _apart(mean[flops], gbs_mean) + _apart(mean[place], gflops_mean)
            if swapped + math.log(2) < as_read:
                found.append(
                    f"MEM_GBS and GFLOPS of the extremes fit these signatures better when swapped: was the file in the {other} order?"
                )
    return tuple(found)


def _mean(values: Floats) -> float:
    measured = values[~np.isnan(values)]
    return float(measured.mean()) if len(measured) else math.nan


def _apart(one: float, other: float) -> float:
    """The distance of two means, as the logarithm of their ratio; 0 if one of them is 0."""
    return abs(math.log(one / other)) if one > 0 and other > 0 and 0 < one / other < math.inf else 0.0


def _places(order: Order) -> list[int]:
    """The place of each of METRICS in a file in `order`."""
    return [ORDERS[_known(order)].index(metric) for metric in METRICS]


def _known(order: Order) -> Order:
    if order not in ORDERS:
        raise ParameterError(f"order: {order!r} is not known; it is one of {', '.join(ORDERS)}.")
    return order


def _numbers(content: str | bytes, name: str, kind: str, meaning: str) -> list[float]:
    """The numbers of the one line. Raises ReadError for anything but COUNTS[kind] finite ones between spaces or tabs."""
    if isinstance(content, bytes):
        try:
            content = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ReadError(f"{name}: not text (byte {error.start + 1}). It must be one line of {COUNTS[kind]} numbers.") from None
    lines = content.splitlines()
    line = lines[0] if lines else ""
    if "," in line or ";" in line:
        sign = "," if "," in line else ";"
        raise ReadError(f"{name}: line 1 has {sign!r}. EAR separates numbers by spaces alone and writes decimals with a point: mend it.")
    tokens = line.split()
    if len(tokens) != COUNTS[kind]:
        a = "an" if kind == "extremes" else "a"
        raise ReadError(f"{name}: line 1 has {len(tokens)} numbers; {a} {kind} file has {COUNTS[kind]}: {meaning}. Write it again.")
    further = next((number for number, each in enumerate(lines[1:], start=2) if each.strip()), None)
    if further is not None:
        raise ReadError(f"{name}: line {further} is not empty; EAR reads the first line alone. Put all numbers there, remove the rest.")
    if len(line.encode()) >= _LONGEST[kind]:
        raise ReadError(f"{name}: line 1 has {len(line.encode()):,} bytes; EAR reads {_LONGEST[kind]:,}. Write the numbers shorter.")
    numbers = []
    for place, token in enumerate(tokens, start=1):
        try:
            number = float(token)
        except ValueError:
            raise ReadError(f"{name}: number {place} is {token[:40]!r}, which is no number. Correct it.") from None
        if not math.isfinite(number) or "_" in token:
            raise ReadError(f"{name}: number {place} is {token[:40]!r}; it must be a finite number. Correct it.")
        numbers.append(number)
    return numbers
