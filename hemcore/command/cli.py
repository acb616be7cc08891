"""`hem-workbench` starts the app; `hem-workbench read|merge|plan|segment|report|push|token|warm` run without it."""

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import hemcore
from hemcore.command import push
from hemcore.command.app import start
from hemcore.command.outputs import FORMATS, choice_of, write
from hemcore.errors import HemError

if TYPE_CHECKING:
    from hemcore.datasets.tables.typed_table import TypedTable
    from hemcore.front.answer import Answer

_REFUSED, _PORT = 1, 8501
_EXIT = "Exit codes: 0 success, 1 unusable data or parameters (one sentence on stderr), 2 invalid command line."


def main(given: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code: 0, or 1 after one sentence on stderr. Exits with 2 for an invalid command line."""
    words = list(sys.argv[1:] if given is None else given)
    arguments = argparse.Namespace(do=_report, rest=words[1:]) if words[:1] == ["report"] else _parser().parse_args(words)
    warnings.simplefilter("ignore", UserWarning)  # repairs are printed below
    try:
        code: int = arguments.do(arguments)
    except HemError as error:
        print(error, file=sys.stderr)
        return error.code if isinstance(error, push.PushError) else _REFUSED
    except BrokenPipeError:  # `| head` has read enough
        sys.stderr.close()
        return 0
    return code


def _start(given: argparse.Namespace) -> int:
    return start(port=given.port, data=given.data, browse=given.open, demo=given.demo, address=given.address, prefix=given.prefix)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="hem-workbench", description="HEM Workbench. Without a command: start the app.", epilog=_EXIT)
    parser.add_argument("--version", action="version", version=f"hem-workbench {hemcore.__version__}")
    parser.add_argument("--port", type=_port, default=_PORT, help=f"port of the app on localhost (default: {_PORT})")
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="folder of the datasets (default: HEM_DATA_DIR, else your user data folder)"
    )
    parser.add_argument("--address", default="localhost", help="that the app listens on (default: localhost; another one needs HEM_KEY)")
    parser.add_argument("--prefix", default="", metavar="PATH", help="the path that all its addresses begin with, behind a proxy")
    parser.add_argument("--open", action="store_true", help="open the app in the browser")
    parser.add_argument("--demo", action="store_true", help="open the demo in the browser: eight steps, five minutes")
    parser.set_defaults(do=_start)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    read = commands.add_parser("read", help="files as one table", description="Read files like an upload.", epilog=_EXIT)
    _takes_files(read, "files, folders or the name of a sample")
    read.add_argument("--format", help="the key of the format (default: detected)")
    read.set_defaults(do=_read)

    merge = commands.add_parser("merge", help="subexperiments as one table", description="Merge subexperiments.", epilog=_EXIT)
    _takes_files(merge, "subexperiments: files, a folder or the name of a sample")
    merge.add_argument("--method", default="copula", help="copula (default), much or hrm")
    _takes_parameters(merge, "n_runs=500")
    merge.set_defaults(do=lambda given: _answer(given, hemcore.merge(_data(given.files), given.method, **dict(given.parameters))))

    plan = commands.add_parser("plan", help="which HEMs to read together", description="Plan a measurement.", epilog=_EXIT)
    _takes_files(plan, "a list of HEMs, the output of perf list, readings, or the name of a sample")
    plan.add_argument("--pmcs", type=int, dest="n_pmcs", help="HEMs counted at once (default: 6)")
    _takes_parameters(plan, "goal=anchor")
    plan.set_defaults(do=lambda given: _answer(given, hemcore.plan(_data(given.files), given.n_pmcs, **dict(given.parameters))))

    segment = commands.add_parser("segment", help="the phases of a series", description="Find change points.", epilog=_EXIT)
    _takes_files(segment, "a series: files, a folder or the name of a sample")
    segment.add_argument("--event", help="the event to segment (default: the one that shows phases most clearly)")
    _takes_parameters(segment, "threshold=20")
    segment.set_defaults(do=lambda given: _answer(given, hemcore.segment(_data(given.files), given.event, **dict(given.parameters))))

    _add_push(commands)

    warm = commands.add_parser("warm", help="compile now what is compiled on first use", description="For images and shared machines.")
    warm.set_defaults(do=_warm)

    # `main` passes it to its own parser.
    commands.add_parser("report", help="a report's page, PDF or notebook", add_help=False)
    return parser


def _add_push(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    send = commands.add_parser("push", help="files to a server, from a job script", description="Add a dataset.", epilog=push.CODES)
    send.add_argument("files", nargs="+", type=Path, metavar="FILE", help="the files of one dataset")
    send.add_argument(
        "--server", default=os.environ.get(push.SERVER, f"http://localhost:{_PORT}"), help=f"its address (default: {push.SERVER})"
    )
    token_file = os.environ.get(push.TOKEN_FILE)
    send.add_argument(
        "--token-file", type=Path, default=token_file, required=not token_file, help=f"a file that has a token (default: {push.TOKEN_FILE})"
    )
    send.add_argument("--name", default="", help="of the dataset (default: the first file's)")
    send.add_argument("--format", default="", help="the key of the format (default: recognised)")
    send.add_argument(
        "--ask", action="append", default=[], metavar="ANALYSIS", help="a question about it, such as merge.copula; its verdict"
    )
    _takes_parameters(send, "n_runs=2000, of the questions")
    send.add_argument("--wait", type=float, default=600.0, metavar="SECONDS", help="for each job (default: 600)")
    send.set_defaults(do=_push)

    token = commands.add_parser("token", help="a token of your data on this machine, for push", description="Print a new token, once.")
    token.add_argument("name", metavar="NAME", help="what it is for")
    token.add_argument("--days", type=int, default=90, help="as long it is good for, 1 to 365 (default: 90)")
    token.add_argument(
        "--data", type=Path, metavar="FOLDER", help="folder of the datasets (default: HEM_DATA_DIR, else your user data folder)"
    )
    token.set_defaults(do=_token)


def _takes_files(parser: argparse.ArgumentParser, help: str) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help=help)
    parser.add_argument("-o", type=Path, dest="out", metavar="OUT", help="output file: .csv, .parquet or .json (default: standard output)")
    parser.add_argument("--as", dest="form", choices=FORMATS, help="output format (default: by the name of OUT, else csv)")


def _takes_parameters(parser: argparse.ArgumentParser, example: str) -> None:
    parser.add_argument(
        "-p", action="append", type=choice_of, default=[], dest="parameters", metavar="NAME=VALUE", help=f"a parameter, such as {example}"
    )


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; it must be from 1 to 65535")
    return int(text)


def _data(files: list[str]) -> str | list[str]:
    return files[0] if len(files) == 1 else files


def _read(arguments: argparse.Namespace) -> int:
    from hemcore.datasets.tables.frame_files import long_table
    from hemcore.front.read_files import read, sample_or_none

    table = sample_or_none(arguments.files[0]) if len(arguments.files) == 1 and arguments.format is None else None
    table = table if table is not None else read(arguments.files, format=arguments.format)
    print(repr(table), file=sys.stderr)
    _print_repairs(table)
    write(long_table(table), arguments.out, arguments.form)
    return 0


def _answer(arguments: argparse.Namespace, answer: "Answer") -> int:
    print(answer.verdict.text, file=sys.stderr)
    _print_repairs(answer.data)
    write(answer.table, arguments.out, arguments.form)
    return 0


def _print_repairs(table: "TypedTable") -> None:
    for line in table.repairs.lines:
        print(f"  {line}", file=sys.stderr)


def _push(given: argparse.Namespace) -> int:
    id, answers = push.send_files(
        given.files,
        server=given.server,
        token=push.token_in(given.token_file),
        name=given.name,
        format=given.format,
        asks=given.ask,
        params=dict(given.parameters),
        seconds=given.wait,
    )
    print(id)
    for each in answers:
        verdict = each["verdict"] or {"level": "", "answer": "", "trust": ""}
        print(f"{each['question']['analysis']}: {verdict['level']}: {verdict['answer']} {verdict['trust']}".strip(), file=sys.stderr)
    return 0


def _token(given: argparse.Namespace) -> int:
    print(push.made_token(given.name, given.days, given.data))
    return 0


def _warm(arguments: argparse.Namespace) -> int:
    from hemcore.command.compiled_code import compile_all

    compile_all()
    return 0


def _report(arguments: argparse.Namespace) -> int:
    try:
        from hemcore.report.__main__ import main as report
    except ImportError as error:
        raise HemError(f"report: {error.name} is not installed. Install it: pip install 'hem-workbench[app]'") from None
    return _REFUSED if report(arguments.rest, prog="hem-workbench report") else 0


if __name__ == "__main__":
    sys.exit(main())
