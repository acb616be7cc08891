"""The headline figures and the verdicts of power and energy."""

import math

from hemcore.errors import Remedy
from hemcore.headline import Card, Trust, Verdict, amount, counted_noun, formatted, percent, with_step
from hemcore.prediction.error_levels import ADD_PROGRAMS, FEW_PROGRAMS
from hemcore.prediction.power.another_frequency import PowerWhatIf
from hemcore.prediction.power.left_out_power import PROMISED, PowerModel
from hemcore.prediction.wording import rounded, shortened

# Errors of power and energy of unseen programs up to which a model is accurate, and above which it is of little use.
_GOOD, _POOR = 0.05, 0.2
_RAIL = "Only what the sensor of the column measures is counted: not fans, disks or losses of the power supply."


def model_cards(found: PowerModel) -> list[Card]:
    """Errors on programs and frequencies left out, and what the intervals cover."""
    programs = counted_noun(len(found.programs), "program")
    covered = found.programs["covered"].dropna()
    of = found.target
    return [
        Card(
            label="Power, unseen program", value=found.power_error, form=".1%", note=f"error per phase, {programs} left out in turn",
            help="The relative error of each phase, averaged over a program and then over programs.", better="lower", of=of,
        ),
        Card(
            label="Energy, unseen program", value=found.energy_error, form=".1%", note="error of all phases together",
            help="The absolute error of a program's energy, averaged over programs.", better="lower", of=of,
        ),
        Card(
            label="Unseen frequency", value=found.clock_error if math.isfinite(found.clock_error) else None, form=".1%",
            note=f"the worst of {len(found.clocks)}" if len(found.clocks) > 1 else "one frequency: none could be left out",
            help="Power per phase at a frequency left out of training together with the program.", better="lower", of=of,
        ),
        Card(
            label=f"{percent(PROMISED)} intervals", value=float(covered.mean()) if len(covered) else None, form=".0%",
            text=f"{int(covered.sum())} of {len(covered)}" if len(covered) else "", note="programs covered",
            help="Programs whose energy lies within the interval that the errors on the other programs give.", of=of,
        ),
    ]  # fmt: skip


def model_verdict(found: PowerModel) -> Verdict:
    """How far off power and energy of an unseen program are."""
    n = len(found.programs)
    answer = f"Power of an unseen program is {rounded(found.power_error)} off, its energy {rounded(found.energy_error)}."
    worst = found.programs.iloc[int(found.programs["error"].abs().to_numpy().argmax())]
    trust = f"Of {counted_noun(n, 'program')} left out in turn, the worst is {rounded(abs(float(worst['error'])))} off in energy."
    why = [_formula(found), _clock_text(found), _RAIL, *found.notes]
    return with_step(Verdict(answer=answer, trust=trust, why=tuple(each for each in why if each), level=_level(found)), ADD_PROGRAMS)


def watts_cards(found: PowerWhatIf) -> list[Card]:
    """Energy, time, power and energy-delay product of the run, the cost of all runs, and how far off the model is."""
    changed, changes, params = found.changed, found.changes, found.params
    of = f"{found.program}, {found.model.target}"
    at = _at(found)

    def note(what: str) -> str:
        return f"{_signed(changes[what])} from {_mhz(found.base.ghz)}" if found.moved else f"as measured{at and f' {at}'}"

    shown = [
        Card(
            label="Energy to solution", value=changed.joules, form=".3g", text=f"{amount(changed.joules)} J", note=note("energy"),
            help="Energy of one run: mean power times duration.", better="lower", of=of,
        ),
        *(
            Card(label=label, value=value, form=".3g", text=f"{amount(value)} {unit}", note=note(what), better="lower", of=of)
            for label, value, unit, what in (("Time", changed.seconds, "s", "time"), ("Power", changed.watts, "W", "power"))
        ),
        Card(
            label="EDP", value=changed.edp, form=".3g", text=f"{amount(changed.edp)} J s", note=note("edp"),
            help="Energy-delay product: energy of one run times its duration.", better="lower", of=of,
        ),
        Card(
            label="Cost", value=found.kwh * (params.price or 1), form=".3g",
            text=f"{amount(found.kwh * params.price)}" if params.price else f"{amount(found.kwh)} kWh",
            note=f"{counted_noun(params.n_runs, 'run')}{f', {amount(found.kwh)} kWh' if params.price else ''}",
            help=f"Energy of all runs times the price per kWh. {_RAIL}", better="lower", of=f"{of}, {params.n_runs}, {bool(params.price)}",
        ),
    ]  # fmt: skip
    return [*shown, *model_cards(found.model)]


