"""EAR signatures: default thresholds, roofline and k-medoids, as documented by EAR and as its releases do.

Source: EAR documentation (Energy Aware Runtime wiki), "Classification", https://gitlab.bsc.es/ear_team/ear/-/wikis.
"""

from hemcore.signatures.class_rules import CLASSES, CPU, GPU, MEMORY, MIX, RULES, Rules
from hemcore.signatures.classify import classify_default, classify_kmedoids, classify_roofline, why_default, why_kmedoids, why_roofline
from hemcore.signatures.clusters.cluster_quality import adjusted_rand_index
from hemcore.signatures.clusters.ear_kmedoids import KMedoidsModel, fit_kmedoids
from hemcore.signatures.ear.ear_files import EarFiles, Strategy, choose_strategy, read_ear_files, suspicions, write_ear_files
from hemcore.signatures.ear.ear_models import Extremes, Medoids
from hemcore.signatures.ear.machines import PEAKS, THRESHOLDS, Peaks, Thresholds, theoretical_peaks
from hemcore.signatures.ear.processors import PROCESSORS, Processor, find_processor
from hemcore.signatures.params import SignatureParams

__all__ = [
    "CLASSES",
    "CPU",
    "GPU",
    "MEMORY",
    "MIX",
    "PEAKS",
    "PROCESSORS",
    "RULES",
    "THRESHOLDS",
    "EarFiles",
    "Extremes",
    "KMedoidsModel",
    "Medoids",
    "Peaks",
    "Processor",
    "Rules",
    "SignatureParams",
    "Strategy",
    "Thresholds",
    "adjusted_rand_index",
    "choose_strategy",
    "classify_default",
    "classify_kmedoids",
    "classify_roofline",
    "find_processor",
    "fit_kmedoids",
    "read_ear_files",
    "suspicions",
    "theoretical_peaks",
    "why_default",
    "why_kmedoids",
    "why_roofline",
    "write_ear_files",
]
