"""The frame that pages share, and a room a page. The only place that imports streamlit."""
