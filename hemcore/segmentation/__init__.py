"""Phases of a run: exact change points, thresholds and a statistical model of each segment.

Main source: Imtiaz S., Behnam M., Capannini G., Carlson J., Jägemar M.: Automatic Segmentation of Resource Utilization Data, IEEE
Industrial Electronics Society Annual On-Line Conference (ONCON), 2022. Elsewhere cited as Imtiaz et al. (2022).
"""

from typing import TYPE_CHECKING

from hemcore.aligned_order import OrderAgreement, agreement_in_order
from hemcore.errors import ParameterError
from hemcore.segmentation.compare.peer_searches import compare_searches, missing_peer
from hemcore.segmentation.compare.segment_agreement import Agreement, agreement, agreement_between_runs
from hemcore.segmentation.compare.segment_order import runs_in_order
from hemcore.segmentation.event_runs import ApplicationShape, RunSamples, application_runs, application_shape, events_of, run_samples
from hemcore.segmentation.events.event_profile import contradiction, judged, profile_events, ranked
from hemcore.segmentation.joint.joint_runs import JointRuns, segment_runs_jointly
from hemcore.segmentation.joint.joint_search import JointPath, JointSegmentation, joint_path, segment_jointly
from hemcore.segmentation.params import SegmentationParams
from hemcore.segmentation.search.path_by_threshold import ThresholdPath, threshold_path
from hemcore.segmentation.search.searches import Segmentation
from hemcore.segmentation.search.thresholds import OptimalThreshold, PrimaryThreshold, optimal_threshold, primary_threshold
from hemcore.segmentation.segments import segment
from hemcore.segmentation.warm_up import warm

if TYPE_CHECKING:
    from hemcore.segmentation.search.cost_rms import CostRms

__all__ = [
    "Agreement",
    "ApplicationShape",
    "CostRms",
    "JointPath",
    "JointRuns",
    "JointSegmentation",
    "OptimalThreshold",
    "OrderAgreement",
    "PrimaryThreshold",
    "RunSamples",
    "Segmentation",
    "SegmentationParams",
    "ThresholdPath",
    "agreement",
    "agreement_between_runs",
    "agreement_in_order",
    "application_runs",
    "application_shape",
    "compare_searches",
    "contradiction",
    "events_of",
    "joint_path",
    "judged",
    "optimal_threshold",
    "primary_threshold",
    "profile_events",
    "ranked",
    "run_samples",
    "runs_in_order",
    "segment",
    "segment_jointly",
    "segment_runs_jointly",
    "threshold_path",
    "warm",
]


def __getattr__(name: str) -> object:
    """CostRms, on first use: it needs ruptures, which is optional. Raises ParameterError if ruptures is not installed."""
    if name != "CostRms":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from hemcore.segmentation.search.cost_rms import CostRms
    except ModuleNotFoundError as missing:
        raise ParameterError(f"CostRms: {missing_peer(missing)}") from None
    return CostRms
