"""Columns that tell of others: means, their spread, their bounds and how many they are; the codes of events."""

import re
from collections.abc import Sequence
from itertools import permutations

import numpy as np

from hemcore.datasets.importing.guessing.column_facts import Facts
from hemcore.datasets.importing.header_words import are_runs, plain
from hemcore.datasets.importing.other_forms.listed_events import COUNTED

# What tells of several values, behind or before the name of what they are of: "cycles_std", "mean(cycles)".
_CENTRES = "mean|avg|average|mittel|mittelwert|durchschnitt|moyenne"
_SPREADS = r"std|stdev|stddev|std ?dev|std ?err(?:or)?|stddev_samp|sem|variance|standard ?deviation|standardabweichung|ecart ?type"
_OTHERS = (
    r"sd|se|ci|ci ?9\d%?|ci[_ ]?(?:low|high|lower|upper)|var|cv|cov|min|max|minimum|maximum|median|count|n|nobs|p\d\d|\d\d%|q[13]|iqr"
    r"|low|lower|lo|lwr|high|upper|hi|upr"
)
_LOWER = r"low|lower|lo|lwr|min|minimum|ci[_ ]?(?:low|lower)"
_UPPER = r"high|upper|hi|upr|max|maximum|ci[_ ]?(?:high|upper)"
_BEHIND = re.compile(rf"(?P<of>.+?)[\s_.:/(\[-]+(?P<what>{_CENTRES}|{_SPREADS}|{_OTHERS})[)\]]?", re.IGNORECASE)
_BEFORE = re.compile(rf"(?P<what>{_CENTRES}|{_SPREADS}|{_OTHERS})[\s_.:/(\[-]+(?P<of>.+?)[)\]]?", re.IGNORECASE)
# As pandas writes a name in two levels, of .agg(["mean", "std"]): "('cycles', 'std')".
_TUPLE = re.compile(r"""\(\s*(['"])(?P<of>.+)\1\s*,\s*(['"])(?P<what>[^'"]+)\3\s*\)""")
_SIZES = frozenset(("n", "count", "nobs", "runs", "nruns", "reps", "samples", "size", "anzahl", "nombre", "rounds", "iterations"))
_IN_BRACKETS = re.compile(r"[\s_]*[(\[][^()\[\]]*[)\]]$")
# What numbers an event, or says which counter counts it.
_CODES = frozenset(
    "code codes eventcode eventnumber eventnr eventno number pmc pmcs counter counterno register umask unitmask eventselect select config"
    " rawcode raw hex hexcode priority prio prioritat priorite".split()
)
MEAN = "the mean of the values behind it"
RATIO = "a ratio of two columns before it"
STATISTIC = "it says how the values behind a mean vary or how many they are: no count"


def statistics(facts: Sequence[Facts]) -> list[Facts]:
    """The columns of numbers that tell of the values behind a mean beside them: their spread, extremes and number; the mean itself is none.

    A standard deviation is one whatever stands beside it, an extreme or a median where the mean of the same does.
    """
    parts = {}
    for fact in facts:
        name = _TUPLE.sub(r"\g<of>_\g<what>", fact.name.strip())
        named = _BEHIND.fullmatch(name) or _BEFORE.fullmatch(name)
        if named is not None:
            parts[fact.place] = (plain(named["of"]), named["what"])
    spread = re.compile(_SPREADS, re.IGNORECASE)
    means = {of for of, what in parts.values() if re.fullmatch(_CENTRES, what, re.IGNORECASE)}
    bare = {plain(fact.name) for fact in facts}
    spreads = {of for of, what in parts.values() if spread.fullmatch(what) and not (of in means or of in bare)}
    found = []
    for fact in facts:
        of, what = parts.get(fact.place, ("", ""))
        tells = spread.fullmatch(what) or (what and not re.fullmatch(_CENTRES, what, re.IGNORECASE) and of in means)
        if tells and fact.is_numeric and of not in spreads:
            found.append(fact)
    found += [fact for fact in _bounds(facts, parts, bare) if fact not in found]
    if (mean := mean_alone(facts)) is not None:
        found += [
            fact
            for fact in facts
            if fact is not mean and fact not in found and fact.is_numeric and _bare(fact, f"{_SPREADS}|{_OTHERS}|med")
        ]
    sizes = [fact for fact in facts if found and fact not in found and plain(fact.name) in _SIZES and fact.is_whole]
    return [*found, *sizes]


def _bounds(facts: Sequence[Facts], parts: dict[int, tuple[str, str]], bare: set[str]) -> list[Facts]:
    """The columns of bounds, "cycles_lower" and "cycles_upper", where both stand beside what they are of."""
    ends = [(fact, *parts.get(fact.place, ("", ""))) for fact in facts]
    low = {of for _, of, what in ends if re.fullmatch(_LOWER, what, re.IGNORECASE)}
    high = {of for _, of, what in ends if re.fullmatch(_UPPER, what, re.IGNORECASE)}
    return [fact for fact, of, what in ends if of in low & high & bare and re.fullmatch(f"{_LOWER}|{_UPPER}", what, re.IGNORECASE)]


def mean_alone(facts: Sequence[Facts]) -> Facts | None:
    """The column called a mean, or without one a median, beside its spread or its extremes ("mean, stddev, min, max"); else None."""
    means = [fact for fact in facts if fact.is_numeric and _bare(fact, _CENTRES)]
    spread = any(_bare(fact, _SPREADS) for fact in facts)
    extremes = all(any(_bare(fact, words) for fact in facts) for words in ("min|minimum", "max|maximum"))
    if not means and extremes:
        means = [fact for fact in facts if fact.is_numeric and _bare(fact, "median|med")]
    return means[0] if len(means) == 1 and (spread or extremes) else None


def ratios(facts: Sequence[Facts]) -> list[Facts]:
    """The columns that are, in every row, the quotient of two before them or how much larger one is than the other, as speed-ups are."""
    found = []
    for at, fact in enumerate(facts):
        value = fact.numbers.to_numpy(dtype=float)
        digits = max((len(cell.rstrip("%").partition(".")[2]) for cell in fact.texts), default=0)
        for one, other in permutations(facts[:at], 2):
            with np.errstate(divide="ignore", invalid="ignore"):
                quotient = one.numbers.to_numpy(dtype=float) / other.numbers.to_numpy(dtype=float)
            close = (
                np.allclose(value, each, rtol=1e-6, atol=0.51 * 10.0**-digits) for each in (quotient, quotient - 1, 100 * quotient - 100)
            )
            if len(value) > 1 and fact.distinct > 1 and any(close):
                found.append(fact)
                break
    return found


def _bare(fact: Facts, words: str) -> bool:
    """Whether a column has one of `words` for its whole name, a unit in brackets aside."""
    return re.fullmatch(words, _IN_BRACKETS.sub("", fact.name.strip()), re.IGNORECASE) is not None


def codes_events(fact: Facts, others: Sequence[Facts]) -> bool:
    """Whether whole numbers beside the names of events and the columns `others` are their codes or counters: by the name, or since the
    others are called runs and this one is not."""
    named = plain(fact.name) in _CODES or fact.meaning.role == "identifier"
    return fact.is_whole and (named or (are_runs([each.name for each in others]) and not are_runs([fact.name, others[0].name])))


def often_counted(fact: Facts) -> float:
    """The share of the cells of a column that are called as what is often counted is: 1 for "CPU_CYCLES, INST_RETIRED" beside the counters
    that counted them, "PMCCNTR, PMXEVCNTR0", of which it is 0."""
    return float(fact.texts.map(COUNTED.search).notna().mean())
