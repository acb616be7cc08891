"""The upload panel: files in, the format recognised or chosen, the dataset added to the visitor's own."""

from contextlib import suppress

import streamlit as st

from hemcore import jobs
from hemcore.datasets.importing.inspection import Preview
from hemcore.datasets.importing.recipe import ImportRecipe
from hemcore.datasets.readers.formats import FORMATS, PLAIN, TABLES, AnyFormat, ReadOptions, format_of
from hemcore.datasets.readers.recognition import Recognised
from hemcore.datasets.readers.series.readings import natural_order
from hemcore.datasets.readers.uploaded_files import UploadedFile, files_id
from hemcore.datasets.shelf import staged
from hemcore.datasets.shelf.records import DatasetRecord
from hemcore.web import sentences, shelf
from hemcore.web.data import PAGE, import_step, opening_page, reading, what_to_add
from hemcore.web.form import Form

# In the session: how many uploads are done, what the last one led to (shown once), and the SHA-256 of the files sent.
_DONE, _OUTCOME, _SUMS = "data:uploads_done", "data:upload_outcome", "data:upload_sums"
_ROWS = 5  # more scroll
_MOST_APART = 20  # files of one upload that are added one by one


def panel() -> None:
    """Draw the panel. The store keeps what is uploaded; nothing of it stays in the session, and the panel is empty after it."""
    with st.container(border=True):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown("**Upload**", width="content")
            folder = st.toggle(
                "Add a folder", key=PAGE.key("folder"), help="Choose a folder instead of files: all files in it, and in its folders."
            )
        what_to_add.show()
        with sentences.show_errors(stop=False):
            if (outcome := reading.outcome()) is not None:
                _end(shelf.store().record(outcome["id"]), was_there=outcome["was_there"])
        done = st.session_state.get(_DONE, 0)
        key = PAGE.key("upload-folder" if folder else "upload")
        sent = st.file_uploader(
            f"{'A folder' if folder else 'Files'} of one dataset",
            accept_multiple_files="directory" if folder else True,
            # Only another widget forgets the files of an upload that is done.
            key=f"{key}-{done}" if done else key,
            help="CSV, text, JSON or .data files (UTF-8, or UTF-16 with a byte order mark), workbooks (.xlsx, .xls, .xlsb, .ods), Parquet,"
            " Feather, .gz or .zip; at most 200 MB. One dataset per upload: several files or sheets are its subexperiments, or the runs of"
            " a series. A folder can be dropped here, with the folders in it. Send hundreds of files as one .zip: a browser sends them one"
            " by one, slowly.",
        )
        _show_outcome()
        if reading.is_running():
            return
        if not sent:
            st.session_state.pop(_SUMS, None)
            reading.discard()
            st.caption(
                "Choose the files of one dataset, or drop them or their folder here; of hundreds of files, a .zip. Their format is"
                " recognised, and you see what they hold before you add them."
                " Subexperiments, the runs of a plan, lists of HEMs, output of perf, LIKWID, PAPI, toplev, PerfSpect, Caliper, rocprof,"
                " Score-P, ClusterCockpit and Prometheus, Cortex-A15 event logs,"
                " series and phases in CSV, EAR signatures and metrics can be read: see examples under File formats."
            )
            return
        jobs.prepare()  # what is uploaded is analysed next, and may be large
        sent = sorted(sent, key=lambda file: natural_order(file.name))  # those of a folder come in any order
        seen = [file for file in sent if not any(part.startswith(".") for part in file.name.split("/"))]
        sent = seen if folder and seen else sent
        files = [UploadedFile(name=file.name, content=file.getvalue()) for file in sent]
        with sentences.show_errors(stop=False), suppress(reading.WaitingError):
            _choose(files, _sum([file.file_id for file in sent], files))


def _sum(ids: list[str], files: list[UploadedFile]) -> str:
    """files_id of the upload, computed once: a large one takes a while."""
    known: dict[str, str] = st.session_state.get(_SUMS, {})
    key = " ".join(ids)
    if key not in known:
        known = {key: files_id(files)}
        st.session_state[_SUMS] = known
    return known[key]


