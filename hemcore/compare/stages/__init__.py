"""Which program or phase carries a change: phases aligned by their order, and the change of each HEM split into them exactly."""

from hemcore.compare.stages.stage_changes import StageChanges, phases, stage_changes_of

__all__ = ["StageChanges", "phases", "stage_changes_of"]
