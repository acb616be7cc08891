"""The next steps after an error or a doubtful answer, as buttons of the page that shows it."""

from collections.abc import Mapping, Sequence
from functools import partial

from hemcore.analysis import Question
from hemcore.errors import Remedy
from hemcore.web import sentences
from hemcore.web.form import put
from hemcore.web.page import Page


def buttons_for(page: Page, dataset: str, remedies: Sequence[Remedy]) -> list[sentences.Action]:
    """A button for each of `remedies` that the page can apply. dataset: the one that its page of Data opens, if a remedy names none."""
    families = {analysis.name: family for family, analysis in page.methods.items()}
    actions: list[sentences.Action] = []
    for remedy in remedies:
        if remedy.page:
            actions.append((remedy.label, sentences.link_of(remedy, dataset)))
        elif not remedy.analysis or remedy.analysis in families:
            family = {"family": families[remedy.analysis]} if remedy.analysis else {}
            actions.append((remedy.label, partial(_choose, page, {**family, **remedy.choose})))
    return actions


def still_to_go(remedies: Sequence[Remedy], question: Question, tab: str) -> list[Remedy]:
    """`remedies` without those that lead to where the page is: its question and the open tab."""
    stands: dict[str, object] = {**question.params.model_dump(), "view": tab}
    return [each for each in remedies if not _arrived(each, question.analysis.name, stands)]


def _arrived(remedy: Remedy, analysis: str, stands: Mapping[str, object]) -> bool:
    here = not remedy.page and remedy.analysis in ("", analysis)
    return here and all(name in stands and stands[name] == value for name, value in remedy.choose.items())


def _choose(page: Page, choices: Mapping[str, object]) -> None:
    for name, value in choices.items():
        put(page.key(name), value)
