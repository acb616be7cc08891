"""The parameters of power, energy and what another frequency would cost."""

from hemcore.params import Params, parameter

MOST_MHZ, MOST_VOLTS = 10_000.0, 5.0


class PowerParams(Params):
    """Power of a program from its events, voltage and frequency, and its energy and cost at another frequency."""

    target: str = parameter("", title="Power or energy", description="The column to predict. Empty: power or energy of the processor.")
    temperature: bool = parameter(
        False,
        title="Leakage grows with temperature",
        description="Uses the measured temperature too. It rises with the power itself, so it is left out unless you ask for it.",
    )
    program: str = parameter("", title="Program", description="The program whose energy is asked for. Empty: the one that uses most.")
    frequency: float = parameter(
        0.0,
        title="Frequency",
        description="The clock of the what-if. 0: the highest that was measured for the program.",
        ge=0,
        le=MOST_MHZ,
        step=10,
        unit="MHz",
    )
    voltage: float = parameter(
        0.0,
        title="Voltage (0: as measured)",
        description="The supply of the what-if. 0: what was measured at that frequency, or between its neighbors.",
        ge=0,
        le=MOST_VOLTS,
        step=0.01,
        unit="V",
    )
    n_runs: int = parameter(
        1_000, title="Runs", description="How many runs of the program the cost is for.", ge=1, le=1_000_000_000, step=1, unit="runs"
    )
    price: float = parameter(
        0.0,
        title="Price per kWh",
        description="In any currency; 0: the cost is given in kWh alone. Only the measured rail is counted.",
        ge=0,
        le=1_000,
        step=0.01,
    )
