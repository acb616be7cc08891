"""All analyses and their pictures by name, for pages, jobs and reports.

A room is imported when one of its names is looked up, so Home and a server start without any analysis. Other packages add rooms with
`register`.
"""

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hemcore.analysis import AnyAnalysis, AnyQuestion, Question
from hemcore.errors import ParameterError, UnknownNameError
from hemcore.params import Params
from hemcore.plugins import offered

if TYPE_CHECKING:  # the analyses work without plotly
    from hemcore.charts.picture import AnyGallery, AnyPicture

Analyses = Sequence[AnyAnalysis]
Galleries = Sequence["AnyGallery"]
_LONGEST_ID = 200


@dataclass(frozen=True, kw_only=True)
class Room:
    """Analyses that belong together.

    name: the first part of its analyses' names ("merge" in "merge.much"). analyses: imports and returns them. galleries: imports and
    returns their pictures; only these need plotly.
    """

    name: str
    analyses: Callable[[], Analyses]
    galleries: Callable[[], Galleries] = tuple


def _compare() -> Analyses:
    from hemcore.compare import analysis, split_analyses, tab_analyses
    from hemcore.compare.releases.release_analyses import RELEASES, SET_LEVELS

    of_tabs = (*tab_analyses.RELATIONS, *tab_analyses.CONTRADICTIONS, tab_analyses.JOBS, *split_analyses.SPLITS)
    return (*analysis.REPLICATES, *analysis.COMPARISONS, *of_tabs, *SET_LEVELS, *RELEASES)


def _compare_pictures() -> Galleries:
    from hemcore.charts.compare.pictures import pictures_of_kind
    from hemcore.charts.compare.view import CompareView
    from hemcore.charts.picture import Gallery
    from hemcore.compare.analysis import COMPARISONS

    return tuple(Gallery(analysis=each, pictures=pictures_of_kind(place), view=CompareView) for place, each in enumerate(COMPARISONS))


def _merge() -> Analyses:
    from hemcore.merge.analysis import CHECKS, COPULA, COPULA_NOISE, DEP_LVL, HRM, HRM_NOISE, MUCH, MUCH_NOISE
    from hemcore.merge.merge_curves import COPULA_ROWS, MUCH_ROWS
    from hemcore.merge.trust.comparison import COMPARE, COMPARED

    return (HRM_NOISE, MUCH_NOISE, COPULA_NOISE, CHECKS, HRM, MUCH, COPULA, DEP_LVL, MUCH_ROWS, COPULA_ROWS, COMPARED, COMPARE)


def _merge_pictures() -> Galleries:
    from hemcore.charts.merge.pictures import MERGE_PICTURES, PICTURES
    from hemcore.charts.merge.view import MergeView
    from hemcore.charts.picture import Gallery
    from hemcore.merge.analysis import COPULA, HRM, MUCH

    shown = ((HRM, PICTURES), (MUCH, PICTURES), (COPULA, MERGE_PICTURES))
    return tuple(Gallery(analysis=each, pictures=pictures, view=MergeView) for each, pictures in shown)


def _metrics() -> Analyses:
    from hemcore.metrics.analysis import BY_PHASE, BY_SIGNATURE, METRICS, OVER_TABLE, OVER_TIME
    from hemcore.metrics.courses import COURSE

    return (METRICS, OVER_TABLE, OVER_TIME, COURSE, BY_PHASE, BY_SIGNATURE)


def _metrics_pictures() -> Galleries:
    from hemcore.charts.metrics.pictures import OF_PHASES, OF_ROWS, OVER_TIME_PICTURES, PICTURES
    from hemcore.charts.metrics.view import MetricsView
    from hemcore.charts.picture import Gallery
    from hemcore.metrics.analysis import BY_PHASE, BY_SIGNATURE, METRICS, OVER_TABLE, OVER_TIME

    whole = Gallery(analysis=METRICS, pictures=PICTURES, view=MetricsView)
    shown = ((OVER_TABLE, PICTURES), (OVER_TIME, OVER_TIME_PICTURES), (BY_PHASE, OF_PHASES), (BY_SIGNATURE, OF_ROWS))
    return (whole, *(Gallery(analysis=each, pictures=pictures, view=MetricsView) for each, pictures in shown))


def _mpx() -> Analyses:
    from hemcore.mpx.analysis import ALIGN, APPLICATION_SCORES, ESTIMATE, ESTIMATES, PAIR, SIDE_BY_SIDE, WHAT_IF
    from hemcore.mpx.learned.train import NETWORK, TRAIN
    from hemcore.mpx.rotation_scores import ROTATIONS

    return (ESTIMATES, ESTIMATE, ALIGN, APPLICATION_SCORES, SIDE_BY_SIDE, WHAT_IF, ROTATIONS, PAIR, NETWORK, TRAIN)


