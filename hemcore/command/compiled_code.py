"""`hem-workbench warm`: what numba compiles on first use is compiled now, for a container's image or a machine that many share."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor


def _merge() -> None:
    from hemcore.merge.warm_up import warm

    warm()


def _mpx() -> None:
    from hemcore.mpx.warm_up import warm

    warm()


def _planning() -> None:
    from hemcore.planning.planner import warm

    warm()


def _prediction() -> None:
    from hemcore.prediction.warm_up import warm

    warm()


def _segmentation() -> None:
    from hemcore.segmentation.warm_up import warm

    warm()


def _signatures() -> None:
    from hemcore.signatures.warm_up import warm

    warm()


# The longest first.
_ROOMS: tuple[Callable[[], None], ...] = (_prediction, _segmentation, _planning, _mpx, _signatures, _merge)


def compile_all() -> None:
    """Compile every room's compiled parts, a process for each core; what is compiled already is only loaded."""
    with ProcessPoolExecutor() as processes:
        for done in [processes.submit(room) for room in _ROOMS]:
            done.result()
