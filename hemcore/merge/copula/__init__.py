"""The copula merge: the fit, the moments it preserves and the merged rows."""
