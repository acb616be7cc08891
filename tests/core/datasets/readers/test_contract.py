"""What every format in the registry keeps to: its example, whole, damaged and in other encodings.

A new format is held to this as soon as it is in FORMATS: it gives the same table, or one sentence, never a traceback and never a
different table without a repair or a note.
"""

import functools
import json
import runpy
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hemcore.datasets.readers import formats
from hemcore.datasets.readers.format import ReadResult
from hemcore.datasets.readers.formats import FORMATS, AnyFormat, format_of, register
from hemcore.datasets.readers.recognition import Unpacked, read_upload, unpack
from hemcore.datasets.readers.uploaded_files import UploadedFile
from hemcore.datasets.tables import kinds
from hemcore.errors import HemError, ParameterError, ReadError

PLUGIN = Path(__file__).parents[4] / "examples" / "plugin" / "hem_example" / "reader.py"
EXAMPLE: AnyFormat = runpy.run_path(str(PLUGIN))["FORMAT"]  # docs/adding.md says to begin with it
each_format = pytest.mark.parametrize("format", [*FORMATS, EXAMPLE], ids=lambda format: format.key)
# A name in the example that may have any letter; where none is given, the first event. None: it has no names.
NAMES = {
    "eacct": "node01",
    "phases_thesis": None,
    "phases_wide": "queens",
    "table_programs": "fft",
    "cortex_a15_phases": "bitcount",
    "perf_stat_json": "cycles",
    "likwid_powermeter": "DRAM",
    "likwid_timeline": "L2_LINES_IN_ALL",
    "papi_hl": "PAPI_TOT_INS",
    "toplev": "Frontend_Bound",
    "caliper": "sum#papi.PAPI_TOT_INS",
    "rocprof": "SQ_WAVES",
    "cube_dump": "PAPI_TOT_INS",
    "cluster_cockpit": "mem_bw",
    "perf_script": "cycles",
    "metric_definitions": "Instructions per cycle",
}
Change = Callable[[str], bytes]
SAME: dict[str, Change] = {
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "UTF-8 with a mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "UTF-16, the other byte order": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "Latin-1": lambda text: text.encode("latin-1"),
}


@pytest.fixture
def example_registered() -> Iterator[None]:
    """The reader of the example plugin is held to the same, and known to no other test."""
    FORMATS.append(EXAMPLE)
    yield
    FORMATS.remove(EXAMPLE)


def files_of(format: AnyFormat, change: Change = str.encode) -> list[UploadedFile]:
    return [UploadedFile(name, change(text)) for name, text in format.example.items()]


@functools.cache
def whole_example(format: AnyFormat) -> ReadResult:
    return read_upload(files_of(format), format_key=format.key)


def sentence_of(refusal: HemError) -> str:
    said = str(refusal)
    assert said.endswith((".", "?"))
    assert "Traceback" not in said
    assert len(said) < 1_500
    return said


def assert_same(one: ReadResult, other: ReadResult) -> None:
    """The same table to the last digit."""
    (frames, rest), (others, other_rest) = (kinds.kind_of(each.table).to_files(each.table) for each in (one, other))
    assert json.dumps(rest) == json.dumps(other_rest)
    for frame, twin in zip(frames, others, strict=True):
        pd.testing.assert_frame_equal(frame, twin, check_exact=True)


@pytest.mark.whole
@pytest.mark.usefixtures("example_registered")
@each_format
def test_its_example_is_recognised_as_it_and_read(format: AnyFormat) -> None:
    files = files_of(format)
    score, why = format.recognise(files)
    assert 0 < score <= 1
    assert why
    found = unpack(files)
    assert found.matches[0].key == format.key
    result = found.read()
    assert kinds.kind_of(result.table).name == format.kind
    assert list(result.repairs.columns) == ["where", "column", "what", "rows", "value", "bound"]
    assert all(note.endswith(".") for note in result.notes)
    assert_same(whole_example(format), result)


@pytest.mark.usefixtures("example_registered")
@each_format
@pytest.mark.parametrize("change", SAME)
@pytest.mark.sweep
def test_line_ends_and_encodings_change_nothing(format: AnyFormat, change: str) -> None:
    found = Unpacked(files_of(format, SAME[change]))
    assert found.matches[0].key == format.key
    assert_same(found.read(), whole_example(format))


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.usefixtures("example_registered")
@each_format
def test_a_name_beyond_ascii_is_the_same_in_latin_1(format: AnyFormat) -> None:
    table = whole_example(format).table
    frame = list(kinds.frames(table).values())[-1]
    known = NAMES.get(format.key, "") if format.kind != "HemList" else frame["hem"][0]
    if known is None:
        pytest.skip("it has no names")
    name = known or next(str(each) for each in frame.columns if each != "time" and str(each) in "".join(format.example.values()))
    renamed = replace(format, example={file: text.replace(name, f"{name}é") for file, text in format.example.items()})
    plain = read_upload(files_of(renamed), format_key=format.key)
    assert f"{name}é" in repr([frame.to_dict() for frame in kinds.frames(plain.table).values()])
    assert_same(read_upload(files_of(renamed, lambda text: text.encode("latin-1")), format_key=format.key), plain)


