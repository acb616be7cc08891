"""The base of every parameter model: what a form, a link, a notebook and a report all validate by."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args, get_origin

import annotated_types
from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator
from pydantic.fields import FieldInfo

from hemcore.errors import ParameterError

_LONGEST_TEXT = 1_000
_BOUNDS = ("greater_than_equal", "less_than_equal", "finite_number")


def parameter(
    default: object,
    *,
    title: str,
    description: str,
    ge: float | None = None,
    le: float | None = None,
    step: float | None = None,
    unit: str = "",
    slider: tuple[float, float] | None = None,
    stops: tuple[float, ...] | None = None,
    longest: int = _LONGEST_TEXT,
) -> Any:
    """A field of a Params model: its default, its words for people, its bounds and how a form draws it.

    ge, le: the bounds of what the analysis takes. slider: (low, high) within them, where a form draws a slider; stops: the values at
    which that slider stops (default: evenly by `step`). unit: what the number counts, for labels ("intervals").
    longest: characters of a text, at most.
    """
    drawn: Any = {"step": step, "unit": unit, "slider": slider, "stops": stops, "longest": longest}
    return Field(default=default, title=title, description=description, ge=ge, le=le, json_schema_extra=drawn)


class Params(BaseModel):
    """What the user chooses for an analysis. Frozen; every field has a default, so that a form can be drawn before data is chosen.

    Raises ParameterError, one sentence, for a value that does not fit, an unknown name, or a rule between fields that is broken. Rules
    between fields are `model_validator`s of the subclass that raise ValueError with a whole sentence.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def __init__(self, /, **given: object) -> None:
        try:
            super().__init__(**given)
        except ValidationError as error:
            raise ParameterError(sentence(error, type(self))) from None

    @field_validator("*", mode="after")
    @classmethod
    def _plain(cls, value: object, info: ValidationInfo) -> object:
        """-0.0 asks for what 0.0 does, so it is the same; a text must be one that a link, a file and a page can hold."""
        extra = cls.model_fields[info.field_name].json_schema_extra if info.field_name else None
        longest = extra.get("longest") if isinstance(extra, dict) else None
        longest = longest if isinstance(longest, int) else _LONGEST_TEXT
        if isinstance(value, str) and (len(value) > longest or not _is_unicode(value)):
            bound = f"text of at most {longest:,} characters that are all Unicode"
            raise ValueError(f"{info.field_name}: {_shown(value)} does not fit; it must be {bound}. Shorten or rename it.")
        return value + 0.0 if isinstance(value, float) else value

    def only(self, names: Iterable[str]) -> Self:
        """These fields as they are and every other at its default: what a result that reads only these can hang on."""
        return type(self)(**{name: getattr(self, name) for name in names})

    def but(self, /, **changed: object) -> Self:
        """A copy with these fields changed. Raises ParameterError as the model does."""
        return type(self)(**(dict(self) | changed))


@dataclass(frozen=True, kw_only=True)
class Control:
    """What a form needs to know of a field. low, high: its bounds, None where there is none; choices: of a field that allows only these."""

    name: str
    title: str
    description: str
    default: Any
    kind: Any
    low: Any
    high: Any
    step: float | None
    unit: str
    slider: tuple[float, float] | None
    stops: tuple[float, ...] | None
    choices: tuple[object, ...] | None

    @property
    def label(self) -> str:
        """The title, with the unit where the title does not say it."""
        return f"{self.title}, {self.unit}" if self.unit and self.unit.lower() != self.title.lower() else self.title


def control(model: type[BaseModel], name: str) -> Control:
    """The control of the field `name` of `model`."""
    field: FieldInfo = model.model_fields[name]
    extra: dict[str, Any] = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    return Control(
        name=name,
        title=field.title or name,
        description=field.description or "",
        default=field.default,
        kind=field.annotation,
        low=next((each.ge for each in field.metadata if isinstance(each, annotated_types.Ge)), None),
        high=next((each.le for each in field.metadata if isinstance(each, annotated_types.Le)), None),
        step=extra.get("step"),
        unit=str(extra.get("unit") or ""),
        slider=extra.get("slider"),
        stops=extra.get("stops"),
        choices=get_args(field.annotation) if get_origin(field.annotation) is Literal else None,
    )


def sentence(error: ValidationError, model: type[BaseModel]) -> str:
    """The one wording of a value that does not fit `model`: which field, the value, the bound, and what the field means."""
    first = error.errors(include_url=False)[0]
    if first["type"] == "value_error":  # a rule between fields says a whole sentence itself
        return str(first["msg"]).removeprefix("Value error, ")
    name = ".".join(str(part) for part in first["loc"]) or model.__name__
    if first["type"] == "extra_forbidden":
        return f"{_short(name)}: there is no such parameter; they are {', '.join(model.model_fields)}. Leave it out or correct the name."
    field = model.model_fields.get(str(first["loc"][0])) if first["loc"] else None
    meaning = f" {field.title or name}: {field.description}" if field is not None and field.description else ""
    fault = "is out of bounds" if first["type"] in _BOUNDS else "does not fit"
    bound = str(first["msg"]).replace("Input should be", "it must be", 1)
    return f"{name}: {_shown(first['input'])} {fault}; {bound}.{meaning}"


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a pair, as broken JSON gives
        return False
    return True


def _shown(value: object) -> str:
    try:
        return _short(repr(value))
    except (RecursionError, ValueError):  # nested too deep, or a number of more digits than Python writes
        return f"a {type(value).__name__}"


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
