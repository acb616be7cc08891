"""Figures in a notebook, with nothing but what `pip install 'hem-workbench[app]'` brings."""

import sys

import plotly.graph_objects as go

_sent: list[int] = []  # the shell that has plotly.js, by its id


def show_figure(figure: go.Figure) -> None:
    """Show `figure` in a notebook, alive and offline; outside of one as plotly does.

    plotly's own way needs nbformat, which is not installed with the app. The first figure of a notebook brings plotly.js for all of them.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if ipython is None or shell is None:
        figure.show()
        return
    page = figure.to_html(full_html=False, include_plotlyjs=id(shell) not in _sent)
    _sent[:] = [id(shell)]
    ipython.display.display(ipython.display.HTML(page))
