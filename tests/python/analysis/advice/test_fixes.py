"""Edits that follow an advice: what they make of a text, and where the text does not prove them."""

import textwrap

import pytest

from scopelight.analysis.advice.fixes.change import Text, applied
from scopelight.analysis.advice.fixes.compiling import compile_function
from scopelight.analysis.advice.fixes.donation import donate
from scopelight.analysis.advice.fixes.fixes import Advised, fixes_of
from scopelight.analysis.advice.fixes.flags import remove_flag
from scopelight.analysis.advice.fixes.reading import read_every_steps
from scopelight.analysis.advice.records import Advice
from scopelight.findings import Action

PATH = "/w/train.py"


def lines(source):
    return textwrap.dedent(source).strip("\n").split("\n")


def made(source, changes):
    return "\n".join(applied(lines(source), changes)) if changes is not None else None


def wanted(source):
    return textwrap.dedent(source).strip("\n")


def donated(source, *positions, function="train_step"):
    return made(source, donate(function, positions, PATH, {PATH: Text(lines(source))}))


CALLS = """
for batch in batches:
    params, state, loss = train_step(params, state, batch)
"""


class TestDonation:
    @pytest.mark.parametrize("code", ["missing-donation", "donate-to-fit"])
    def test_follows_the_advice_of_what_ran_and_of_what_does_not_fit(self, code):
        source = lines(f"import jax\n\n\n@jax.jit()\ndef train_step(params, state, x):\n    ...\n\n{CALLS}")
        values = {"function": "train_step"}
        action = Action("donate-arguments", {"positions": (0, 1)})
        advice = Advice(code, "advice", values, action=action, path="train.py", file=PATH, line=4)
        (fix,) = fixes_of(Advised(advice, PATH, 4, {PATH: Text(source)}))
        assert "@jax.jit(donate_argnums=(0, 1))" in applied(source, fix.changes)

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("@jax.jit", "@functools.partial(jax.jit, donate_argnums=(0, 1))"),
            ("@jax.jit()", "@jax.jit(donate_argnums=(0, 1))"),
            ("@jax.jit(inline=True)", "@jax.jit(inline=True, donate_argnums=(0, 1))"),
            ("@partial(jax.jit, static_argnums=3)", "@partial(jax.jit, static_argnums=3, donate_argnums=(0, 1))"),
        ],
    )
    def test_is_said_in_every_way_in_which_a_decorator_is_written(self, before, after):
        source = f"import functools\nimport jax\n\n\n{before}\ndef train_step(params, state, x):\n    ...\n\n{CALLS}"
        assert donated(source, 0, 1) == wanted(source.replace(before, after))

    def test_imports_what_it_needs_behind_what_must_stand_first(self):
        source = f'''
            """A script."""
            from __future__ import annotations
            import jax

            @jax.jit
            def train_step(params, state, x):
                ...
            {textwrap.indent(CALLS, " " * 12).strip()}
        '''
        text = donated(source, 0)
        assert "from __future__ import annotations\nimport functools\nimport jax\n" in text
        assert "@functools.partial(jax.jit, donate_argnums=0)\n" in text
        compile(text, PATH, "exec")

    def test_takes_the_name_under_which_partial_is_there(self):
        source = (
            f"from functools import partial as p\nimport jax\n@jax.jit\ndef train_step(params, state, x): ...\n{CALLS}"
        )
        assert "@p(jax.jit, donate_argnums=0)" in donated(source, 0)

    def test_is_an_option_of_a_call(self):
        source = f"def train_step_of(params, state, x): ...\ntrain_step = jax.jit(\n    train_step_of,\n)\n{CALLS}"
        assert "    train_step_of, donate_argnums=(0, 1),\n" in donated(source, 0, 1, function="train_step_of")

    def test_is_of_what_the_present_text_still_rebinds(self):
        source = f"@jax.jit\ndef train_step(params, state, x): ...\n{CALLS}"
        kept = source + "\nbest = params\n"
        assert "donate_argnums=1)" in donated(kept, 0, 1)
        assert donated(source.replace("params, state, loss =", "result ="), 0, 1) is None
        assert donated(source.replace("@jax.jit", "@partial(jax.jit, donate_argnums=0)"), 0, 1) is None


