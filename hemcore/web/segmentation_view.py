"""All that the segmentation page's tabs show."""

from dataclasses import dataclass

from hemcore.charts.segmentation import event_colour
from hemcore.datasets.shelf.library import Entry
from hemcore.datasets.tables.counter_series import CounterSeries
from hemcore.segmentation import BoundsParams, ComparisonParams, ProfileParams, RunsParams, SearchParams
from hemcore.segmentation.report import EventThresholds, RunPath, RunsAtThreshold, RunSegments

FIRST_TAB = "Segments"


@dataclass(frozen=True, kw_only=True)
class View:
    """All that the tabs show. found: every run at the threshold; None where that is not to be had at once (see All runs)."""

    dataset: Entry
    table: CounterSeries
    thresholds: EventThresholds
    path: RunPath
    run: RunSegments
    found: RunsAtThreshold | None
    params: RunsParams
    bounds: BoundsParams

    @property
    def colour(self) -> str:
        """The event's own colour."""
        return event_colour(self.table.events, self.params.event)

    @property
    def comparison(self) -> ComparisonParams:
        """What the other searches are asked."""
        return ComparisonParams(**self.params.model_dump(), run=self.run.samples.run)

    @property
    def profile(self) -> ProfileParams:
        """What the profile of all events is asked."""
        return ProfileParams(
            **self.params.model_dump(include=set(SearchParams.model_fields)),
            application=self.params.application,
            tolerance=self.params.tolerance,
        )
