"""The form that is drawn from a model: labels, slider ends and stops, and what a link says of each field."""

from collections.abc import Mapping

import pytest
from streamlit.testing.v1 import AppTest


def drawn() -> None:
    from typing import Literal

    import streamlit as st

    from hemcore.params import Params, parameter
    from hemcore.web.form import Form, Slider
    from hemcore.web.page import Page

    class Made(Params):
        share: float = parameter(0.85, title="Share", description="d.", ge=0.01, le=1.0, step=0.01, slider=(0.01, 1.0))
        level: float = parameter(10.0, title="Level", description="d.", ge=0, le=100, slider=(1, 100), stops=(1.0, 10.0, 20.0, 100.0))
        other: float = parameter(10.0, title="Other", description="d.", ge=0, le=100, slider=(1, 100), stops=(1.0, 10.0, 100.0))
        trim: int = parameter(0, title="Trim", description="d.", ge=0, le=1000, step=1, slider=(0, 1000), unit="intervals")
        runs: int = parameter(5, title="Runs", description="d.", ge=2, le=1000, step=5, unit="runs")
        tries: int = parameter(7, title="Tries", description="d.", ge=1, le=50, step=1, unit="samples")
        rate: float = parameter(3.0, title="Rate", description="d.", ge=0.5, le=9.0, step=0.5, unit="per run")
        way: Literal["one", "two"] = parameter("one", title="Way", description="d.")
        early: bool = parameter(False, title="Early", description="d.")
        seed: int | None = parameter(None, title="Seed", description="d.", ge=0, le=9)
        word: str = parameter("", title="Word", description="d.")
        event: str = parameter("", title="Event", description="d.")

    form = Form(Page(name="made", title="Made", icon="", answers="", purpose=""))
    form.values(
        Made,
        tuple(Made.model_fields),
        choices={"event": ["Dr", "Dw"]},
        sliders={"trim": Slider(3, 8), "other": Slider(1, 50, 3.3)},
    )
    # What a visitor moves, the browser itself writes into the address; here the program moves it.
    st.button("Move", on_click=lambda: [form.put(name, value) for name, value in st.session_state["moved"].items()])


FIELDS = ("share", "level", "other", "trim", "runs", "tries", "rate", "way", "early", "seed", "word", "event")


def opened(link: Mapping[str, str] | None = None) -> AppTest:
    at = AppTest.from_function(drawn)
    for name, value in (link or {}).items():
        at.query_params[f"made.{name}"] = value
    return ran(at)


def ran(at: AppTest) -> AppTest:
    at.run()
    assert not at.exception
    return at


@pytest.fixture(scope="module")
def plain() -> AppTest:
    """Without a link; only read."""
    return opened()


def test_a_label_says_the_unit_where_the_title_does_not(plain: AppTest) -> None:
    labels = {each.key.removeprefix("made."): each.label for kind in (plain.number_input, plain.slider) for each in kind}
    assert labels["runs"] == "Runs"
    assert labels["tries"] == "Tries, samples"
    assert labels["rate"] == "Rate, per run"
    assert labels["trim"] == "Trim, intervals"
    assert labels["share"] == "Share"


def test_a_slider_starts_within_ends_that_hang_on_the_data(plain: AppTest) -> None:
    trim = plain.slider(key="made.trim")
    assert (trim.min, trim.max, trim.value) == (3, 8, 3)


def test_where_a_slider_stands_by_the_data_is_a_stop(plain: AppTest) -> None:
    other = plain.select_slider(key="made.other")
    assert other.value == 3.3
    assert other.options == ["1", "3.3", "10"]


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("share", "0.01", 0.01),
        ("share", "1.0", 1.0),
        ("level", "1", 1.0),
        ("level", "100", 100.0),
        ("level", "33.3", 33.3),
        ("trim", "3", 3),
        ("trim", "8", 8),
        ("runs", "2", 2),
        ("runs", "1000", 1000),
        ("rate", "0.5", 0.5),
        ("rate", "9.0", 9.0),
        ("way", "two", "two"),
        ("early", "true", True),
        ("seed", "0", 0),
        ("word", "a b", "a b"),
        ("event", "Dw", "Dw"),
    ],
)
def test_a_link_is_followed_up_to_the_ends_of_the_field(name: str, value: str, shown: object) -> None:
    at = opened({name: value})
    assert at.get_by_key(f"made.{name}").value == shown
    assert not at.warning


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("share", "0.009", "Share '0.009', which is outside 0.01 to 1"),
        ("level", "100.5", "Level '100.5', which is outside 1 to 100"),
        ("trim", "2", "Trim '2', which is outside 3 to 8"),
        ("runs", "1", "Runs '1', which is outside 2 to 1000"),
        ("rate", "nan", "Rate 'nan', which is outside 0.5 to 9"),
        ("rate", "inf", "Rate 'inf', which is outside 0.5 to 9"),
        ("way", "three", "Way 'three', which is not available"),
        ("event", "Ir", "Event 'Ir', which is not available"),
    ],
)
def test_what_a_link_asks_for_beyond_them_is_told_and_the_field_stands_at_its_default(plain, name: str, value: str, told: str) -> None:
    at = opened({name: value})
    assert [told in each.value.replace("\\", "") for each in at.warning] == [True]
    assert at.get_by_key(f"made.{name}").value == plain.get_by_key(f"made.{name}").value


MOVED = {
    "share": 0.5, "level": 20.0, "other": 10.0, "trim": 5, "runs": 9, "tries": 8, "rate": 4.5, "way": "two", "early": True, "seed": 3,
    "word": "a", "event": "Dw",
}  # fmt: skip


def test_every_field_that_was_moved_is_in_the_link_and_the_link_opens_it_again() -> None:
    assert set(MOVED) == set(FIELDS)
    at = opened()
    at.session_state["moved"] = MOVED
    at.button[0].click()
    link = {name.removeprefix("made."): value for name, value in ran(at).query_params.items()}
    assert set(link) == set(FIELDS)
    again = opened({name: value[0] if isinstance(value, list) else value for name, value in link.items()})
    assert {name: again.get_by_key(f"made.{name}").value for name in FIELDS} == MOVED
    assert not again.warning
