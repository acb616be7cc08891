"""Answers about the bundled samples that would take long, computed beforehand by scripts/bundle-answers: nobody waits for a sample.

<samples>/answers/<question's id>.zip      a result as the codec writes it, and question.json: Question.to_dict
"""

import json
import re
import zipfile
from pathlib import Path

from hemcore.analysis import Question
from hemcore.errors import HemError
from hemcore.jobs import codec
from hemcore.jobs.filed_results import QUESTION, Held, Sent
from hemcore.jobs.job import Job
from hemcore.registry import question_from
from hemcore.resources import SAMPLES

FOLDER = SAMPLES / "answers"
_ID = re.compile("[0-9a-f]{64}")


def job_of(id: str) -> Job | None:
    """The finished job of the question with this id; None if its answer is not bundled, or cannot be read by this version."""
    if _ID.fullmatch(id) is None:  # it may come from a link
        return None
    path = FOLDER / f"{id}.zip"
    if not path.is_file():
        return None
    try:
        with zipfile.ZipFile(path) as file:
            question = question_from(json.loads(file.read(QUESTION)))
        held = Held(Sent(codec.read(path), path.stat().st_size), None)
    except (HemError, OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, zipfile.BadZipFile):
        return None  # it is computed then
    job = Job(id, question.analysis.title, question)
    job.end("done", held=held)
    return job


def write(question: Question, result: object, folder: Path = FOLDER) -> Path:
    """Bundle `result` as the answer to `question`; returns the path. Raises TypeError for unsupported types, OSError."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{question.id}.zip"
    plain = path.with_suffix(".partial")
    codec.write(plain, result)
    try:
        with zipfile.ZipFile(plain) as given, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
            for name in given.namelist():
                file.writestr(zipfile.ZipInfo(name), given.read(name), zipfile.ZIP_DEFLATED, 9)
            file.writestr(zipfile.ZipInfo(QUESTION), json.dumps(question.to_dict()), zipfile.ZIP_DEFLATED)
    finally:
        plain.unlink()
    return path
