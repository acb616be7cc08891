"""Three or more sets in order (releases, nights): the course of each HEM, and from which set on it changed."""

from hemcore.compare.releases.course_changes import Releases, releases
from hemcore.compare.releases.levels_of_sets import SetLevels

__all__ = ["Releases", "SetLevels", "releases"]
