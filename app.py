"""HEM Workbench: `streamlit run app.py`."""

from hemcore.web.navigation import run

run()
