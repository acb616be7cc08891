"""Numbers and headings of the tables on the pages."""

import json

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from hemcore.web.tables import _digits, _share_decimals


def drawn() -> None:
    import pandas as pd

    from hemcore.web import tables

    frame = pd.DataFrame(
        {
            "mean": [123456.789, 1.23456],
            "small": [0.000123456, 0.0],
            "uneven": [2359.71234, 0.0062],
            "none": [float("nan")] * 2,
            "residual": [97123.456, 1.0],
            "covering_true": [0.123456, 1.0],
            "kept": [True, False],
            "why": ["<b>", "kept"],
            "n_samples": [3, 4],
            "value": ["12,345", "−5.9 × 10⁻⁵"],
            "unit": ["%", ""],
            "formula": ["3", "a / b"],
        }
    )
    tables.show(frame, alt="a table")


def test_five_digits_of_the_largest_value_and_shares_with_one_decimal() -> None:
    at = AppTest.from_function(drawn).run()
    assert not at.exception
    shown = at.dataframe[0].value
    assert shown["mean"].tolist() == [123457.0, 1.0]
    assert shown["small"].tolist() == pytest.approx([0.00012346, 0.0])
    assert shown["uneven"].tolist() == [2359.712, 0.006]  # 0.0 by the digits of the largest
    assert shown["residual"].tolist() == [97123.46, 1.0]
    configured = json.loads(at.dataframe[0].proto.columns)
    assert configured["covering_true"]["type_config"]["step"] == 0.001
    written = {
        name: each["type_config"].get("format") for name, each in json.loads(at.dataframe[0].proto.columns).items() if "type_config" in each
    }
    assert {name: written[name] for name in ("mean", "small", "residual", "n_samples")} == {
        "mean": "localized",
        "small": "%.8f",  # as the reader's language writes it, it would be 0
        "residual": "localized",
        "n_samples": "localized",
    }
    assert shown["covering_true"].tolist() == pytest.approx([0.123, 1.0], abs=1e-9)
    assert [int(share * 1000) for share in shown["covering_true"]] == [123, 1000]  # as a grid cuts digits off
    assert shown["none"].isna().all()
    assert shown["n_samples"].tolist() == [3, 4]
    pd.testing.assert_series_equal(shown["why"], pd.Series(["<b>", "kept"], name="why"), check_dtype=False)


@pytest.mark.parametrize(
    ("values", "dtype", "digits"),
    [
        ([0, 0], "Int64", 0),
        ([0, None], "Int64", 0),
        ([None, None], "Float64", 0),
        ([0.0, float("inf")], "float64", 0),
        ([0, None, -12], "Int64", 3),
        ([None, 12.5], "Float64", 3),
        ([123456.0, 0.004], "float64", 3),
    ],
)
def test_a_column_may_have_no_number_but_zero(values: list[float | None], dtype: str, digits: int) -> None:
    assert _digits(pd.Series(values, dtype=dtype)) == digits


def drawn_plain() -> None:
    import pandas as pd

    from hemcore.web import tables

    tables.show_plain(
        pd.DataFrame(
            {
                "class": ["MIX", "a|b *c*\n<i>"],
                "n_samples": [1234, 5],
                "share": [0.123456, 1.0],
                "mean": [123456.789, float("nan")],
                "kept": [True, False],
            }
        )
    )


def test_numbers_that_are_given_as_text_stand_on_the_right() -> None:
    at = AppTest.from_function(drawn).run()
    right = [name for name, each in json.loads(at.dataframe[0].proto.columns).items() if each.get("alignment") == "right"]
    assert right == ["value"]


def test_a_few_rows_as_text_with_numbers_on_the_right_and_markdown_escaped() -> None:
    at = AppTest.from_function(drawn_plain).run()
    assert not at.exception
    (text,) = at.markdown
    assert text.value.splitlines() == [
        "| class | samples | share | mean | kept |",
        "| :--- | ---: | ---: | ---: | :--- |",
        "| MIX | 1,234 | 12.3% | 123,457 | yes |",
        "| a\\|b \\*c\\* \\<i\\> | 5 | 100% |  | no |",
    ]


def test_shares_have_one_decimal_unless_that_would_be_zero() -> None:
    # 16.26% is written 16.3%; 0.04% beside it needs the second decimal, 0.05% is 0.1%.
    assert _share_decimals(pd.Series([0.1626, 0.5, 0.0, None])) == 3
    assert _share_decimals(pd.Series([0.1626, -0.0004])) == 4
    assert _share_decimals(pd.Series([0.1626, 0.0005])) == 3