@pytest.mark.usefixtures("example_registered")
@each_format
@pytest.mark.parametrize(("share", "chosen"), [(0.25, True), (0.5, False), (0.5, True), (0.75, False), (0.9, True)])
@pytest.mark.sweep
def test_cut_off_it_is_refused_or_the_beginning_of_the_whole(format: AnyFormat, share: float, chosen: bool) -> None:
    whole = whole_example(format)
    *others, last = files_of(format)
    cut = replace(last, content=last.content[: int(len(last.content) * share)])
    try:
        found = read_upload([*others, cut], format_key=format.key if chosen else None)
    except HemError as refusal:
        sentence_of(refusal)
        return
    if len(found.repairs) > len(whole.repairs) or set(found.notes) - set(whole.notes):
        return
    for name, frame in kinds.frames(found.table).items():
        same = kinds.frames(whole.table)[name]
        assert set(frame.columns) <= set(same.columns)
        pd.testing.assert_frame_equal(frame, same[frame.columns].iloc[: len(frame)], check_dtype=False)


@pytest.mark.usefixtures("example_registered")
@each_format
@pytest.mark.parametrize("content", [b"", b"\n", b" \n\t\n", b"\xff\xfe", b"\x00" * 40, bytes(range(256)) * 8])
def test_nothing_and_noise_are_refused_in_a_sentence(format: AnyFormat, content: bytes) -> None:
    files = [replace(file, content=content) for file in files_of(format)]
    for key in (None, format.key):
        with pytest.raises(HemError) as refusal:
            read_upload(files, format_key=key)
        sentence_of(refusal.value)


@pytest.mark.usefixtures("example_registered")
@each_format
@pytest.mark.parametrize("other", FORMATS, ids=lambda format: format.key)
@pytest.mark.sweep
def test_the_example_of_another_format_is_refused_or_read(format: AnyFormat, other: AnyFormat) -> None:
    try:
        result = read_upload(files_of(other), format_key=format.key)
    except HemError as refusal:
        sentence_of(refusal)
    else:
        assert kinds.kind_of(result.table).name == format.kind


@pytest.mark.usefixtures("example_registered")
@each_format
def test_its_options_have_words_and_reading_changes_no_file(format: AnyFormat) -> None:
    files = files_of(format)
    before = [file.content for file in files]
    format.read(files, format.options())
    assert [file.content for file in files] == before
    for field in format.options.model_fields.values():
        assert field.title
        assert field.description
        assert field.description.endswith(".")


def test_keys_and_titles_are_unique_and_the_keys_are_those_of_links_and_stored_datasets() -> None:
    assert [each.key for each in FORMATS] == [
        *("subexperiments_stacked", "subexperiments_separate", "eacct", "plan_runs", "perf_stat_csv", "perf_stat_json", "perf_stat_text"),
        *(
            "perf_script",
            "timed_commands",
            "ocount",
            "likwid_totals",
            "likwid_timeline",
            "likwid_powermeter",
            "papi_hl",
            "toplev",
            "perfspect",
            "perfspect_summary",
            "caliper",
            "rocprof",
        ),
        *(
            "cube_dump",
            "cluster_cockpit",
            "prometheus_range",
            "otlp_metrics",
            "cortex_a15_log",
            "series_wide",
            "series_cumulative",
            "phases_wide",
        ),
        *("phases_thesis", "cortex_a15_phases", "hem_list", "metric_definitions", "hem_dataset", "hem_answer"),
        *("table_series", "table_runs", "table_programs"),
    ], "a key is in links and stored datasets for good: add that of a new format here, and change no other"
    assert len({each.title for each in FORMATS}) == len(FORMATS)


def test_a_plugin_registers_a_format_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "FORMATS", list(FORMATS))
    stacked = format_of("subexperiments_stacked")
    with pytest.raises(ParameterError, match="'subexperiments_stacked' is registered already"):
        register(stacked)
    with pytest.raises(ParameterError, match="kind 'Table' must be one of 'Subexperiments'"):
        register(replace(stacked, key="own", kind="Table"))
    own = replace(stacked, key="own", title="my format", recognise=lambda files: (float(files[0].name == "a.own"), "its name"))
    register(own)
    assert format_of("own") is own
    result = unpack([UploadedFile("a.own", b"A,B\n500,600\n700,800\n")]).read()
    assert np.array_equal(kinds.frames(result.table)["subexperiment 1"], [[500, 600], [700, 800]])
    with pytest.raises(ReadError, match="'owned' is not known"):
        format_of("owned")
