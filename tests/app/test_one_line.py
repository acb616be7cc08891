"""A verdict that is longer than a line of a window of 1,280 px: what is left out of it, and where that stands."""

from hemcore.headline import Verdict
from hemcore.web.cards import in_one_line

EVENT = "Durchschnittliche Leistungsaufnahme des gesamten Rechnerknotens [W]"


def test_a_verdict_of_a_line_stays_as_it_is() -> None:
    found = Verdict(answer="Dr shows 4 phases in run 1 of a.", trust="Of 12 runs, 11 agree.", why=("Because.",))
    assert in_one_line(found, ["Dr"]) == found


def test_a_long_name_loses_its_middle_and_no_more_than_it_must() -> None:
    found = Verdict(answer=f"{EVENT} shows 4 phases in run 1 of a.", trust="One run only: no other run confirms these phases.")
    assert len(found.text) == 147
    shown = in_one_line(found, [EVENT])
    assert shown.answer == "Durchschnittliche Le… Rechnerknotens [W] shows 4 phases in run 1 of a."
    assert shown.trust == found.trust
    assert in_one_line(found, [EVENT], room=110).answer.startswith("Durchschnitt…knotens [W] shows")


def test_a_name_without_a_blank_needs_no_telling() -> None:
    name = "mem_load_uops_llc_miss_retired_remote_dram_of_the_other_socket_in_all"
    shown = in_one_line(
        Verdict(answer=f"{name} shows 4 phases in run 1.", trust="One run only: no other run confirms these phases."), room=100
    )
    assert shown.answer == "mem_load_uop…cket_in_all shows 4 phases in run 1."


def test_the_last_sentence_of_the_trust_goes_first_behind_why() -> None:
    first, second = "One run only: no other run confirms these phases.", "12 change points: above the bounds, 2 to 6."
    found = Verdict(answer="cycles shows 13 phases in run 1 of a.", trust=f"{first} {second}", why=("Because.",), level="limited")
    assert in_one_line(found) == found  # 131 letters
    shown = in_one_line(found, room=113)
    assert (shown.trust, shown.why) == (first, (second, "Because."))
    assert in_one_line(found, room=60) == shown  # whether to trust it is always said
