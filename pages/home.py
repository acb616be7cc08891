"""Home: what the pages answer, each with a picture of its own sample, a walk through them, and what the names mean."""

import streamlit as st

from hemcore.web import pages
from hemcore.web.home import PAGE
from hemcore.web.home.later import fill
from hemcore.web.home.names_explained import words
from hemcore.web.home.page_cards import showcase
from hemcore.web.home.top import foot, welcome
from hemcore.web.home.walk import story
from hemcore.web.navigation import begin

begin(PAGE)
ways_in = welcome(PAGE, pages.page_named("data"), next((page for page in pages.PAGES if page.start and page.section == "Analyse"), None))
st.subheader("What it answers", anchor=False)
cards = showcase(pages.PAGES)
st.subheader("A walk through the pages", anchor=False)
steps = story(pages.PAGES)
words()
fill([*ways_in, *steps, foot(), cards])
