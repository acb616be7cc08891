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

_SEGMENTATION = r"""
A **change point** is the first interval of a new segment. With a threshold $\beta$, the change points are those that make

$$\sum_{\text{segments}} C(\text{segment}) + \beta \cdot (\text{number of change points})$$

least: a change point stays when it lowers the residual error, $\sum C$, by more than $\beta$. The search is exact (PELT, Killick et al.
2012, doi:10.1080/01621459.2012.737745, with pruning delayed by the least segment and, for rms and mean, by levels: Maidstone et al. 2017,
doi:10.1007/s11222-016-9636-3).

- **rms** (default, document 002): $C = L \ln(\tfrac1L \sum x^2)$ for $L$ intervals, as MATLAB's findchangepts. **std:** the same with the
  variance. **mean:** the sum of squared deviations, here of the counts divided by the run's standard deviation, so that thresholds do not
  hang on the unit.
- **Residual error** of rms and std is a logarithm: it can be negative, and other units shift it by the same amount at every threshold.
- **Threshold path:** every segmentation between threshold 1 and the largest (CROPS, Haynes et al. 2017,
  doi:10.1080/10618600.2015.1116445). The slider reads from it.
- **Primary threshold** of a run: the first whole threshold whose residual is that of the one before. **Optimal threshold** of an event: the
  primary threshold of the run with the median residual (Algorithm 1).
- **Agreement** of runs: covering, the mean overlap of each segment of the first run with the segment that fits it best in another run,
  stretched to the length of the first; 100 % = the same segments.
- **CoV** of the residual: $100\,\sigma/|\mu|$ over runs. Document 002 prints $100\sqrt{\sigma/\mu}$, which stands beside it.
- **Limits:** thresholds grow with the number of intervals, so they do not carry over to runs of another length. rms sees the level of
  counts and not what happens around it: a small change of a high level gains little. Intervals that were not counted are left out.
- Source: Imtiaz et al. 2022, Automatic Segmentation of Resource Utilization Data, ONCON.
"""


def segmentation() -> None:
    """Segmentation: formula, source, limits."""
    with st.expander("How it works", icon=":material/menu_book:"):
        st.markdown(_SEGMENTATION)


def merge(method: str) -> None:
    """The two merges: formula, source, limits."""
    with st.expander("How it works", icon=":material/menu_book:"):
        st.markdown(_HRM if method == "HRM" else _MUCH)
