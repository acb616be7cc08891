"""Lines of a name and a number without a header may be events of one run or programs with one count: both can be chosen."""

from hemcore.datasets import PhaseTable, Subexperiments
from hemcore.datasets.importing.inspection import inspect
from hemcore.datasets.readers.uploaded_files import UploadedFile

PRINTED = [UploadedFile("pcount.csv", b"Cycles,9912331\nInstructions Retired,6123441\nLSU Busy,12331\n")]


def test_events_or_programs_are_asked_about() -> None:
    (doubt,) = inspect(PRINTED).doubts
    (events, as_events), (programs, as_programs) = doubt.answers
    assert (events, programs) == ("Yes: the names are events of one run", "Yes: each name is a program")
    of_events, of_programs = inspect(PRINTED, as_events), inspect(PRINTED, as_programs)
    assert of_events.doubts == of_programs.doubts == ()
    assert of_events.result is not None
    assert of_programs.result is not None
    runs, phases = of_events.result.table, of_programs.result.table
    assert isinstance(runs, Subexperiments)
    assert runs.frames[0].to_dict("list") == {"Cycles": [9912331.0], "Instructions Retired": [6123441.0], "LSU Busy": [12331.0]}
    assert isinstance(phases, PhaseTable)
    assert phases.frame["program"].tolist() == ["Cycles", "Instructions Retired", "LSU Busy"]


def test_of_two_numbers_each_nothing_is_known_of_events() -> None:
    (doubt,) = inspect([UploadedFile("f.csv", b"fft,1200,5\nlu,1300,6\ncg,1250,7\n")]).doubts
    assert [label for label, _ in doubt.answers] == ["Yes, without names"]