def _choose(files: list[UploadedFile], sum: str) -> None:
    """What the files were taken for, how they are read, and the button that adds them."""
    found = reading.recognised(files, sum)
    if found is None:
        return
    if not found.unpacked:
        sentences.show(found.fault)
        return
    # What is in doubt is chosen, not assumed.
    fault = found.fault or (found.matches[0].asks if found.matches else "")
    best = found.matches[0] if found.matches and not fault else None
    titles = {match.format.title: match.key for match in found.matches} | {each.title: each.key for each in FORMATS}
    by_hand = bool(st.session_state.get(_by_hand(sum)))
    # Where no format fits, the step asks for what is missing, if there is a table at all.
    guess = reading.preview(files, sum, "") if best is None or best.key in PLAIN else None
    is_table = best.key in TABLES or import_step.answered(sum) if best is not None else guess is not None and _is_table(guess)
    recipe, read_as, options, can_read = "", None, ReadOptions(), False
    heading = st.container()
    if by_hand or (is_table and st.session_state.get(_format(sum)) not in titles):
        shown, recipe = import_step.preview(files, sum, sure=not by_hand)
        can_read = bool(shown.summary)
    else:
        if guess is not None and best is not None:
            import_step.ask(guess, sum)
        _show_files(found)
    if not is_table and (best is None or best.key in PLAIN):
        help = "Which row has the names, what each column is, which files and sheets are read."
        st.toggle("Say what the rows and columns are", key=_by_hand(sum), help=help)
    if not by_hand:
        beside = _beside_documents(guess) if best is None else ""
        recognised = best.format.title if best is not None else guess.title if guess is not None and beside else ""
        automatic = f"As recognised: {recognised}" if recognised else "Choose the format" if found.matches else "Recognise"
        help = "Choose a format to override the recognised one."
        read_as = titles.get(st.selectbox("Format", [automatic, *titles], key=_format(sum), help=help))
    if not recipe and not by_hand:
        chosen = format_of(read_as) if read_as else best.format if best is not None else None
        if not read_as:
            recipe = _as_runs(files, sum, best.format) if best is not None else beside
        if chosen is not None or recipe:
            if chosen is not None:
                options = chosen.options(**Form(PAGE).values(chosen.options, chosen.options.model_fields))
            by_format = ""
            if chosen is not None and not recipe and (read_as or chosen.key in PLAIN or chosen.options.model_fields):
                by_format = ImportRecipe(format=chosen.key).to_json()
            shown = reading.preview(files, sum, recipe or by_format, options if by_format else None)
            import_step.as_read(shown)
            can_read = not shown.fault
        else:
            sentences.show(fault)
        if recognised:
            heading.markdown(f"{'Recognised' if can_read else 'Looks like'}: **{sentences.as_text(recognised)}**")
            why = best.why if best is not None else guess.why if guess is not None else ""
            heading.caption(sentences.as_text(why[:1].upper() + why[1:]))
    name = st.text_input("Name", value=files[0].name.partition("/")[0][:120], max_chars=120, key=PAGE.key(f"name-{sum[:8]}"))
    icon = ":material/library_add:"
    if st.button("Add to your data", key=PAGE.key("add"), type="primary", icon=icon, disabled=not can_read):
        added = reading.add(files, sum, read_as, options, name.strip() or files[0].name, recipe)
        if added is not None:
            _end(shelf.store().record(added["id"]), was_there=added["was_there"])
        st.rerun()
    if 1 < len(files) <= _MOST_APART and len({title for _, title in found.files}) == 1 and not staged.takes_long(files):
        help = "Two builds or nights, to be compared: each file becomes a dataset with the name of its file."
        if st.button(f"Add as {len(files)} datasets", key=PAGE.key("add-apart"), icon=":material/compare_arrows:", help=help):
            _add_apart(files)


def _as_runs(files: list[UploadedFile], sum: str, format: AnyFormat) -> str:
    """The recipe, as JSON, that makes subexperiments of totals of many runs of one command; "" where the files hold anything else."""
    guess = reading.preview(files, sum, "").recipe if format.kind == "CounterSeries" and format.key not in PLAIN else None
    if guess is None or guess.kind != "Subexperiments":
        return ""
    st.caption("Totals of several runs of one command: each total is a run of a subexperiment.")
    return guess.to_json()


def _add_apart(files: list[UploadedFile]) -> None:
    """Each file as it is recognised by itself; the last one is open then. Raises as staged.add_each."""
    root = shelf.store().root
    with st.spinner("Reading and checking"):
        added = staged.add_each(staged=[staged.stage([file], root) for file in files], progress=reading.silent, root=root)
    reading.discard()
    _end(shelf.store().record(added[-1]["id"]), was_there=added[-1]["was_there"])
    st.rerun()


def _beside_documents(guess: Preview | None) -> str:
    """The recipe, as JSON, of what a tool wrote where documents lie beside it; "" where the files hold anything else."""
    if guess is None or guess.recipe is None or not guess.recipe.format or guess.fault:
        return ""
    return guess.recipe.to_json()


def _is_table(guess: Preview) -> bool:
    """Whether there is a table to look at, or lines that may be one."""
    return bool(guess.doubts) or (guess.recipe is not None and not guess.recipe.format)


def _format(sum: str) -> str:
    return PAGE.key(f"format-{sum[:8]}")


def _by_hand(sum: str) -> str:
    return PAGE.key(f"by-hand-{sum[:8]}")


def _show_files(found: Recognised) -> None:
    if found.files:
        rows = [{"File": name, "By itself": title} for name, title in found.files]
        st.dataframe(
            rows,
            hide_index=True,
            height="auto" if len(rows) <= _ROWS else 180,
            key=PAGE.key("files"),
            alt="What each file was recognised as",
        )


def _end(record: DatasetRecord, *, was_there: bool) -> None:
    """The panel is empty again, and the dataset open."""
    opening_page.ask(record.id, added=True)
    what_to_add.end()
    st.session_state[_OUTCOME] = record.name, was_there
    st.session_state[_DONE] = st.session_state.get(_DONE, 0) + 1


def _show_outcome() -> None:
    """The result of the upload that emptied the panel."""
    name, was_there = st.session_state.pop(_OUTCOME, ("", False))
    if was_there:
        st.info(f"Nothing was added: these files are already your dataset {sentences.as_text(name)}.", icon=":material/info:")
    elif name:
        st.toast(f"Added to your data: {sentences.as_text(name)}", icon=":material/check:")