class TestReading:
    def read(self, source, line):
        return made(source, read_every_steps(line, Text(lines(source))))

    def test_is_put_below_a_condition_on_the_number_of_the_loop(self):
        source = """
            for step in range(100):
                params, loss = train_step(params)
                total += float(loss)  # the mean
                print(
                    loss,
                )
        """
        assert self.read(source, 3) == wanted(
            """
            for step in range(100):
                params, loss = train_step(params)
                if step % 10 == 0:
                    total += float(loss)  # the mean
                print(
                    loss,
                )
            """
        )
        assert self.read(source, 5).endswith("    if step % 10 == 0:\n        print(\n            loss,\n        )")

    def test_gives_a_loop_a_number_that_has_none(self):
        source = "for x, y in loader:\n    losses.append(float(step_on(x, y)))"
        assert self.read(source, 2) == (
            "for step, (x, y) in enumerate(loader):\n"
            "    if step % 10 == 0:\n        losses.append(float(step_on(x, y)))"
        )

    def test_takes_that_of_an_enumeration(self):
        source = "for number, batch in enumerate(loader):\n    loss = f(batch)\n    log(float(loss))"
        assert "    if number % 10 == 0:\n        log(float(loss))" in self.read(source, 3)

    def test_leaves_the_lines_of_a_string_as_they_are(self):
        source = 'for i in range(9):\n    print(f"""loss\n{float(loss)}""")'
        assert (
            self.read(source, 3) == 'for i in range(9):\n    if i % 10 == 0:\n        print(f"""loss\n{float(loss)}""")'
        )

    @pytest.mark.parametrize(
        "source",
        [
            "for i in range(9):\n    loss = float(f(i))\n    if loss < 1:\n        stop()",
            "for i in range(9):\n    if i:\n        print(float(loss))",
            "for i in range(9):\n    a(); print(float(loss))",
            "for i in range(9):\n    x, y = float(loss), 1",
            "step = 0\nfor x in loader:\n    print(float(loss))",
            "while True:\n    print(float(loss))",
            "for i in range(9):\n    print(x := float(loss))",
        ],
    )
    def test_is_not_offered_where_more_would_change(self, source):
        assert self.read(source, len(source.split("\n"))) is None
        assert self.read(source, 2) is None


class TestFlags:
    def removed(self, source, flag="jax_enable_x64"):
        return made(source, remove_flag(flag, Text(lines(source))))

    def test_are_left_out_with_their_line(self):
        source = 'import jax\njax.config.update("jax_enable_x64", True)  # for the sums\nx = 1'
        assert self.removed(source) == "import jax\nx = 1"
        assert self.removed('x = 1\nos.environ["JAX_ENABLE_X64"] = "1"') == "x = 1\n"
        assert (
            self.removed("from jax import config\nconfig.jax_enable_x64 = True\n\nf()")
            == "from jax import config\n\nf()"
        )

    def test_leave_something_in_a_block_of_their_own(self):
        source = 'if debug:\n    jax.config.update("jax_debug_nans", True)\nf()'
        assert self.removed(source, "jax_debug_nans") == "if debug:\n    pass\nf()"

    @pytest.mark.parametrize(
        "source",
        [
            'jax.config.update("jax_enable_x64", False)',
            'jax.config.update("jax_debug_nans", True)',
            'f(); jax.config.update("jax_enable_x64", True)',
            'settings.update("jax_enable_x64", True)',
        ],
    )
    def test_stay_where_they_are_off_or_something_else(self, source):
        assert self.removed(source) is None


class TestCompiling:
    def compiled(self, source, line=4):
        found = compile_function(line, Text(lines(source)))
        return None if found is None else (found[0], made(source, found[1]))

    UPDATE = """
        import jax
        def update(params, gradients):
            \"\"\"Descends.\"\"\"
            scaled = jax.tree.map(lambda g: 0.1 * g, gradients)
            return jax.tree.map(lambda p, g: p - g, params, scaled)
    """

    def test_is_a_decorator_on_what_only_computes(self):
        name, text = self.compiled(self.UPDATE)
        assert name == "update"
        assert text.startswith("import jax\n@jax.jit\ndef update(")

    def test_is_offered_on_the_line_that_calls_it(self):
        loop = "\n        for gradients in data:\n            params = update(params, gradients)"
        name, text = self.compiled(self.UPDATE + loop, line=8)
        assert name == "update"
        assert text.startswith("import jax\n@jax.jit\ndef update(")
        assert self.compiled(self.UPDATE + loop, line=7) is None
        assert self.compiled(self.UPDATE + loop.replace("update", "train.update"), line=8) is None

    def test_is_offered_where_a_loop_in_a_function_calls_it(self):
        main = "\n        def main(params, data):\n            for each in data:"
        name, _ = self.compiled(self.UPDATE + main + "\n                params = update(params, each)", line=9)
        assert name == "update"

    def test_is_not_offered_for_one_of_two_of_a_name(self):
        again = self.UPDATE.replace("import jax", "").rstrip()
        assert self.compiled(self.UPDATE + again + "\n        params = update(params, gradients)", line=12) is None

    def test_is_not_offered_where_a_line_calls_several(self):
        other = "\n        def sum_of(x):\n            return jax.tree.map(lambda a: a + 1, x)"
        call = "\n        params = update(params, sum_of(gradients))"
        assert self.compiled(self.UPDATE + other + call, line=9) is None

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("0.1 * g", "print(g)"),
            ("0.1 * g", "float(g)"),
            ("0.1 * g", "0.1 if g > 0 else g"),
            ("scaled = ", "self.scaled = "),
            ("jax.tree.map(lambda g", "jax.debug.print(lambda g"),
            ("gradients):", "gradients, rate=0.1):"),
            ("def update", "@jax.jit\n        def update"),
            ("import jax", "import numpy"),
        ],
    )
    def test_is_not_offered_where_more_may_happen(self, old, new):
        assert self.compiled(self.UPDATE.replace(old, new)) is None

    def test_is_not_offered_for_what_is_compiled_elsewhere(self):
        assert self.compiled(self.UPDATE + "\n        fast = jax.jit(update)\n") is None


def test_no_text_of_another_language_is_edited():
    text = Text(["def (:"])
    assert read_every_steps(1, text) is None
    assert remove_flag("jax_enable_x64", text) is None
    assert compile_function(1, text) is None
    assert donate("f", [0], PATH, {PATH: text}) is None
