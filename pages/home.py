"""Home: what this is, a picture that moves, the ways in, and what each page answers, with its picture of its own sample."""

import streamlit as st

from hemcore.web import pages
from hemcore.web.home import PAGE, moving
from hemcore.web.home.later import fill
from hemcore.web.home.names_explained import words
from hemcore.web.home.page_cards import showcase
from hemcore.web.home.top import foot, welcome
from hemcore.web.navigation import begin

begin(PAGE)
first = next((page for page in pages.PAGES if page.start and page.section == "Analyse"), None)
picture, ways_in = welcome(PAGE, pages.page_named("data"), first)
st.subheader("What it answers", anchor=False)
cards = showcase(pages.PAGES)
words()
fill([*ways_in, foot(), cards, (picture, lambda: moving.draw(pages.page_named("segmentation")))])