def _mpx_pictures() -> Galleries:
    from hemcore.charts.mpx.pictures import PICTURES
    from hemcore.charts.mpx.view import MpxView
    from hemcore.charts.picture import Gallery
    from hemcore.mpx.analysis import ESTIMATE

    return (Gallery(analysis=ESTIMATE, pictures=PICTURES, view=MpxView),)


def _planning() -> Analyses:
    from hemcore.planning.analysis import CUT, CUTS, PLAN, SEARCH, WIDTHS, WIDTHS_BY_RUNS

    return (SEARCH, PLAN, CUT, CUTS, WIDTHS, WIDTHS_BY_RUNS)


def _planning_pictures() -> Galleries:
    from hemcore.charts.picture import Gallery
    from hemcore.charts.planning.pictures import PICTURES, PlanView
    from hemcore.planning.analysis import PLAN

    return (Gallery(analysis=PLAN, pictures=PICTURES, view=PlanView),)


def _segmentation() -> Analyses:
    from hemcore.segmentation import analysis as cuts

    searches = (cuts.THRESHOLDS, cuts.PATH, cuts.SEGMENTS, cuts.BY_RULE, cuts.SEGMENTATION, cuts.PROFILE_EVENT, cuts.PROFILE, cuts.PEERS)
    return (*searches, cuts.JOINT, cuts.JOINT_PATH, cuts.RANKING, cuts.EVENT_THRESHOLDS, cuts.TRACKS, cuts.CORES)


def _segmentation_pictures() -> Galleries:
    from hemcore.charts.picture import Gallery
    from hemcore.charts.segmentation.core_heatmaps import TOTALS
    from hemcore.charts.segmentation.event_picker import SegmentationView
    from hemcore.charts.segmentation.pictures import PICTURES
    from hemcore.segmentation.analysis import CORES, SEGMENTATION

    return (Gallery(analysis=SEGMENTATION, pictures=PICTURES, view=SegmentationView), Gallery(analysis=CORES, pictures=TOTALS))


def _prediction() -> Analyses:
    from hemcore.prediction.evaluate import predictions as models
    from hemcore.prediction.explore.analyses import CELLS, CORRELATE, CURVE, EXPLORE, MEASURE, PROJECT, REPRESENT, TOTALS
    from hemcore.prediction.power.power_analyses import POWER, WATTS

    explored = (CORRELATE, CELLS, PROJECT, REPRESENT, TOTALS, CURVE, MEASURE, EXPLORE)
    unseen = (models.FOLD, models.EVALUATION, models.GRANULARITIES, models.PROGRAM_INTERVALS, models.INTERVALS)
    ready = (models.LEAK_FOLD, models.LEAK, models.MODELS_PART, models.MODELS_READY, models.WHAT_IF)
    return (*explored, *unseen, models.COST_STACK, *ready, POWER, WATTS)


def _prediction_pictures() -> Galleries:
    from hemcore.charts.picture import Gallery
    from hemcore.charts.prediction.pictures import ASKING, EXPLORING, PREDICTING, STACK
    from hemcore.charts.prediction.power.watts_pictures import WATTS_PICTURES
    from hemcore.charts.prediction.view import PredictionView
    from hemcore.prediction.evaluate.predictions import COST_STACK, EVALUATION, WHAT_IF
    from hemcore.prediction.explore.analyses import EXPLORE
    from hemcore.prediction.power.power_analyses import WATTS

    return (
        Gallery(analysis=EXPLORE, pictures=EXPLORING, view=PredictionView),
        Gallery(analysis=EVALUATION, pictures=PREDICTING, view=PredictionView),
        Gallery(analysis=COST_STACK, pictures=STACK, view=PredictionView),
        Gallery(analysis=WHAT_IF, pictures=ASKING, view=PredictionView),
        Gallery(analysis=WATTS, pictures=WATTS_PICTURES),
    )


def _signatures() -> Analyses:
    from hemcore.signatures.analysis import CLASSIFY, JOB, KMEDOIDS, ONE_SEED, POLICIES, SIDE_BY_SIDE, STABILITY

    return (KMEDOIDS, CLASSIFY, SIDE_BY_SIDE, POLICIES, JOB, ONE_SEED, STABILITY)


def _signatures_pictures() -> Galleries:
    from hemcore.charts.picture import Gallery
    from hemcore.charts.signatures.pictures import PICTURES
    from hemcore.charts.signatures.view import SignatureView
    from hemcore.signatures.analysis import CLASSIFY

    return (Gallery(analysis=CLASSIFY, pictures=PICTURES, view=SignatureView),)


