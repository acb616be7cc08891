"""Report: what was found, in order, as one file that opens anywhere and a notebook that computes it again."""

from hemcore.web.navigation import enter
from hemcore.web.report import PAGE

enter(PAGE)