def watts_verdict(found: PowerWhatIf) -> Verdict:
    """The change of energy, time and power at the frequency asked for, with the interval of the energy."""
    model, name = found.model, shortened(found.program)
    why = [_formula(model), _clock_text(model)]
    if not found.moved:
        answer = f"{name}{' ' if _at(found) else ''}{_at(found)}: {amount(found.base.joules)} J in {amount(found.base.seconds)} s."
        trust = f"Measured. Unseen programs: power {rounded(model.power_error)} off, energy {rounded(model.energy_error)}."
        why += [_RAIL, *model.notes]
        return with_step(Verdict(answer=answer, trust=trust, why=tuple(filter(None, why)), level=_level(model)), ADD_PROGRAMS)
    changes = found.changes
    energy, time, power = (_signed(changes[what]) for what in ("energy", "time", "power"))
    answer = f"{name} {_at(found)}: energy {energy}, time {time}, power {power}."
    level = _level(model)
    low, high = found.interval("energy")
    if found.measured:
        trust = f"Measured at both. Unseen programs: power {rounded(model.power_error)} off, energy {rounded(model.energy_error)}."
    elif not math.isfinite(found.widths["energy"]):
        trust, level = "Too few programs at several frequencies: how far off this is is not known.", "poor"
    else:
        ends = f"{_signed(low / found.base.joules - 1)} to {_signed(high / found.base.joules - 1)}"
        trust = f"{percent(PROMISED)} interval of energy {ends}, from frequencies left out."
        if found.widths["energy"] > _POOR:
            level = "poor"
    if found.outside:
        answer = f"Extrapolation, do not rely on it: energy {energy}, time {time}."
        trust, level = f"{found.outside[0]}.", "poor"
        why = [*(f"{each}." for each in found.outside[1:]), *why]
    elif math.isfinite(found.changed.volts) and found.changed.volts < found.usual_volts - 0.005:
        level = "limited" if level == "good" else level
        why.insert(0, f"Below the {found.usual_volts:.3g} V measured there: the processor may not run.")
    why += [_RAIL, *model.notes]
    return with_step(Verdict(answer=answer, trust=trust, why=tuple(filter(None, why)), level=level), _measured_clock(found))


def _measured_clock(found: PowerWhatIf) -> Remedy:
    """Outside the measured frequencies or voltages: the nearest measured frequency, at its own voltage. Else more programs."""
    low, high = found.reach
    if not math.isfinite(low + high + found.changed.ghz) or (not found.outside and not found.changed.volts < found.usual_volts - 0.005):
        return ADD_PROGRAMS
    mhz = float(round(1e3 * min(max(found.changed.ghz, low), high)))
    return Remedy(label=f"Ask for {mhz:,.0f} MHz", choose={"frequency": mhz, "voltage": 0.0})


def _level(found: PowerModel) -> Trust:
    if not found.power_error <= _POOR:
        return "poor"
    return "good" if found.power_error <= _GOOD and len(found.programs) >= FEW_PROGRAMS else "limited"


def _formula(found: PowerModel) -> str:
    terms = found.fit.terms
    volts = (
        "" if terms.measured_volts else f"; V is not measured: it falls to {percent(found.fit.share)} at 0 Hz" if terms.with_clock else ""
    )
    warmth = ", more when warm" if terms.with_warmth else ""
    return f"{found.target} = leakage V{warmth} + idle clock V² f + energy of each event V² times its rate, every part at least 0{volts}."


def _clock_text(found: PowerModel) -> str:
    if len(found.clocks) < 2:
        return "One frequency: nothing is known of others."
    worst = float(found.clocks["mhz"].iloc[int(found.clocks["power"].to_numpy().argmax())])
    return f"A frequency left out together with the program: power at most {rounded(found.clock_error)} off ({worst:,.0f} MHz)."


def _at(found: PowerWhatIf) -> str:
    if not math.isfinite(found.changed.ghz):
        return ""
    own = f", {found.changed.volts:.3g} V" if found.params.voltage else ""
    return f"at {_mhz(found.changed.ghz)}{own}"


def _mhz(ghz: float) -> str:
    return f"{ghz * 1e3:,.0f} MHz"


def _signed(change: float) -> str:
    return formatted(change, "+.1%")