_rooms: dict[str, Room] = {
    room.name: room
    for room in (
        Room(name="compare", analyses=_compare, galleries=_compare_pictures),
        Room(name="merge", analyses=_merge, galleries=_merge_pictures),
        Room(name="metrics", analyses=_metrics, galleries=_metrics_pictures),
        Room(name="mpx", analyses=_mpx, galleries=_mpx_pictures),
        Room(name="planning", analyses=_planning, galleries=_planning_pictures),
        Room(name="prediction", analyses=_prediction, galleries=_prediction_pictures),
        Room(name="segmentation", analyses=_segmentation, galleries=_segmentation_pictures),
        Room(name="signatures", analyses=_signatures, galleries=_signatures_pictures),
    )
}


def register(room: Room) -> None:
    """Add a room. Raises ParameterError if the name is taken."""
    if room.name in _all_rooms():
        raise ParameterError(f"room: {room.name!r} already exists; give the new one another name.")
    _rooms[room.name] = room


@functools.cache
def _load_plugins() -> None:
    for room in offered("hemcore.analyses", Room):
        _rooms.setdefault(room.name, room)  # a plugin does not replace what is there


def _all_rooms() -> Mapping[str, Room]:
    """The rooms with those of plugins, which are loaded on the first look-up: their modules import this one."""
    _load_plugins()
    return _rooms


def rooms() -> tuple[str, ...]:
    """The names of all rooms, sorted."""
    return tuple(sorted(_all_rooms()))


@functools.cache
def analyses_of(room: str) -> Mapping[str, AnyAnalysis]:
    """The analyses of one of `rooms()` by their names."""
    return {each.name: each for each in _all_rooms()[room].analyses()}


def analysis_named(name: str) -> AnyAnalysis:
    """The analysis called `name` ("merge.much"). Raises UnknownNameError if there is none."""
    room = name.partition(".")[0]
    known = analyses_of(room) if room in _all_rooms() else {}
    if name not in known:
        # The analyses of the room if it exists; all analyses would be too many to read.
        every = sorted(known) or [f"{each}…" for each in rooms()]
        raise UnknownNameError(f"analysis: {name[:60]!r} is not known; there are {', '.join(every)}.")
    return known[name]


@functools.cache
def pictures_of(analysis: str) -> Mapping[str, "AnyPicture"]:
    """The pictures of `analysis` ("merge.much") by name, in the order of the tabs; may be empty."""
    gallery = _gallery_of(analysis)
    return {} if gallery is None else {each.name: each for each in gallery.pictures}


def view_of(analysis: str) -> type[Params] | None:
    """The view model of the pictures of `analysis` (sorting, selected pair ...); None if there is nothing to choose."""
    gallery = _gallery_of(analysis)
    return None if gallery is None else gallery.view


@functools.cache
def _gallery_of(analysis: str) -> "AnyGallery | None":
    room = _all_rooms().get(analysis.partition(".")[0])
    galleries = () if room is None else room.galleries()
    return next((each for each in galleries if each.analysis.name == analysis), None)


def question_from(plain: Mapping[str, object] | Sequence[object]) -> AnyQuestion:
    """The question in `plain` (Question.to_dict, or the parsed Question.link).

    Raises UnknownNameError for an unknown analysis, ParameterError for anything else that does not fit. The values may come from anyone:
    names are looked up, nothing is executed.
    """
    parts = [plain.get(name) for name in ("analysis", "dataset", "params")] if isinstance(plain, Mapping) else plain
    name, dataset, params = parts if len(parts) == 3 else (None, None, None)
    if not (isinstance(name, str) and isinstance(dataset, str) and isinstance(params, Mapping)):
        raise ParameterError("question: it must name an analysis, a dataset and parameters. Make the link or the file again.")
    if len(dataset) > _LONGEST_ID or not dataset.isprintable():
        raise ParameterError(f"question: {dataset[:60]!r} is not the id of a dataset. Copy the whole link again.")
    analysis = analysis_named(name)
    unread = [field for field in params if field not in analysis.reads]
    if unread:
        raise ParameterError(f"question: {analysis.title} has no parameter {str(unread[0])[:60]!r}; it reads {', '.join(analysis.reads)}.")
    return Question(analysis=analysis, dataset=dataset, params=analysis.params(**params))


def question_from_link(text: str) -> AnyQuestion:
    """The question in a `Question.link`. Raises ParameterError or UnknownNameError as `question_from` does."""
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        raise ParameterError("question: the link's text is cut off or damaged. Copy the whole link again.") from None
    if not isinstance(plain, list | dict):
        raise ParameterError("question: the link's text is cut off or damaged. Copy the whole link again.")
    return question_from(plain)
