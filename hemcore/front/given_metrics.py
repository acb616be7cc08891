"""Readings and definitions of metrics, from whatever a notebook holds."""

from collections.abc import Mapping
from pathlib import Path, PurePath

import pandas as pd

from hemcore.datasets.shelf import samples
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.datasets.tables.metric_definitions import MetricDefinitions
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.datasets.tables.signature_table import SignatureTable
from hemcore.datasets.tables.subexperiments import Subexperiments
from hemcore.datasets.tables.typed_table import TypedTable
from hemcore.errors import TableError
from hemcore.events.spelling import EventColumns
from hemcore.front.frames import is_pieces, unrolled
from hemcore.front.given_tables import REMEDIES, Given, is_path, series, subexperiments
from hemcore.front.read_files import load, read
from hemcore.metrics.params import MetricsParams
from hemcore.metrics.sets.definition_sets import OURS, read_definitions
from hemcore.metrics.sets.used_definitions import definitions_for


def measured(data: object) -> Given:
    """Readings of any kind that metrics are evaluated over: a typed table, files, pieces (subexperiments), or a frame (a row each).

    Raises TableError for a list of HEMs and for metric definitions.
    """
    data = unrolled(data)
    if isinstance(data, str) and not is_path(data) and data.removeprefix("sample-") in samples.names():
        data = load(data)
    elif isinstance(data, str | PurePath):
        data = read(data)
    if isinstance(data, Subexperiments | CounterSeries | PhaseTable | SignatureTable):
        return Given(table=data)
    if isinstance(data, TypedTable):
        raise TableError(f"metrics: a {type(data).__name__} holds no readings. {REMEDIES[type(data).__name__]}")
    return subexperiments(data) if is_pieces(data) else series(data)


def definitions(data: object) -> tuple[MetricDefinitions | None, str]:
    """Metric definitions, or the name under which an analysis finds them ("" = the default): a typed table, paths, a frame, or a name."""
    data = unrolled(data)
    if data is None or isinstance(data, MetricDefinitions):
        return data, ""
    if isinstance(data, str) and (data in OURS or not is_path(data)):
        return None, data
    if isinstance(data, pd.DataFrame | Mapping):
        return MetricDefinitions(frame=pd.DataFrame(data) if isinstance(data, pd.DataFrame) else _formulas(data)), ""
    given = list(data) if isinstance(data, list | tuple) else [data]
    paths = [Path(each) for each in given if isinstance(each, str | PurePath)]
    if len(paths) < len(given):
        raise TableError(
            f"definitions: a {type(data).__name__} is neither MetricDefinitions nor a path. Give paths, or formulas by name:"
            " definitions={'IPC': 'instructions / cycles'}"
        )
    return read_definitions(*paths), ""


def found_definitions(data: object) -> MetricDefinitions:
    """The metric definitions that `definitions` takes; of a name, those that it names. Raises as it does, and UnknownNameError."""
    known, name = definitions(data)
    return known if known is not None else definitions_for(MetricsParams(definitions=name), EventColumns(()))[0]


def _formulas(data: Mapping[object, object]) -> pd.DataFrame:
    return pd.DataFrame({"name": [str(name) for name in data], "formula": [str(formula) for formula in data.values()]})
