"""Parts whose rows are runs, HEMs or programs into Subexperiments or a PhaseTable."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

import numpy as np
import pandas as pd

from hemcore.datasets.importing.built_series import events_of, places_beside, places_of
from hemcore.datasets.importing.cell_values import counts_of, names_of, run_numbers, texts_of, whole_of
from hemcore.datasets.importing.header_words import are_runs
from hemcore.datasets.importing.parts import Part
from hemcore.datasets.importing.raw_grid import first_row
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.readers.format import ReadResult, read_result
from hemcore.datasets.readers.hem_columns import as_written, names_told, propose_n_pmcs
from hemcore.datasets.readers.raw_experiments import RawExperiments, split_raw_experiments, subexperiments_from_frames
from hemcore.datasets.readers.repairs import Repair
from hemcore.datasets.readers.series.readings import begun_alike
from hemcore.datasets.tables.checks import listed
from hemcore.datasets.tables.hardware_levels import WHOLE
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.errors import ReadError

# Rows that lack some values of others are a subexperiment of their own unless there are so many times fewer of them.
_FEW_LOST = 5


def subexperiments_of(parts: Sequence[Part], recipe: ImportRecipe) -> ReadResult[Subexperiments]:
    """Each part a subexperiment, or several: by a column that names them, by which columns its rows fill, or where HEMs repeat.

    Raises ReadError for a cell that is no count, TableError where no run is complete, and as split_raw_experiments does.
    """
    frames: list[pd.DataFrame] = []
    labels: list[str] = []
    repairs: list[Repair] = []
    notes: list[str] = []
    _check_one_program(parts, recipe)
    numbered = names_told(part.names for part in parts) or {}
    for part in parts:
        frame, groups = _runs(part, recipe)
        numbered |= as_written(frame) if "event name" in places_of(part, recipe) else {}
        label = PurePosixPath(part.name).stem if len(parts) > 1 else ""
        names = list(frame.columns)
        if groups is None and (len(set(names)) < len(names) or (recipe.n_pmcs or propose_n_pmcs(names)) < len(names)):
            size = recipe.n_pmcs or propose_n_pmcs(names)
            raw = split_raw_experiments(frame.reset_index(drop=True), size, names=numbered or None, min_mean=recipe.min_mean)
            if len(parts) == 1:
                return _result(raw, repairs, notes, recipe)
            repairs += map(Repair._make, raw.repairs.itertuples(index=False))
            frames += raw.subexperiments
            labels += [f"{label} {name}" for name in raw.labels]
            continue
        pieces = _by_group(frame, groups) if groups is not None else _by_filled(frame)
        if groups is None and len(pieces) > 1:
            notes.append(f"{part.name}: its rows fill {len(pieces)} different sets of columns; each is a subexperiment.")
        for name, piece in pieces:
            frames.append(piece.reset_index(drop=True))
            labels.append(f"{label} {name}".strip() or f"subexperiment {len(frames)}")
    if len(parts) > 1 and all(len(frame) == 1 for frame in frames) and len(sets := _by_events(frames)) < len(frames):
        frames = [pd.concat(each, ignore_index=True) for each in sets]
        labels = [f"subexperiment {number}" for number in range(1, len(frames) + 1)]
        one = "one subexperiment" if len(sets) == 1 else f"{len(sets)} subexperiments"
        notes.append(f"Each of the {len(parts):,} files is one run: those that read the same HEMs are one; these are {one}.")
    again = {label: labels.count(label) for label in labels}
    labels = [f"{label} ({place})" if again[label] > 1 else label for place, label in enumerate(labels, start=1)]
    made = subexperiments_from_frames(frames, names=numbered or None, min_mean=recipe.min_mean, labels=labels)
    return _result(made, repairs, notes, recipe)


def _by_events(frames: Sequence[pd.DataFrame]) -> list[list[pd.DataFrame]]:
    """The frames of the same columns together, in the order of the first of each."""
    found: dict[frozenset[Hashable], list[pd.DataFrame]] = {}
    for frame in frames:
        found.setdefault(frozenset(frame), []).append(frame)
    return list(found.values())


def phases_of(parts: Sequence[Part], recipe: ImportRecipe) -> ReadResult[PhaseTable]:
    """One row per phase, or per program: then it is a whole run. Raises ReadError as subexperiments_of does, TableError as PhaseTable."""
    made, counters = [], dict[str, None]()
    for part, stem in zip(parts, stems_of(parts), strict=True):
        roles = places_of(part, recipe)
        if "event name" in roles and recipe.layout == "hems_as_rows":
            wide, _ = _runs(part, recipe)
            counters |= dict.fromkeys(wide.columns)
            columns = [part.names[place] for place in events_of(part, recipe, "value")]
            programs = [stem] * len(columns) if are_runs(columns) else columns
            made.append(wide.assign(program=programs, granularity="whole run", load="as read"))
            continue
        if "event name" in roles:
            wide = _pivoted(part, roles, recipe)
            counters |= dict.fromkeys(wide.columns)
            keys = wide.index.to_frame(index=False)
            named = wide.reset_index(drop=True).assign(program=keys.get("program", stem), granularity="whole run", load="as read")
            made.append(named)
            continue
        frame = pd.DataFrame(index=part.rows)
        frame["program"] = names_of(part, roles["program"]) if "program" in roles else stem
        if "program" in roles and (places := places_beside(part, roles["program"], recipe)):
            frame[WHOLE] = frame["program"]
            frame["program"] += " " + names_of(part, list(places.values())[-1])
            frame = frame.assign(**{level: texts_of(part, place) for level, place in places.items()})
        phases = "phase" in roles or ("stage" in roles and bool(frame["program"].duplicated().any()))
        of_rows = "phase" if phases else "whole run"
        frame["granularity"] = names_of(part, roles["granularity"]) if "granularity" in roles else of_rows
        frame["load"] = names_of(part, roles["load"]) if "load" in roles else "as read"
        if "phase" in roles:
            frame["phase"] = whole_of(part, roles["phase"])
        more: dict[str, pd.Series] = {}  # set one by one, a frame takes the square of the columns
        for place in events_of(part, recipe):
            counts, name = counts_of(part, place), part.names[place]
            known = more.get(name, frame.get(name))
            if known is not None and not known.equals(counts):
                raise ReadError(
                    f"{part.where(place)} is the name of {part.names.count(name)} columns with different counts. Give each a name of its"
                    " own (runs side by side: write one row per run)."
                )
            if known is None:
                more[name] = counts
            counters[name] = None
        for place, name in enumerate(part.names):
            column = recipe.role_of(name)
            if column is not None and column.role in ("text", "stage", "run") and name not in frame and name not in more:
                # The phases of the table are numbers; where the file names them, they are numbered in its order.
                more["phase name" if name == "phase" else name] = part.column(place).astype(object)
        made.append(pd.concat([frame, pd.DataFrame(more, index=part.rows)], axis=1))
    table = pd.concat(_side_by_side(made, counters), ignore_index=True)
    if "phase" not in table:
        table["phase"] = table.groupby(["program", "granularity", "load"], sort=False).cumcount()
    if bool(table["granularity"].astype(str).str.fullmatch(r"\d+").all()):
        table["granularity"] = table["granularity"].astype("int64")
    return read_result(PhaseTable(frame=table, counters=tuple(counters)), [], [])


def _side_by_side(made: Sequence[pd.DataFrame], counters: Collection[str]) -> list[pd.DataFrame]:
    """The frames as one where they are counters of the same rows: each names the same programs and phases, once, and no counter comes
    again; else as they are."""
    of_rows = [[name for name in frame if name not in counters] for frame in made]
    keys = [frame[names].astype(str) for frame, names in zip(made, of_rows, strict=True)]
    alike = (
        len(made) > 1 and all(each.columns.equals(keys[0].columns) for each in keys) and not any(each.duplicated().any() for each in keys)
    )
    again = sum(len(frame.columns) - len(names) for frame, names in zip(made, of_rows, strict=True)) > len(counters)
    if not alike or again or len({frozenset(each.itertuples(index=False, name=None)) for each in keys}) > 1:
        return list(made)
    first, *others = made
    for frame in others:
        first = first.merge(frame, on=of_rows[0], how="left", sort=False)
    return [first]


def stems_of(parts: Sequence[Part]) -> list[str]:
    """The name of each part without its ending; of several, without the words with which all of them begin, as sheets of one workbook; of
    files of one name, the folder of each."""
    paths = [PurePosixPath(part.name) for part in parts]
    stems = [path.stem for path in paths]
    if len(stems) > 1 and len(set(stems)) == 1 and len({path.parent.name for path in paths}) == len(paths):
        return [path.parent.name for path in paths]
    begin = begun_alike(stems).rfind(" ") + 1 if len(set(stems)) > 1 else 0
    return [stem[begin:] for stem in stems] if all(stem[begin:].strip() for stem in stems) else stems


def _check_one_program(parts: Sequence[Part], recipe: ImportRecipe) -> None:
    places = [(part, place) for part in parts if (place := places_of(part, recipe).get("program")) is not None]
    programs = list(dict.fromkeys(text for part, place in places for text in part.column(place).unique()))
    if len(programs) > 1:
        part, place = places[0]
        raise ReadError(
            f"{part.where(place)} names {len(programs)} programs ({listed(programs)}), but subexperiments are runs of one. Choose the"
            " layout 'phases', or ignore the column if they are one program."
        )


def _result(raw: RawExperiments, repairs: list[Repair], notes: list[str], recipe: ImportRecipe) -> ReadResult[Subexperiments]:
    every = [*repairs, *map(Repair._make, raw.repairs.itertuples(index=False))]
    return read_result(raw.table, every, [*notes, *raw.notes])


def _runs(part: Part, recipe: ImportRecipe) -> tuple[pd.DataFrame, pd.Series | None]:
    """(one row per run, one column per HEM, one name may come again; the subexperiment of each row, or None)."""
    roles = places_of(part, recipe)
    groups = names_of(part, roles["subexperiment"]) if "subexperiment" in roles else None
    if "event name" in roles and recipe.layout == "hems_as_rows":
        values = events_of(part, recipe, "value")
        part = _without_empty_rows(part, values)
        names = names_of(part, roles["event name"])
        frame = pd.DataFrame({number: counts_of(part, place).to_numpy() for number, place in enumerate(values)}).T
        return frame.set_axis(list(names), axis=1), None
    if "event name" in roles:
        return _pivoted(part, roles, recipe), None
    events = events_of(part, recipe)
    plain = part.plain_counts(events)
    frame = pd.concat([counts_of(part, place) for place in events], axis=1) if plain is None else pd.DataFrame(plain, index=part.rows)
    return frame.set_axis([part.names[place] for place in events], axis=1), groups


def _without_empty_rows(part: Part, values: Sequence[int]) -> Part:
    """`part` without rows that have no cell in the columns `values`: headings such as "Caches" among the names of events."""
    blank = pd.concat([part.column(place) == "" for place in values], axis=1).all(axis=1)
    if not bool(blank.any()) or bool(blank.all()):
        return part
    part.repairs.append(Repair(part.name, "", "rows without a value, such as headings, left out", int(blank.sum())))
    return replace(part, cells=part.texts[~blank])


def _pivoted(part: Part, roles: dict[str, int], recipe: ImportRecipe) -> pd.DataFrame:
    rows = pd.DataFrame({"event": names_of(part, roles["event name"]), "count": counts_of(part, events_of(part, recipe, "value")[0])})
    keys: list[Hashable] = []
    for role in ("subexperiment", "program"):
        if role in roles:
            rows[role] = names_of(part, roles[role])
            keys.append(role)
    if "run" in roles:
        rows["run"] = run_numbers(part, roles["run"])
    else:
        rows["run"] = rows.groupby([*keys, "event"], sort=False).cumcount()
    keys.append("run")
    twice = rows.duplicated([*keys, "event"])
    if bool(twice.any()):
        row = first_row(twice)
        raise ReadError(
            f"{part.name}, row {row}: {rows['event'][row]!r} comes twice in one run. Choose the column that tells the runs apart."
        )
    order = list(dict.fromkeys(rows["event"]))
    runs = pd.MultiIndex.from_frame(rows[keys].drop_duplicates()) if len(keys) > 1 else pd.Index(rows["run"].unique(), name="run")
    return rows.pivot(index=keys, columns="event", values="count").reindex(index=runs, columns=order).rename_axis(columns=None)


def _by_group(frame: pd.DataFrame, groups: pd.Series) -> list[tuple[str, pd.DataFrame]]:
    return [(str(name), part.dropna(axis="columns", how="all")) for name, part in frame.groupby(groups.to_numpy(), sort=False)]


def _by_filled(frame: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """The rows by which columns they fill, where that makes a few sets of several rows each; else all as they are."""
    filled = frame.notna().to_numpy()
    if filled.all():
        return [("", frame)]
    patterns, which, times = np.unique(filled, axis=0, return_inverse=True, return_counts=True)
    which = which.ravel()
    for number in range(len(patterns)):
        whole = next((other for other in range(len(patterns)) if _lost_values(patterns, times, number, other)), number)
        which = np.where(which == number, whole, which)
    times = np.bincount(which, minlength=len(patterns))
    several = [number for number in np.unique(which).tolist() if patterns[number].any()]
    if len(several) < 2 or min(times[number] for number in several) < 2 or len(several) * 2 > len(frame):
        return [("", frame)]
    order = sorted(several, key=lambda number: int((which == number).argmax()))
    return [("", frame.loc[which == number, patterns[number]]) for number in order]


def _lost_values(patterns: np.ndarray, times: np.ndarray, number: int, other: int) -> bool:
    """Whether the few rows of one pattern are those of `other` with values that were lost, not a subexperiment."""
    inside = bool((patterns[number] <= patterns[other]).all()) and number != other
    return inside and bool(times[number] * _FEW_LOST <= times[other])
