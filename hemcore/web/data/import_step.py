"""Between upload and shelf: what the files hold as they are, what each column is, what will be changed and the table that results."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import get_args

import pandas as pd
import streamlit as st

from hemcore.datasets.importing.inspection import PartPreview, Preview
from hemcore.datasets.importing.recipe import CHOSEN, ROLES, ColumnRole, ImportRecipe, TimeUnit, recipe_of
from hemcore.datasets.readers.uploaded_files import UploadedFile, files_id
from hemcore.errors import HemError
from hemcore.params import control
from hemcore.web import sentences, shelf, tables
from hemcore.web.data import PAGE, reading
from hemcore.web.data.row_ranges import rows_of, rows_text

# What decides which cells are names, units and values; the roles of columns are guessed anew when one of these changes.
_STRUCTURE = (
    "layout", "first_line", "last_line", "header_row", "header_rows", "units_row", "delimiter", "decimal", "dates", "per_interval",
    "blanks",
)  # fmt: skip
_SHOWN = {
    "layout": {
        "": "guess", "intervals": "an interval of a run", "runs": "a run (subexperiments)", "phases": "a phase of a program",
        "long": "one value of one event", "hems_as_rows": "a HEM",
    },
    "delimiter": {"": "guess", ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blank", "aligned": "aligned columns"},
}  # fmt: skip
_FOUND = ("header_row", "header_rows", "units_row")  # shown as they were found
_ASKED = ("decimal", "dates", "per_interval", "blanks")
_NO_UNIT = "–"
_UNITS = (_NO_UNIT, *filter(None, get_args(TimeUnit)))
_REPAIRS, _MOST_REPAIRS = 7, 200
_MANY_FILES = 20


def preview(files: list[UploadedFile], sum: str, *, sure: bool) -> tuple[Preview, str]:
    """Draw the step; (what results, the recipe as JSON, "" where there is none). sure: whether the guess needs no second look."""
    # The page gives it its whole width.
    with st.container(key=PAGE.key("import-step")):
        return _preview(files, sum, sure=sure)


def _preview(files: list[UploadedFile], sum: str, *, sure: bool) -> tuple[Preview, str]:
    base = st.session_state.get(_key("recipe", sum), "")
    found = reading.preview(files, sum, base)
    if found.recipe is None and any(part.rows for part in found.parts):
        found = replace(found, recipe=ImportRecipe())  # where its table is can be pointed out
    heading = st.container()
    form = files_id([UploadedFile(sum, base.encode())])  # another recipe to begin with has widgets of its own
    part = _part_choice(found, sum)
    _as_it_is(part)
    if found.recipe is not None:
        with st.expander("Rows and columns", expanded=not sure or bool(found.fault), icon=":material/table_edit:"):
            found = _changed(files, sum, found, part, form)
        _offer_known(found, sum)
    # "Recognised" is said of what was checked.
    looks = "Looks like" if found.fault else "Recognised"
    title = f"{looks}: **{sentences.as_text(found.title)}**" if found.title else "Not recognised yet: say what the columns are."
    with heading:
        st.markdown(title, help=sentences.as_text(found.why) or None)
        ask(found, sum)
    what_results(found)
    return found, found.recipe.to_json() if found.recipe is not None else ""


def ask(found: Preview, sum: str) -> None:
    """Draw the questions about the guess, with a button for each answer; an answer gives the step a recipe to begin with."""
    for doubt in found.doubts:
        st.warning(sentences.as_text(f"Check this: {doubt.question}"), icon=":material/help:")
        actions = [(label, partial(_answer, sum, recipe.to_json())) for label, recipe in doubt.answers]
        sentences.buttons(actions, key=_key(f"answer-{doubt.key}", sum))


def answered(sum: str) -> bool:
    """Whether a question was answered, or the recipe of an earlier upload taken."""
    return _key("recipe", sum) in st.session_state


def _answer(sum: str, recipe: str) -> None:
    st.session_state[_key("recipe", sum)] = recipe


def _key(what: str, sum: str) -> str:
    return PAGE.key(f"import-{what}-{sum[:8]}")


def _part_choice(found: Preview, sum: str) -> PartPreview | None:
    if len(found.parts) < 2:
        return found.parts[0] if found.parts else None
    shown = [part for part in found.parts if part.rows] or found.parts
    names = [part.name for part in shown]
    left = {part.name: part.why_not for part in found.parts if not part.used}
    chosen = st.selectbox("File or sheet shown", names, key=_key("part", sum), help="Its first rows, as they are.")
    if left:
        listed = "; ".join(f"{name}{f' ({why})' if why else ''}" for name, why in list(left.items())[:_MANY_FILES])
        more = f"; and {len(left) - _MANY_FILES:,} more" if len(left) > _MANY_FILES else ""
        st.caption(sentences.as_text(f"Not read: {listed}{more}"))
    return shown[names.index(chosen)]


def as_read(found: Preview) -> None:
    """Draw the first rows of the first file or sheet as they are, and what results, in the whole width of the page."""
    with st.container(key=PAGE.key("import-step")):
        _as_it_is(found.parts[0] if found.parts else None)
        what_results(found)


def _as_it_is(part: PartPreview | None) -> None:
    if part is None or not part.rows:
        return
    width = max(len(row) for row in part.rows)
    cells = [[*row, *[""] * (width - len(row))] for row in part.rows]
    index = range(part.first_shown, part.first_shown + len(cells))
    frame = pd.DataFrame(cells, columns=[str(number) for number in range(1, width + 1)], index=index)
    st.dataframe(frame, height=180, alt=f"The first rows of {part.name}, as they are", key=PAGE.key("import-cells"))


def _changed(files: list[UploadedFile], sum: str, found: Preview, part: PartPreview | None, form: str) -> Preview:
    """What results from the rows and columns as they are chosen. form: what the keys of the widgets begin with."""
    assert found.recipe is not None
    guess = found.recipe
    chosen, fault = _structure(guess, form, part, asked=bool(found.fault))
    if len(found.parts) > 1:
        left_out = _left_out(found.parts, form)
        if left_out != tuple(each.name for each in found.parts if not each.used):
            chosen["leave_out"] = left_out
    if chosen:
        found = reading.preview(files, sum, guess.but(**chosen, columns=()).to_json())
    if found.recipe is None or not found.recipe.columns:
        return found
    columns = _roles(found.recipe, form, hash(tuple(sorted(map(str, chosen.items())))))
    if columns == found.recipe.columns or fault:
        return replace(found, fault=fault, summary="") if fault else found
    try:
        recipe = found.recipe.but(columns=columns)
    except HemError as error:  # two columns of a role that one can have
        return replace(found, fault=str(error), summary="")
    return reading.preview(files, sum, recipe.to_json())


def _left_out(parts: Sequence[PartPreview], sum: str) -> tuple[str, ...]:
    """The files and sheets that are not read, in order; of many, those that are left out are chosen, not those that are read."""
    names, many = [each.name for each in parts], len(parts) > _MANY_FILES
    chosen = st.multiselect(
        "Files and sheets to leave out" if many else "Files and sheets to read",
        names,
        default=[each.name for each in parts if each.used != many],
        key=_key("files", sum),
    )
    return tuple(name for name in names if (name in chosen) == many)


def _structure(guess: ImportRecipe, sum: str, part: PartPreview | None, *, asked: bool) -> tuple[dict[str, object], str]:
    """(the fields of `_STRUCTURE` that differ from the guess, what is wrong with one: "" for nothing).

    asked: whether the guess left a question open, which any choice answers."""
    chosen: dict[str, object] = {}
    fault = ""
    with st.container(horizontal=True):
        for name in _STRUCTURE:
            spec, now = control(ImportRecipe, name), "" if asked and name in _ASKED else getattr(guess, name)
            help, key = sentences.as_text(spec.description), _key(name, sum)
            if spec.choices is None:
                found = getattr(part, name) if name in _FOUND and part is not None and not guess.header_row else now
                value: object = int(st.number_input(spec.title, value=int(found), min_value=int(spec.low), key=key, help=help, width=120))
                differs = value != found
            else:
                options = [str(each) for each in spec.choices]
                shown = _SHOWN.get(name, {"": "guess"})
                value = st.selectbox(
                    spec.title, options, index=options.index(now), key=key, help=help, width=170,
                    format_func=partial(_named, shown),
                )  # fmt: skip
                differs = value != now
            if differs:
                chosen[name] = value
        spec, now = control(ImportRecipe, "skip_rows"), rows_text(guess.skip_rows)
        said = st.text_input(
            spec.title,
            value=now,
            key=_key("skip_rows", sum),
            help=f"{spec.description} Such as 12, 40-45.",
            placeholder="12, 40-45",
            width=170,
        )
        try:
            if (rows := rows_of(said)) != guess.skip_rows:
                chosen["skip_rows"] = rows
        except HemError as error:
            fault = str(error)
    if part is not None and part.header_row and (chosen.get("header_rows") == 1 or chosen.get("units_row") == 0):
        chosen.setdefault("header_row", part.header_row)  # no units, or one row of names, are said of the rows that are shown
    if part is not None and 0 < int(str(chosen.get("header_row", 0))) < part.units_row:
        chosen.setdefault("units_row", part.units_row)
    return chosen, fault


def _named(names: Mapping[str, str], option: str) -> str:
    return names.get(option, option)


def _roles(recipe: ImportRecipe, sum: str, version: int) -> tuple[ColumnRole, ...]:
    kept, last = _key("kept-roles", sum), _key("chosen-roles", sum)
    if st.session_state.get(kept, (None, {}))[0] != version:  # other rows: what was chosen of the columns stays
        st.session_state[kept] = version, st.session_state.get(last, {})
    chosen: dict[str, ColumnRole] = st.session_state[kept][1]
    columns = [chosen.get(each.name, each) for each in recipe.columns]
    rows = [
        {"Column": each.name, "Role": each.role, "Unit": each.unit or _NO_UNIT, "Share of": each.of, "Why": each.why} for each in columns
    ]
    edited = st.data_editor(
        pd.DataFrame(rows),
        hide_index=True,
        disabled=["Column", "Why"],
        key=f"{_key('columns', sum)}-{version}",
        column_config={
            "Role": st.column_config.SelectboxColumn("Role", options=list(ROLES), required=True, help="What the column holds."),
            "Unit": st.column_config.SelectboxColumn("Unit", options=list(_UNITS), help="Of a time: its unit."),
            "Share of": st.column_config.TextColumn("Share of", help="Of a share: the event that was counted for this part."),
            "Why": st.column_config.TextColumn("Why", width="medium"),
        },
    )
    edited["Unit"] = edited["Unit"].replace(_NO_UNIT, "")
    result = tuple(
        one if (row["Role"], row["Unit"] or "", row["Share of"] or "") == (one.role, one.unit, one.of)
        else one.but(role=row["Role"], unit=row["Unit"] or "", of=row["Share of"] or "", why=CHOSEN)
        for one, row in zip(columns, edited.to_dict("records"), strict=True)
    )  # fmt: skip
    st.session_state[last] = chosen | {each.name: each for each in result if each.why == CHOSEN}
    return result


def _offer_known(found: Preview, sum: str) -> None:
    """The recipe of an earlier upload of this shape, if it says something else."""
    now = found.recipe
    if now is None or not now.shape:
        return
    for record in shelf.store().records():
        if record.recipe and record.recipe != now.to_json() and f'"{now.shape}"' in record.recipe:
            try:
                known = recipe_of(record.recipe)
            except HemError:
                continue
            if known.shape == now.shape and _choices(known) != _choices(now):
                label = f"Read it as {sentences.as_text(record.name[:40])}"
                help = "An earlier upload has the same columns and was read in another way."
                if st.button(label, key=_key("known", sum), icon=":material/history:", help=help):
                    st.session_state[_key("recipe", sum)] = record.recipe
                    st.rerun()
                return


def _choices(recipe: ImportRecipe) -> dict[str, object]:
    """What a recipe says of any files of its shape."""
    roles = [(each.name, each.role, each.unit, each.of) for each in recipe.columns]
    return recipe.model_dump(exclude={"columns", "leave_out", "settled"}) | {"columns": roles}


def what_results(found: Preview) -> None:
    """Draw what would be changed, and the first rows of the table that results, or why there is none."""
    if found.fault:
        sentences.show(found.fault)
        return
    if found.repairs:
        shown = [f"- {sentences.as_text(each)}" for each in found.repairs]
        st.markdown("What will be changed or assumed:\n\n" + "\n".join(shown[:_REPAIRS]))
        if more := shown[_REPAIRS:_MOST_REPAIRS]:
            with st.expander(f"{len(shown) - _REPAIRS:,} more changes"):
                st.markdown("\n".join(more))
                if len(shown) > _MOST_REPAIRS:
                    st.caption(f"and {len(shown) - _MOST_REPAIRS:,} more; all are listed under Repairs once it is added")
    if found.beginning is None:
        return
    whole = "" if found.whole else " (of the first rows)"
    st.markdown(f"The table that results{whole}: **{sentences.as_text(found.summary)}**")
    name, frame = found.beginning
    st.dataframe(
        frame,
        hide_index=True,
        height="content",
        placeholder=tables.MISSING,
        alt=f"The first rows of {name}",
        key=PAGE.key("import-result"),
    )
