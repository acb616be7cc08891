"""EAR's files: what is written for the choices on the page."""

import pandas as pd

from hemcore.charts.picture import Scene
from hemcore.charts.signatures.view import view_of
from hemcore.headline import percent
from hemcore.signatures.ear.ear_files import EarFiles, write_ear_files
from hemcore.signatures.ear.ear_models import Extremes, Medoids
from hemcore.signatures.results import ClassifiedSignatures


def files_of(scene: Scene[ClassifiedSignatures]) -> dict[str, str]:
    """Names and contents of the files: the peaks of the page, and its medoids and extremes (those given, else those found here).

    Without three medoids at hand the roofline alone. Raises ParameterError for a tag that EAR cannot have.
    """
    found: ClassifiedSignatures = scene.more
    view, params = view_of(scene), found.params
    medoids, extremes = models_of(found)
    if extremes is not None and view.per_cpu and not params.medoids:
        extremes = extremes.divided(params.cpus)
    given = EarFiles(tag=view.tag, peaks=params.peaks, medoids=medoids, extremes=extremes)
    return write_ear_files(given, order=params.order)


def models_of(found: ClassifiedSignatures) -> tuple[Medoids | None, Extremes | None]:
    """The medoids and extremes that were given, else those found in the signatures where there are three."""
    params, model = found.params, found.model
    if params.medoids:
        return params.ear_medoids, params.ear_extremes
    if model is None or len(model.names) != 3:
        return None, None
    return model.ear_medoids, model.extremes


def table(scene: Scene[ClassifiedSignatures]) -> pd.DataFrame:
    """The files, one per row."""
    files = files_of(scene)
    return pd.DataFrame({"file": list(files), "line 1": [each.strip() for each in files.values()]})


def caption(scene: Scene[ClassifiedSignatures]) -> str:
    """Where the files go, what they hold, and what looks wrong in them."""
    found: ClassifiedSignatures = scene.more
    model = found.model
    notes = ["Copy them to $EAR_ETC/ear/coeffs/island{X}, where X is the island of the nodes with this tag."]
    if found.params.medoids:
        notes.append("The medoids and extremes are the ones entered.")
    elif model is None:
        notes.append("There are no three medoids of these signatures yet, so only the roofline is written.")
    elif len(model.names) != 3:
        notes.append(f"EAR's files hold 3 medoids; there are {len(model.names)}, so only the roofline is written.")
    elif model.n_changed is not None:
        share = percent(model.share_changed, 1)
        notes.append(f"EAR standardises the untransformed metrics: when read back, {model.n_changed:,} signatures ({share}) change class.")
    order = (
        "CPI, TPI, MEM_GBS, GFLOPS, as EAR's code reads"
        if found.params.order == "code"
        else "CPI, TPI, GFLOPS, MEM_GBS, as its documentation lists them"
    )
    notes.append(f"Columns in the order {order}.")
    return " ".join([*notes, *found.warnings])
