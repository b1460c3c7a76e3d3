"""What tells an equation from others, without addresses: the same one in every process; and the same in short words."""

import hashlib
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

WIDE = frozenset(("float64", "int64", "uint64", "complex64", "complex128"))
"""Element types that a TPU does not have: each is computed as a pair of narrower ones."""
MOST_SHAPES = 16
LONGEST_PARAMETER = 80
LONGEST_PARAMETERS = 400
_DIGEST_BYTES = 12
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+|\b0x[0-9a-fA-F]{6,}\b|\bid=\d+")
_DEEPEST = 6


class Described:
    """An equation in words. ``key`` is the digest of all that a compiler's verdict depends on.

    ``is_wide``: numbers of 64 bits are allowed where it is lowered.
    """

    def __init__(self, equation: Any, *, is_on_host: bool, is_wide: bool) -> None:  # noqa: ANN401 (an equation of any version)
        self.primitive: str = equation.primitive.name
        operands = [aval_of(each) for each in equation.invars]
        results = [aval_of(each) for each in equation.outvars]
        self.operands = [_short(each) for each in operands[:MOST_SHAPES]]
        self.results = [_short(each) for each in results[:MOST_SHAPES]]
        self.wide = sorted({each for aval in (*operands, *results) if (each := element_type(aval)) in WIDE})
        self.is_on_host = is_on_host
        content = hashlib.blake2b(digest_size=_DIGEST_BYTES)
        told = (
            self.primitive,
            *map(_short, operands),
            "->",
            *map(_short, results),
            f"host={is_on_host},wide={is_wide}",
            *(f"{name}={_content(value)}" for name, value in sorted(equation.params.items())),
        )
        content.update("\0".join(told).encode(errors="surrogatepass"))
        self.key = content.hexdigest()
        self.parameters = _words_of(equation.params)

    def told(self) -> dict[str, Any]:
        """The same as fields of a message."""
        return {
            "key": self.key,
            "primitive": self.primitive,
            "operands": self.operands,
            "results": self.results,
            "parameters": self.parameters,
            "wide": self.wide,
            "is_on_host": self.is_on_host,
        }


def aval_of(atom: Any) -> Any:  # noqa: ANN401 (a variable or a literal)
    """What is known of a value: its shape and element type."""
    return atom.aval


def element_type(aval: Any) -> str:  # noqa: ANN401
    """The name of the element type; of what is none, such as a token, nothing."""
    return str(getattr(getattr(aval, "dtype", None), "name", "") or "")


def _short(aval: Any) -> str:  # noqa: ANN401
    try:
        return _ADDRESS.sub("", str(aval.str_short()))
    except Exception:
        return type(aval).__name__


def _words_of(parameters: Mapping[str, Any]) -> str:
    """What of the parameters a person reads in passing: those that are short and say something."""
    words: list[str] = []
    taken = 0
    for name, value in parameters.items():
        if value is None or value is False or (isinstance(value, tuple) and not value) or _holds_code(value):
            continue
        said = _ADDRESS.sub("", getattr(value, "__name__", None) or str(value)).replace("\n", " ")
        each = f"{name}={said}"
        if len(said) > LONGEST_PARAMETER or taken + len(each) > LONGEST_PARAMETERS:
            continue
        taken += len(each)
        words.append(each)
    return ", ".join(words)


def _holds_code(value: Any) -> bool:  # noqa: ANN401
    each = value[0] if isinstance(value, (tuple, list)) and value else value
    return hasattr(each, "eqns") or hasattr(each, "jaxpr") or (callable(each) and not isinstance(each, type))


def _content(value: Any, depth: int = 0) -> str:  # noqa: ANN401
    """A value by what it holds: the same for two that hold the same."""
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        said = repr(value)
    elif depth > _DEEPEST:
        said = type(value).__name__
    elif isinstance(value, Mapping):
        items = sorted((str(name), _content(each, depth + 1)) for name, each in value.items())
        said = f"{{{','.join(f'{name}:{each}' for name, each in items)}}}"
    elif isinstance(value, (set, frozenset)):
        said = f"{{{','.join(sorted(_content(each, depth + 1) for each in value))}}}"
    elif isinstance(value, (tuple, list)):
        said = f"{type(value).__name__}({','.join(_content(each, depth + 1) for each in value)})"
    else:
        said = _of_object(value)
    return said


def _of_object(value: Any) -> str:  # noqa: ANN401
    """The same of what is none of Python's own: jaxprs as they are printed, functions by their code, arrays."""
    if hasattr(value, "eqns") or hasattr(value, "jaxpr"):
        return _ADDRESS.sub("", str(value))
    code = getattr(value, "__code__", None)
    if code is not None:
        return f"{getattr(value, '__qualname__', '')}:{_code(code)}"
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.blake2b(value.tobytes(), digest_size=_DIGEST_BYTES).hexdigest()}"
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    return _ADDRESS.sub("", f"{type(value).__name__}:{value!r}")


def _code(code: Any) -> str:  # noqa: ANN401
    parts = hashlib.blake2b(code.co_code, digest_size=_DIGEST_BYTES)
    for each in _constants(code.co_consts):
        parts.update(each.encode(errors="surrogatepass"))
    return parts.hexdigest()


def _constants(constants: Sequence[Any]) -> Iterator[str]:
    for each in constants:
        inner = getattr(each, "co_code", None)
        yield _code(each) if inner is not None else repr(each)
