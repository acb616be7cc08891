"""The API's description as OpenAPI 3.1, made from the list of endpoints."""

import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from pydantic import TypeAdapter

import hemcore
from hemcore.params import Params
from hemcore.web.api.exchange import MIME, Endpoint
from hemcore.web.api.jobs_api import JobState

_PLACE = "#/components/schemas/{model}"
_OURS = ("step", "unit", "slider", "stops", "longest")  # what forms need
_ERRORS = {
    "400": "The body cannot be used.",
    "401": "No token, or none that is good.",
    "403": "A page of another site asks, or the server is asked by another name than localhost.",
    "404": "It is not there, or not yours.",
    "409": "There is no answer: it is being computed, failed or was cancelled.",
    "413": "The body is too large.",
    "422": "A value does not fit, or the file cannot be read.",
    "429": "You have as many jobs as you may.",
    "507": "You, or the server, have no room for it.",
}


# An object of the description, as JSON has it.
Json: TypeAlias = dict[str, Any]


def described(endpoints: Iterable[Endpoint]) -> Json:
    """The description, plain JSON; its addresses are relative to where it is."""
    schemas: Json = {
        "Error": {
            "type": "object",
            "required": ["error"],
            "properties": {"error": {"type": "string", "description": "What is wrong and what to do, a sentence."}},
        }
    }
    paths: Json = {}
    for each in endpoints:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "HEM Workbench",
            "version": hemcore.__version__,
            "description": "Datasets of hardware event monitors, and questions about them. A token says whose they are.",
        },
        "servers": [{"url": "."}],
        "security": [{"token": []}],
        "paths": dict(sorted(paths.items())),
        "components": {"schemas": schemas, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _operation(each: Endpoint, schemas: Json) -> Json:
    in_path = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in re.findall(r"{(\w+)}", each.path)]
    found: Json = {
        "operationId": each.name,
        "summary": each.summary,
        "parameters": [*in_path, *_of_query(each.query)],
        "responses": {**_answers(each, schemas), **_refusals(each)},
    }
    if each.takes_file:
        content = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
        found["requestBody"] = {"required": True, "content": content}
    elif each.body is not None:
        found["requestBody"] = {"required": True, "content": {MIME["json"]: {"schema": _schema(each.body, schemas)}}}
    return found


def _of_query(model: type[Params]) -> list[Json]:
    return [
        {
            "name": name,
            "in": "query",
            "description": each.get("description", ""),
            "schema": {key: value for key, value in each.items() if key not in ("title", "description")},
        }
        for name, each in _plain(model.model_json_schema()).get("properties", {}).items()
    ]


def _answers(each: Endpoint, schemas: Json) -> Json:
    content = {MIME[form]: {"schema": {} if form == "json" else {"type": "string"}} for form in each.forms}
    if each.gives is not None:
        content[MIME["json"]] = {"schema": _schema(each.gives, schemas)}
    found: Json = {str(each.status): {"description": each.summary, **({"content": content} if content else {})}}
    if each.takes_file:
        found["200"] = {"description": "It was there before.", "content": content}
    if each.begins:
        job = {MIME["json"]: {"schema": _schema(JobState, schemas)}}
        found["202"] = {"description": "A job computes it: ask for it until it is done.", "content": job}
    return found


def _refusals(each: Endpoint) -> Json:
    takes = each.takes_file or each.body is not None
    left_out = {*(() if takes else ("400", "413", "507")), *(() if each.begins else ("429",)), *(() if each.missing else ("404",))}
    if "answers" not in each.path:
        left_out.add("409")
    content = {MIME["json"]: {"schema": {"$ref": _PLACE.format(model="Error")}}}
    return {status: {"description": why, "content": content} for status, why in _ERRORS.items() if status not in left_out}


def _schema(type_: Any, schemas: Json) -> Json:
    """The JSON Schema of `type_`; what it names is added to `schemas`."""
    found = _plain(TypeAdapter(type_).json_schema(ref_template=_PLACE))
    schemas.update(found.pop("$defs", {}))
    if found.get("type") != "object":
        return found
    name = found["title"]
    schemas[name] = found
    return {"$ref": _PLACE.format(model=name)}


def _plain(schema: Any) -> Any:
    """`schema` without what only forms need."""
    if isinstance(schema, dict):
        return {name: _plain(each) for name, each in schema.items() if name not in _OURS or isinstance(each, dict)}
    return [_plain(each) for each in schema] if isinstance(schema, list) else schema
