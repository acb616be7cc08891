"""The next steps after an error or a doubtful merge."""

from hemcore.errors import Remedy

BY_ANCHOR = Remedy(label="Merge by HRM", analysis="merge.hrm")
BY_PAIRS = Remedy(label="Merge by MUCH", analysis="merge.much")
BY_COPULA = Remedy(label="Merge with the copula", analysis="merge.copula")
# The Merge page makes the list of HEMs and opens Plan on it.
PLAN_UNREAD = Remedy(label="Plan these pairs", choose={"plan_unread": True})
