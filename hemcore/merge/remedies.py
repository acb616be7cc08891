"""The way from one merge to another, as a button under a sentence that refuses a merge or doubts it."""

from hemcore.errors import Remedy

BY_ANCHOR = Remedy(label="Merge by HRM", analysis="merge.hrm")
BY_PAIRS = Remedy(label="Merge by MUCH", analysis="merge.much")
BY_COPULA = Remedy(label="Merge with the copula", analysis="merge.copula")
