"""JavaScript modules as one classic script, which browsers also run from a folder.

Every module becomes a function that is called once, after those it imports. The forms of import and
export are the few that our own files and the vendored ones use; anything else is an error here, not
in the browser.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

from salet.errors import DataError

_IMPORT = re.compile(
    r"(?:^|(?<=;))import\s*(?:(?P<default>[\w$]+)|\*\s*as\s+(?P<whole>[\w$]+)|\{(?P<names>[^}]*)\})"
    r"\s*from\s*[\"'](?P<path>[^\"']+)[\"'];?",
    re.MULTILINE,
)
_PASSED_ON = re.compile(
    r"^export\s*\{(?P<names>[^}]*)\}\s*from\s*[\"'](?P<path>[^\"']+)[\"'];?", re.MULTILINE
)
_LIST = re.compile(r"(?:^|(?<=[;}]))export\s*\{(?P<names>[^}]*)\};?", re.MULTILINE)
_DEFAULT = re.compile(r"(?:^|(?<=[;}]))export default (?=function\b|class\b)", re.MULTILINE)
_DECLARED = re.compile(
    r"^export (?=(?:async )?(?:const|let|function\*?|class)\s+(?P<names>[\w$]+|\[[\w$, ]+\]))",
    re.MULTILINE,
)
_LEFT = re.compile(r"^(?:import|export)\b|\bimport\s*\(|\bimport\.meta\b", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?s:.*?)\*/[ \t]*)\n", re.MULTILINE)
"""lines that are all comment: not sent to browsers"""


def bundle(entry: str, read: Callable[[str], str]) -> str:
    """A classic script that does what the module `entry` does; `read` returns a module's text."""
    order: list[str] = []
    bodies: dict[str, str] = {}
    _collect(entry, read, order, bodies, ())
    return '"use strict";\n(() => {\n' + "".join(bodies[path] for path in order) + "})();\n"


def _collect(
    path: str,
    read: Callable[[str], str],
    order: list[str],
    bodies: dict[str, str],
    within: tuple[str, ...],
) -> None:
    if path in bodies:
        return
    if path in within:
        raise DataError(f"{' imports '.join([*within, path])}: a circle of imports")
    body, needed = _wrapped(path, read(path))
    for other in needed:
        _collect(other, read, order, bodies, (*within, path))
    bodies[path] = body
    order.append(path)


def _wrapped(path: str, text: str) -> tuple[str, list[str]]:
    """A module as a function that returns its exports, and the modules that it needs."""
    needed: list[str] = []
    exported: dict[str, str] = {}

    def target(found: re.Match[str]) -> str:
        other = posixpath.normpath(posixpath.join(posixpath.dirname(path), found["path"]))
        needed.append(other)
        return _name(other)

    def imported(found: re.Match[str]) -> str:
        module = target(found)
        if found["whole"]:
            return f"const {found['whole']} = {module};"
        if found["default"]:
            return f"const {found['default']} = {module}.default;"
        names = ", ".join(
            there if there == here else f"{there}: {here}" for there, here in _pairs(found["names"])
        )
        return f"const {{ {names} }} = {module};"

    def passed_on(found: re.Match[str]) -> str:
        module = target(found)
        exported.update({here: f"{module}.{there}" for there, here in _pairs(found["names"])})
        return ""

    def listed(found: re.Match[str]) -> str:
        exported.update({outside: inside for inside, outside in _pairs(found["names"])})
        return ""

    def by_default(_: re.Match[str]) -> str:
        exported["default"] = "$default"
        return ";const $default = "

    def declared(found: re.Match[str]) -> str:
        exported.update({name: name for name in re.findall(r"[\w$]+", found["names"])})
        return ""

    for pattern, replace in (
        (_IMPORT, imported),
        (_PASSED_ON, passed_on),
        (_LIST, listed),
        (_DEFAULT, by_default),
        (_DECLARED, declared),
    ):
        text = pattern.sub(replace, text)
    text = _COMMENT.sub("", text).strip()
    if left := _LEFT.search(text):
        line = text[left.start() :].splitlines()[0][:80]
        raise DataError(f"{path}: {line!r} is a form of import or export that is not bundled")
    fields = ", ".join(f"{name}: {value}" for name, value in exported.items())
    body = f"const {_name(path)} = (() => {{\n{text}\nreturn {{ {fields} }};\n}})();\n"
    return body, needed


def _pairs(names: str) -> list[tuple[str, str]]:
    """(first, second) of each `first as second`; both are the name where there is no `as`."""
    pairs = [part.split(" as ") for part in names.split(",") if part.strip()]
    return [(pair[0].strip(), pair[-1].strip()) for pair in pairs]


def _name(path: str) -> str:
    """The constant that holds a module's exports."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))
