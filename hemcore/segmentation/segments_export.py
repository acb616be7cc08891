"""Segments as JSON for another program, such as a scheduler."""

import json
import math

from hemcore.segmentation.results import RunsAtThreshold

# The parameters that the segments depend on.
_PARAMETERS = ("statistic", "min_distance", "early_exit", "trim_head", "trim_tail", "threshold", "tolerance")


def segments_document(found: RunsAtThreshold) -> dict[str, object]:
    """The segments of every run as plain values: application, event, unit, parameters and `segments`, a list with one entry per segment.

    Entries have the columns of RunsAtThreshold.segments except `application`; None stands for what is not a number.
    """
    rows = found.segments.drop(columns="application").to_dict("records")
    params = found.params
    # Automatic: the value that the search used.
    least = params.min_distance or max(each.segmentation.min_distance for each in found.runs)
    return {
        "application": params.application,
        "event": params.event,
        "unit": str(found.segments["unit"].iloc[0]),
        "parameters": params.model_dump(include=set(_PARAMETERS)) | {"min_distance": least},
        "segments": [{str(name): _plain(value) for name, value in row.items()} for row in rows],
    }


def segments_json(found: RunsAtThreshold) -> bytes:
    """`segments_document` as UTF-8 JSON."""
    return json.dumps(segments_document(found), indent=1, allow_nan=False, ensure_ascii=False).encode()


def _plain(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value
