"""The analyses of power: the model with its errors, and one program at another frequency."""

from hemcore.analysis import Analysis
from hemcore.datasets.tables.phase_table import PhaseTable
from hemcore.prediction.power.another_frequency import PowerWhatIf, power_what_if
from hemcore.prediction.power.left_out_power import PowerModel, power_model
from hemcore.prediction.power.power_headline import model_cards, model_verdict, watts_cards, watts_verdict
from hemcore.prediction.power.power_params import PowerParams

POWER: Analysis[PhaseTable, PowerParams, PowerModel] = Analysis(
    name="prediction.power",
    title="power of unseen programs and frequencies",
    params=PowerParams,
    reads=("target", "temperature"),
    compute=power_model,
    gives="programs",
    named_by=("target",),
    cards=model_cards,
    verdict=model_verdict,
)
WATTS: Analysis[PhaseTable, PowerParams, PowerWhatIf] = Analysis(
    name="prediction.watts",
    title="power and energy at another frequency",
    params=PowerParams,
    reads=tuple(PowerParams.model_fields),
    inputs=(POWER,),
    compute=power_what_if,
    gives="summary",
    named_by=("program", "frequency"),
    cards=watts_cards,
    verdict=watts_verdict,
)
