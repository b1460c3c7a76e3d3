"""An eager update as one program: ``@jax.jit`` on a function of which the text shows that it only computes."""

import ast
from collections.abc import Collection, Sequence

from scopelight.analysis.advice.fixes.change import Change, Text
from scopelight.analysis.advice.syntax.jits import Definition

_MODULES = ("jnp", "jax", "lax", "optax", "nn")
_EFFECTS = ("device_get", "device_put", "block_until_ready", "debug", "experimental", "profiler", "config", "jit")
_STATEMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)
_EXPRESSIONS = (
    ast.Name,
    ast.Constant,
    ast.BinOp,
    ast.UnaryOp,
    ast.operator,
    ast.unaryop,
    ast.expr_context,
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.Subscript,
    ast.Slice,
    ast.Attribute,
    ast.Call,
    ast.keyword,
    ast.Lambda,
    ast.arguments,
    ast.arg,
    ast.Starred,
    ast.ListComp,
    ast.comprehension,
)


def compile_function(line: int, text: Text) -> tuple[str, Sequence[Change]] | None:
    """The name of the function that a 1-based line is in, or calls, and the change that compiles it.

    None where it may do more than compute: it is compiled already, is inside another function or class, decides by
    values, or calls what is not of jax. None as well where the line calls several that could be compiled.
    """
    if text.tree is None:
        return None
    called = _called_on(line, text.tree)
    eager = [
        each
        for each in text.tree.body
        if isinstance(each, ast.FunctionDef)
        and (each.lineno <= line <= (each.end_lineno or each.lineno) or each.name in called)
        and _is_eager(each, text)
    ]
    name = _jit_name(text.tree)
    if name is None or len(eager) != 1:
        return None
    row = eager[0].lineno - 1
    return eager[0].name, [Change(row, 0, row, 0, f"@{name}\n")]


def _called_on(line: int, tree: ast.Module) -> Collection[str]:
    """The names that a line calls functions by."""
    return {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and node.lineno == line and isinstance(node.func, ast.Name)
    }


def _is_eager(definition: ast.FunctionDef, text: Text) -> bool:
    return not definition.decorator_list and _only_computes(definition) and not _is_jitted(text, definition)


def _only_computes(definition: Definition) -> bool:
    arguments = definition.args
    if arguments.vararg or arguments.kwarg or arguments.defaults or arguments.kw_defaults:
        return False
    body = definition.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    if not body or not isinstance(body[-1], ast.Return):
        return False
    # What is called must be of jax; what is given may be any name.
    return all(isinstance(each, _STATEMENTS) and _computes(each) for each in body)


def _computes(statement: ast.stmt) -> bool:
    for node in ast.walk(statement):
        if node is statement:
            continue
        if not isinstance(node, _EXPRESSIONS):
            return False
        if isinstance(node, ast.Call) and not _is_of_jax(node.func):
            return False
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            return False
    return True


def _is_of_jax(function: ast.expr) -> bool:
    parts = []
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    return isinstance(function, ast.Name) and function.id in _MODULES and bool(parts) and not set(parts) & set(_EFFECTS)


def _is_jitted(text: Text, definition: Definition) -> bool:
    """Whether something compiles it elsewhere, or hands it on to what does."""
    assert text.tree is not None
    return any(
        isinstance(node, ast.Call)
        and any(isinstance(each, ast.Name) and each.id == definition.name for each in node.args)
        for node in ast.walk(text.tree)
    )


def _jit_name(tree: ast.Module) -> str | None:
    for statement in tree.body:
        match statement:
            case ast.Import(names=names) if any(each.name == "jax" and each.asname is None for each in names):
                return "jax.jit"
            case ast.ImportFrom(module="jax", names=names) if any(
                each.name == "jit" and each.asname is None for each in names
            ):
                return "jit"
    return None
