"""How it works: formula, source and limits, at the foot of each page."""

import streamlit as st

_HRM = r"""
**HRM** matches runs by the order of an anchor HEM that every subexperiment reads: the run with the 5th lowest anchor of one subexperiment
is put beside the run with the 5th lowest anchor of another. The anchor's column becomes the quantiles of all its readings together.

- **What it keeps:** the relation of each HEM with the anchor. **What it does not keep:** relations between HEMs of different
  subexperiments beyond what the anchor carries, so their r comes out too near to what the anchor alone implies.
- A HEM that several subexperiments read is taken from the one with most runs. Where runs are unequal, the table has as many rows as the
  smallest subexperiment.
- Source: the mergingTools vignette of the Barcelona Supercomputing Center; results equal those of its R package 1.0.1.
"""
_MUCH = r"""
**MUCH** measures the correlation of each pair of HEMs in the runs that read both, draws a Gaussian sample with these correlations, and puts
each HEM's own readings into the order of its column: values are real readings, the order makes the correlations.

- **Outliers** of a pair: with $m = (a-\bar a)^2 + (b-\bar b)^2$, runs with $(m - \bar m)/s_m$ at or above the outlier z-score are left out.
- **dep_lvl:** walking the HEMs in order, each whose r with a kept one is above dep_lvl is left out. As in R, r and not |r| is compared
  unless you say so.
- **calibrated** (default): the sample's correlation is moved until the merged table's fits the measured one (Iman and Conover 1982,
  doi:10.1080/03610918208812265), over the nearest correlation matrix where the measured one is not one (Higham 2002,
  doi:10.1093/imanum/22.3.329). **simulated:** the best of n_sims samples, as the R package does.
- **Limits:** a small correlation MSE does not make merged runs indistinguishable from real ones; relations beyond correlation are not kept.
- Source: the mergingTools vignette of the Barcelona Supercomputing Center.
"""


def merge(method: str) -> None:
    """The two merges: formula, source, limits."""
    with st.expander("How it works", icon=":material/menu_book:"):
        st.markdown(_HRM if method == "HRM" else _MUCH)
