"""The base of every parameter model, which validates forms, links, notebooks and reports alike."""

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
    """A field of a Params model: its default, texts, bounds and widget.

    ge, le: the bounds. slider: (low, high) within them, if a form draws a slider; stops: the values of that slider (default: every
    `step`). unit: what the number counts, for labels ("intervals"). longest: the maximum length of a text, in characters.
    """
    drawn: Any = {"step": step, "unit": unit, "slider": slider, "stops": stops, "longest": longest}
    return Field(default=default, title=title, description=description, ge=ge, le=le, json_schema_extra=drawn)


class Params(BaseModel):
    """The parameters of an analysis. Frozen; every field has a default, so a form can be drawn before a dataset is chosen.

    Raises ParameterError, one sentence, for a value that does not fit, an unknown name, or fields that contradict each other. Rules
    between fields are `model_validator`s of the subclass that raise ValueError with a complete sentence.
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
        """-0.0 becomes 0.0, which means the same; texts must be valid Unicode of limited length."""
        extra = cls.model_fields[info.field_name].json_schema_extra if info.field_name else None
        longest = extra.get("longest") if isinstance(extra, dict) else None
        longest = longest if isinstance(longest, int) else _LONGEST_TEXT
        if isinstance(value, str) and (len(value) > longest or not _is_unicode(value)):
            bound = f"at most {longest:,} characters of valid Unicode"
            raise ValueError(f"{info.field_name}: {_shown(value)} does not fit; it must be {bound}. Shorten or rename it.")
        return value + 0.0 if isinstance(value, float) else value

    def only(self, names: Iterable[str]) -> Self:
        """A copy with these fields as they are and every other at its default."""
        return type(self)(**{name: getattr(self, name) for name in names})

    def but(self, /, **changed: object) -> Self:
        """A copy with these fields changed. Raises ParameterError as the model does."""
        return type(self)(**(dict(self) | changed))


@dataclass(frozen=True, kw_only=True)
class Control:
    """What a form needs to know about a field. low, high: its bounds, None without; choices: the allowed values, None if any are."""

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
        """The title, with the unit unless the title is the unit."""
        return f"{self.title}, {self.unit}" if self.unit and self.unit.lower() not in self.title.lower().split() else self.title


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
    """The message for a value that does not fit `model`: the field, the value, the bound, and what the field means."""
    first = error.errors(include_url=False)[0]
    if first["type"] == "value_error":  # a rule between fields raises a complete sentence
        return str(first["msg"]).removeprefix("Value error, ")
    name = ".".join(str(part) for part in first["loc"]) or model.__name__
    if first["type"] == "extra_forbidden":
        return f"{_short(name)}: no such parameter; the parameters are {', '.join(model.model_fields)}. Leave it out or correct the name."
    field = model.model_fields.get(str(first["loc"][0])) if first["loc"] else None
    meaning = f" {field.title or name}: {field.description}" if field is not None and field.description else ""
    fault = "is out of bounds" if first["type"] in _BOUNDS else "does not fit"
    bound = str(first["msg"]).replace("Input should be", "it must be", 1)
    return f"{name}: {_shown(first['input'])} {fault}; {bound}.{meaning}"


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, from broken JSON
        return False
    return True


def _shown(value: object) -> str:
    try:
        return _short(repr(value))
    except (RecursionError, ValueError):  # nested too deep, or a number with too many digits
        return f"a {type(value).__name__}"


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
