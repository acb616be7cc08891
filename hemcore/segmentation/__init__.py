"""Phases of a run: exact change points, thresholds, a model of every segment (document 002)."""

from hemcore.segmentation.agreement import Agreement, agreement, agreement_between_runs
from hemcore.segmentation.cost_rms import CostRms
from hemcore.segmentation.params import SegmentationParams
from hemcore.segmentation.path import ThresholdPath, threshold_path
from hemcore.segmentation.peers import compare_searches
from hemcore.segmentation.profile import judged, profile_events
from hemcore.segmentation.runs import ApplicationShape, RunSamples, application_runs, application_shape, events_of, run_samples
from hemcore.segmentation.segments import Segmentation, segment, warm
from hemcore.segmentation.thresholds import OptimalThreshold, PrimaryThreshold, optimal_threshold, primary_threshold

__all__ = [
    "Agreement",
    "ApplicationShape",
    "CostRms",
    "OptimalThreshold",
    "PrimaryThreshold",
    "RunSamples",
    "Segmentation",
    "SegmentationParams",
    "ThresholdPath",
    "agreement",
    "agreement_between_runs",
    "application_runs",
    "application_shape",
    "compare_searches",
    "events_of",
    "judged",
    "optimal_threshold",
    "primary_threshold",
    "profile_events",
    "run_samples",
    "segment",
    "threshold_path",
    "warm",
]
