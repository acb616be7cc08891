"""Reports: questions and their answers as one offline HTML file, as PDF, or as a notebook."""

from hemcore.report.html_page import render_html
from hemcore.report.notebook import render_notebook
from hemcore.report.pdf import render_pdf
from hemcore.report.report_model import Report, ReportItem, item_from, report_from_json
from hemcore.report.report_shelf import ReportEntry, ReportShelf

__all__ = [
    "Report",
    "ReportEntry",
    "ReportItem",
    "ReportShelf",
    "item_from",
    "render_html",
    "render_notebook",
    "render_pdf",
    "report_from_json",
]
