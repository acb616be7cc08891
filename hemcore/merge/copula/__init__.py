"""The copula merge: the fit, the moments it keeps and the rows it makes."""
