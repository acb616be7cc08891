"""Buttons that switch to another merge, offered under an error or a doubtful verdict."""

from hemcore.errors import Remedy

BY_ANCHOR = Remedy(label="Merge by HRM", analysis="merge.hrm")
BY_PAIRS = Remedy(label="Merge by MUCH", analysis="merge.much")
BY_COPULA = Remedy(label="Merge with the copula", analysis="merge.copula")
