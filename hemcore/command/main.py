"""`hem-workbench`: starts the app; `hem-workbench read|merge|plan|segment|report` work without it."""

import argparse
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hemcore
from hemcore.command.app import start
from hemcore.command.outputs import FORMATS, choice_of, long_table, write
from hemcore.errors import HemError

_REFUSED, _PORT = 1, 8501
_EXIT = "Exit codes: 0 done, 1 for data or parameters that cannot be used (one sentence on stderr), 2 for a command that is not understood."


def main(given: Sequence[str] | None = None) -> int:
    """Do what the arguments ask; returns the exit code: 0, or 1 after one sentence on stderr. Leaves with 2 for what is not understood."""
    words = list(sys.argv[1:] if given is None else given)
    asked = argparse.Namespace(do=_report, rest=words[1:]) if words[:1] == ["report"] else _parser().parse_args(words)
    warnings.simplefilter("ignore", UserWarning)  # repairs are told below
    try:
        code: int = asked.do(asked)
    except HemError as error:
        print(error, file=sys.stderr)
        return _REFUSED
    except BrokenPipeError:  # `| head` has read enough
        sys.stderr.close()
        return 0
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="hem-workbench", description="HEM Workbench. Without a command: start the app.", epilog=_EXIT)
    parser.add_argument("--version", action="version", version=f"hem-workbench {hemcore.__version__}")
    parser.add_argument("--port", type=_port, default=_PORT, help=f"where the app listens on localhost (default: {_PORT})")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="where datasets are kept (default: HEM_DATA_DIR, else the user's)")
    parser.add_argument("--open", action="store_true", help="open the app in the browser")
    parser.set_defaults(do=lambda asked: start(port=asked.port, data=asked.data, browse=asked.open))
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    read = commands.add_parser("read", help="what files hold, as one table", description="Read files as an upload would.", epilog=_EXIT)
    _takes_files(read, "files, folders or the name of a sample")
    read.add_argument("--format", help="the key of the format (default: recognised)")
    read.set_defaults(do=_read)

    merge = commands.add_parser("merge", help="subexperiments as one table", description="Merge subexperiments.", epilog=_EXIT)
    _takes_files(merge, "subexperiments: files, a folder or the name of a sample")
    merge.add_argument("--method", default="copula", help="copula (default), much or hrm")
    _takes_parameters(merge, "n_runs=500")
    merge.set_defaults(do=lambda asked: _answer(asked, hemcore.merge(_data(asked.files), asked.method, **dict(asked.parameters))))

    plan = commands.add_parser("plan", help="which HEMs to read together", description="Plan a measurement.", epilog=_EXIT)
    _takes_files(plan, "a list of HEMs, what perf list prints, readings, or the name of a sample")
    plan.add_argument("--pmcs", type=int, dest="n_pmcs", help="HEMs that are counted at once (default: 6)")
    _takes_parameters(plan, "goal=anchor")
    plan.set_defaults(do=lambda asked: _answer(asked, hemcore.plan(_data(asked.files), asked.n_pmcs, **dict(asked.parameters))))

    segment = commands.add_parser("segment", help="the phases of a series", description="Find change points.", epilog=_EXIT)
    _takes_files(segment, "a series: files, a folder or the name of a sample")
    segment.add_argument("--event", help="whose counts are segmented (default: the event that shows phases most clearly)")
    _takes_parameters(segment, "threshold=20")
    segment.set_defaults(do=lambda asked: _answer(asked, hemcore.segment(_data(asked.files), asked.event, **dict(asked.parameters))))

    # Has a parser of its own, which `main` goes to at once.
    commands.add_parser("report", help="a report's page or notebook", add_help=False)
    return parser


def _takes_files(parser: argparse.ArgumentParser, words: str) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help=words)
    parser.add_argument("-o", type=Path, dest="out", metavar="OUT", help="where to: .csv, .parquet or .json (default: standard output)")
    parser.add_argument("--as", dest="form", choices=FORMATS, help="what to write (default: by the name of OUT, else csv)")


def _takes_parameters(parser: argparse.ArgumentParser, example: str) -> None:
    parser.add_argument(
        "-p", action="append", type=choice_of, default=[], dest="parameters", metavar="NAME=VALUE", help=f"a parameter, such as {example}"
    )


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; it must be from 1 to 65535")
    return int(text)


def _data(files: list[str]) -> Any:
    return files[0] if len(files) == 1 else files


def _read(asked: argparse.Namespace) -> int:
    from hemcore.front.reading import read, sample_or_none

    table = sample_or_none(asked.files[0]) if len(asked.files) == 1 and asked.format is None else None
    table = table if table is not None else read(asked.files, format=asked.format)
    print(repr(table), file=sys.stderr)
    _tell_repairs(table)
    write(long_table(table), asked.out, asked.form)
    return 0


def _answer(asked: argparse.Namespace, answer: Any) -> int:
    print(answer.verdict.text, file=sys.stderr)
    _tell_repairs(answer.data)
    write(answer.table, asked.out, asked.form)
    return 0


def _tell_repairs(table: Any) -> None:
    for line in table.repairs.lines:
        print(f"  {line}", file=sys.stderr)


def _report(asked: argparse.Namespace) -> int:
    try:
        from hemcore.report.__main__ import main as report
    except ImportError as error:
        raise HemError(f"report: {error.name} is not installed. Install it: pip install 'hem-workbench[app]'") from None
    return _REFUSED if report(asked.rest, prog="hem-workbench report") else 0


if __name__ == "__main__":
    sys.exit(main())
