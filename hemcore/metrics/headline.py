"""The headline figures and the verdict of metrics."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from hemcore.errors import Remedy
from hemcore.headline import ADD_RUNS, Card, Doubt, Verdict, amount, counted_noun, doubted, few_runs, percent
from hemcore.metrics.identities import in_doubt
from hemcore.metrics.known_constants import ASSUMED
from hemcore.metrics.known_truth import truth_sentence
from hemcore.metrics.results import MetricRows, MetricsReport

PLAN_MISSING = Remedy(label="Plan the missing events", choose={"plan_missing": True})
_UPLOAD = Remedy(label="Upload definitions", page="data")
_GIVE = Remedy(label="Enter constants", choose={"view": "Missing"})  # where their fields are
_SHOW_SUMS = Remedy(label="Show these sums", choose={"view": "Sums that must agree"})
PLAN_ANCHOR = Remedy(label="Plan with an anchor", choose={"plan_anchor": True})


def cards(report: MetricsReport) -> list[Card]:
    """The headline figures of metrics over whole runs."""
    rows, known = report.rows, report.rows[report.rows["value"].notna()]
    widths = _relative_widths(report)
    passed = rows[rows["passed"] == 1]
    return [
        _evaluated(len(known), len(rows), report.needs),
        Card(
            label="Median interval",
            value=float(np.median(widths)) if len(widths) else None,
            form=".1%",
            note="half its width, of the value",
            help="Half the width of the 80% interval relative to the metric, for the median metric.",
            better="lower",
        ),
        Card(
            label="Past threshold",
            value=len(passed),
            text=f"{len(passed):,} of {rows['passed'].notna().sum():,}",
            note="metrics with a threshold",
            help="Metrics past the value from which their definition says that they deserve attention.",
        ),
        Card(
            label="Identities that fail",
            value=int((report.identities["holds"] == 0).sum()),
            note=f"of {len(report.identities):,}",
            help="Sums that must agree, such as the children of a node with the node, and do not within chance.",
            better="lower",
        ),
    ]


def verdict(report: MetricsReport) -> Verdict:
    """The bottleneck or how many metrics are known, and whether runs, events and identities bear it."""
    rows = report.rows
    known = rows[rows["value"].notna()]
    if not len(known):
        return _nothing(report.needs, len(rows))
    widths = _relative_widths(report)
    if report.tree is not None and report.tree.path:
        top, *_, last = *report.tree.path[:1], *report.tree.path
        whole, part = (percent(float(report.tree.node(name)["share"])) for name in (top, last))
        answer = f"{last} is the bottleneck ({part})." if last == top else f"{last} is the bottleneck ({part}), within {top} ({whole})."
    else:
        answer = _known(len(known), len(rows))
    if len(answer.split()) > 14:
        answer = _known(len(known), len(rows))
    doubts = [*few_runs(min(report.runs.values()))]
    failing = report.identities[report.identities["holds"] == 0]
    if len(failing):
        fails = "fails" if len(failing) == 1 else "fail"
        sentence = f"{counted_noun(len(failing), 'identity')} {fails}: counts contradict one another."
        doubts.insert(0, Doubt(sentence=sentence, remedy=_SHOW_SUMS))
    doubts += _lacking(report.needs)
    if report.anchor is None and len(report.runs) > 1:
        doubts.append(Doubt(sentence="No common HEM: unequal runs shift metrics.", remedy=PLAN_ANCHOR))
    doubts += _assumed(report.constants)
    trust = f"80% intervals are {percent(float(np.median(widths)), 1)} wide on each side at the median." if len(widths) else ""
    beyond = report.identities[in_doubt(report.identities)]
    why = [
        *(str(each) for each in pd.concat([failing, beyond])["sentence"]),
        *_main_parts(report),
        *filter(None, [truth_sentence(rows, report.truth_runs, report.runs)]),
    ]
    if report.tree is not None:
        why.insert(0, report.tree.sentence)
    return doubted(Verdict(answer=answer, trust=trust, why=tuple(why)), doubts)


def row_cards(report: MetricRows) -> list[Card]:
    """The headline figures of metrics row by row."""
    values = report.rows[list(report.names)].to_numpy(dtype=float)
    known = np.isfinite(values).any(axis=0).sum() if values.size else 0
    with_value = np.isfinite(values[:, np.isfinite(values).any(axis=0)]).mean() if known else None
    return [
        _evaluated(int(known), len(report.names), report.needs),
        Card(
            label="Rows with a value",
            value=None if with_value is None else float(with_value),
            form=".1%",
            note=f"of {len(report.rows):,} rows",
            help="Of the metrics that are known: the fraction of rows in which all events were counted and nothing divides by zero.",
            better="higher",
        ),
    ]


def row_verdict(report: MetricRows) -> Verdict:
    """How many metrics are known in how many rows."""
    values = report.rows[list(report.names)].to_numpy(dtype=float)
    known = int(np.isfinite(values).any(axis=0).sum()) if values.size else 0
    if not known:
        return _nothing(report.needs, len(report.names))
    answer = _known(known, len(report.names), f" in {counted_noun(len(report.rows), 'row')}")
    doubts = _lacking(report.needs)
    if len(report.rows) < 2:
        doubts.append(Doubt(sentence="Only one row: nothing says how much a metric varies.", remedy=ADD_RUNS))
    doubts += _assumed(report.constants)
    why = [" ".join(notes) for name, notes in report.notes.items() if name not in report.needs][:5]
    return doubted(Verdict(answer=answer, why=tuple(why)), doubts)


def _known(known: int, of: int, where: str = "") -> str:
    return f"{known:,} of {counted_noun(of, 'metric')} {'is' if known == 1 else 'are'} known{where}."


def _evaluated(known: int, of: int, needs: Mapping[str, tuple[str, ...]]) -> Card:
    lacking = {each for lacks in needs.values() for each in lacks}
    constants = sum(each.startswith("#") for each in lacking)
    missing = [(len(lacking) - constants, "event"), (constants, "constant")]
    return Card(
        label="Metrics known",
        value=known,
        text=f"{known:,} of {of:,}",
        note=f"{' and '.join(counted_noun(n, what) for n, what in missing if n)} missing" if lacking else "no event missing",
        help="Metrics all of whose events were counted and whose constants have a value.",
        better="higher",
    )


def _lacking(needs: Mapping[str, tuple[str, ...]]) -> list[Doubt]:
    """That metrics lack an event, which can be planned, or a constant alone, which can be given."""
    constant = sum(all(each.startswith("#") for each in lacks) for lacks in needs.values())
    event = len(needs) - constant
    doubts = []
    if event:
        doubts.append(Doubt(sentence=f"{counted_noun(event, 'metric')} {'lacks' if event == 1 else 'lack'} an event.", remedy=PLAN_MISSING))
    if constant:
        verb = "lacks" if constant == 1 else "lack"
        doubts.append(Doubt(sentence=f"{counted_noun(constant, 'metric')} {verb} a constant: give it under Constants.", remedy=_GIVE))
    return doubts


def _nothing(needs: Mapping[str, tuple[str, ...]], metrics: int) -> Verdict:
    """Without any value: what to give, which is no further event."""
    answer = f"Not one of {counted_noun(metrics, 'metric')} has a value."
    if needs and all(each.startswith("#") for lacks in needs.values() for each in lacks):
        return Verdict(answer=answer, trust="Each lacks a constant: give it under Constants.", level="poor", remedies=(_GIVE,))
    lacking = next((lacks for lacks in needs.values() if lacks), ())
    first = (f"The first needs {', '.join(lacking[:2])[:60]}.",) if lacking else ()
    why = (*first, "Definitions are what perf list prints, or files of Intel, Arm or LIKWID.") if needs else ()
    trust = "They are defined by other events than these." if needs else ""
    return Verdict(answer=answer, trust=trust, why=why, level="poor", remedies=(_UPLOAD if needs else ADD_RUNS,))


def _assumed(constants: pd.DataFrame) -> list[Doubt]:
    """That constants are assumed; the step writes them into their field, where they can be corrected."""
    rows = constants[constants["source"] == ASSUMED]
    if rows.empty:
        return []
    sentence = f"Assumed: {', '.join(map(str, rows['constant'][:4]))[:80]}. Give the values of your machine."
    given = "; ".join(f"{name} = {float(value)!r}" for name, value in zip(rows["constant"], rows["value"], strict=True))
    return [Doubt(sentence=sentence, remedy=Remedy(label="Enter these values", choose={"constants": given}))]


def _relative_widths(report: MetricsReport) -> list[float]:
    rows = report.rows
    known = rows[rows["value"].notna() & rows["low"].notna() & (rows["value"] != 0)]
    return [float(each) for each in (known["high"] - known["low"]) / 2 / known["value"].abs()]


def _main_parts(report: MetricsReport) -> list[str]:
    """Which subexperiment most of the doubt is from, of the metric with the widest interval."""
    rows = report.rows
    known = rows[rows["value"].notna() & (rows["needs_most"] != "") & (rows["value"] != 0)]
    if not len(known) or len(report.runs) < 2:
        return []
    widest = known.iloc[int(((known["high"] - known["low"]) / known["value"].abs()).to_numpy().argmax())].to_dict()
    share = percent(float(widest["its_share"]))
    sentence = f"The widest interval is that of {widest['metric']}: {share} of its variance is from {widest['needs_most']}"
    more = float(widest["runs_to_halve"])
    return [f"{sentence}; {amount(more)} more runs of it halve the interval." if np.isfinite(more) else f"{sentence}."]
