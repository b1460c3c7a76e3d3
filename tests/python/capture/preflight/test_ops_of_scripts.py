"""Every op of a script is told with its lines and scopes; jax's refusals need no compiler, and the first is not all."""

import json

import pytest


@pytest.fixture
def judged(preflight, bench):
    """``judged(text, ...)``: what `compatibility.json` says of a script, with names in place of positions."""

    def judge(text, **more):
        bench.write("train.py", text)
        predicted = preflight("train.py", **more)
        assert predicted.returncode == 0, predicted.stderr
        written = (predicted.out / "compatibility.json").read_text()
        assert "0x" not in written
        return Told(json.loads(written), predicted.prediction)

    return judge


class Told:
    def __init__(self, record, prediction):
        self.record = record
        names = {each["number"]: each["name"] for each in prediction["programs"]}
        self.rows = []
        """Program, primitive, verdict, who says so, lines and functions, path of names, count."""
        for program in record["programs"]:
            for op, stack, path, count in zip(
                *(program[each] for each in ("op", "stack", "path", "count")), strict=True
            ):
                said = record["ops"][op]
                frames = [record["frames"][each] for each in record["stacks"][stack]]
                self.rows.append(
                    {
                        **said,
                        "program": names[program["number"]],
                        "frames": [(each["line"], each["function"].rpartition(".")[2]) for each in frames],
                        "path": record["paths"][path],
                        "count": count,
                    }
                )

    def of(self, primitive):
        return [each for each in self.rows if each["primitive"] == primitive]

    def verdicts(self, program):
        return {each["primitive"]: each["verdict"] for each in self.rows if each["program"] == program}


def test_every_op_that_jax_refuses_is_found_and_none_that_it_does_not(judged):
    told = judged(
        """
        import jax, jax.numpy as jnp
        from jax import lax
        from jax.experimental import pallas as pl

        def double(x_ref, o_ref):
            o_ref[...] = x_ref[...] + x_ref[...]

        @jax.jit
        def step(x):
            kernel = pl.pallas_call(
                double,
                grid=(4,),
                in_specs=[pl.BlockSpec((3, 50), lambda i: (i, 0))],
                out_specs=pl.BlockSpec((3, 50), lambda i: (i, 0)),
                out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
            )
            y = kernel(lax.sin(x))
            return y, lax.linalg.eig(x), lax.linalg.schur(x)

        step(jnp.ones((128, 128)))
        """
    )
    found = told.verdicts("jit(step)")
    assert found == {"sin": "native", "pallas_call": "refused", "eig": "refused", "schur": "refused"}
    (kernel,) = told.of("pallas_call")
    assert "divisible by 8 and 128" in kernel["message"]
    assert kernel["judged_by"] == "alone"
    assert told.of("eig")[0]["kind"] == "NotImplementedError"


def test_what_the_compiler_refuses_alone_is_refused_and_what_a_program_that_compiles_has_is_not(judged):
    text = """
        import jax, jax.numpy as jnp
        from jax import lax

        @jax.jit
        def good(x):
            return lax.cos(x)

        @jax.jit
        def bad(x):
            return lax.sin(lax.cos(x)) + 1

        good(jnp.ones(8))
        bad(jnp.ones(8))
        """
    told = judged(text, orders={"bad": "refuse", "sin": "refuse", "cos": "refuse"})
    assert told.verdicts("jit(bad)") == {"cos": "native", "sin": "refused", "add": "native"}
    assert {each["judged_by"] for each in told.of("cos")} == {"program"}
    assert told.of("sin")[0]["message"] == "UNIMPLEMENTED: nothing of the kind"


def test_element_types_and_calls_of_python_need_no_compiler(judged):
    told = judged(
        """
        import jax, numpy as np
        from jax import lax
        jax.config.update("jax_enable_x64", True)

        @jax.jit
        def step(x):
            wide = lax.sin(lax.convert_element_type(x, np.float64))
            jax.debug.print("{}", x)
            called = jax.pure_callback(np.cos, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
            return wide, lax.complex(x, x), lax.neg(x), called

        step(np.ones(8, np.float32))
        """
    )
    found = told.verdicts("jit(step)")
    assert {found.pop("debug_print", None), found.pop("debug_callback", None)} == {None, "on-host"}
    assert found == {
        "convert_element_type": "emulated",
        "sin": "emulated",
        "complex": "emulated",
        "neg": "native",
        "pure_callback": "on-host",
    }


def test_a_function_that_is_called_at_two_lines_is_at_both(judged):
    """jax traces it once, with the frames of the first call."""
    told = judged(
        """
        import jax, jax.numpy as jnp
        from jax import lax

        @jax.jit
        def layer(x):
            return lax.sin(x)

        @jax.jit
        def step(x):
            with jax.named_scope("first"):
                x = layer(x)
            with jax.named_scope("second"):
                x = layer(x)
            return jnp.where(x > 0, x, 0)

        step(jnp.ones(8))
        """
    )
    sines = [each for each in told.of("sin") if each["program"] == "jit(step)"]
    assert [(each["frames"][:2], each["path"]) for each in sines] == [
        ([(7, "layer"), (12, "step")], "first/jit(layer)"),
        ([(7, "layer"), (14, "step")], "second/jit(layer)"),
    ]
    # What jax itself wraps into a function is on the line that called it.
    assert {each["frames"][0] for each in told.of("select_n")} == {(15, "step")}


def test_ops_within_loops_and_branches_count_once_where_they_stand(judged):
    told = judged(
        """
        import jax, jax.numpy as jnp
        from jax import lax

        @jax.jit
        def step(x):
            x, _ = lax.scan(lambda carry, _: (lax.sin(carry), None), x, None, length=12)
            return lax.cond(x.sum() > 0, lax.cos, lax.tan, x)

        step(jnp.ones(8))
        """
    )
    assert [each["count"] for each in told.of("sin")] == [1]
    assert {each["primitive"] for each in told.rows} >= {"sin", "cos", "tan"}
    assert not {"scan", "cond", "while", "jit", "pjit"} & {each["primitive"] for each in told.rows}


def test_calls_that_cannot_be_traced_are_told_also_where_the_script_goes_on(judged):
    told = judged(
        """
        import jax, jax.numpy as jnp

        @jax.jit
        def find(x):
            return jnp.nonzero(x)

        @jax.jit
        def choose(x):
            if x > 0:
                return x
            return -x

        for each, value in ((find, jnp.ones(8)), (choose, jnp.float32(1))):
            try:
                each(value)
            except Exception:
                pass
        """
    )
    untraced = told.record["untraced"]
    assert [(each["primitive"], each["kind"], each["stack"][0]["line"]) for each in untraced] == [
        ("nonzero", "ConcretizationTypeError", 6),
        ("bool", "TracerBoolConversionError", 10),
    ]


def test_what_tells_ops_apart_is_the_same_in_every_process(judged):
    text = """
        import functools, jax, jax.numpy as jnp

        @jax.custom_jvp
        def own(x):
            return jnp.sin(x)

        own.defjvp(lambda primals, tangents: (own(primals[0]), tangents[0]))

        @jax.jit
        def step(x, key):
            noise = jax.random.normal(key, x.shape)
            return jax.grad(lambda x: jnp.sum(jax.checkpoint(own)(x @ x)))(x + noise).sort(), jnp.cumsum(x)

        step(jnp.ones((8, 8)), jax.random.key(3))
        """
    first = judged(text)
    second = judged(text, out="again")
    assert [each["key"] for each in first.record["ops"]] == [each["key"] for each in second.record["ops"]]
    assert len({each["key"] for each in first.record["ops"]}) == len(first.record["ops"])
    assert first.record["is_whole"]
    assert first.record["lost"] == []


def test_every_op_is_compiled_alone_where_that_is_asked(judged):
    text = """
        import jax, jax.numpy as jnp
        jax.jit(lambda x: jnp.sin(x) * 2)(jnp.ones(8))
        """
    told = judged(text, options=("--judge-all",), orders={"sin": "refuse"})
    # A program that compiles has it.
    assert told.of("sin")[0]["verdict"] == "native"


def test_what_was_compiled_alone_is_not_asked_again(judged, tmp_path):
    """Also after an edit that moves it to another line."""
    text = """
        import jax, jax.numpy as jnp

        @jax.jit
        def bad(x):
            return jnp.sin(x)

        bad(jnp.ones(8))
        """
    first = judged(text, orders={"bad": "refuse", "sin": "refuse"})
    assert first.of("sin")[0]["verdict"] == "refused"
    # Now it would take it.
    (orders,) = (tmp_path / "cache").rglob("orders.json")
    orders.write_text(json.dumps({"bad": "refuse"}))
    again = judged(text.replace("import jax,", "import os\n        import jax,"), out="again")
    assert again.of("sin")[0]["verdict"] == "refused"
    assert again.of("sin")[0]["message"] == first.of("sin")[0]["message"]


def test_functions_that_go_by_another_name_and_objects_that_are_called_have_their_lines(judged):
    told = judged(
        """
        import functools, jax, jax.numpy as jnp
        from jax import lax

        def renamed(function):
            @functools.wraps(function)
            def wrapped(*arguments):
                return function(*arguments)
            wrapped.__name__ = "another"
            return wrapped

        @jax.jit
        @renamed
        def step(x):
            return lax.sin(x)

        class Model:
            def __call__(self, x):
                return lax.cos(x)

        def body(model, x):
            return jax.jit(model)(lax.tan(x))

        step(jnp.ones(8))
        jax.jit(functools.partial(body, Model()))(jnp.ones(8))
        """
    )
    where = {each["primitive"]: each["frames"] for each in told.rows if each["primitive"] in ("sin", "cos", "tan")}
    assert where["sin"][0] == (15, "step")
    assert where["sin"][-1] == (24, "<module>")
    assert where["cos"][:2] == [(19, "__call__"), (22, "body")]
    assert where["tan"][0] == (22, "body")
    assert all(len(set(frames)) == len(frames) for frames in where.values())


def test_a_script_that_looks_at_what_was_lowered_sees_it_as_jax_made_it(preflight, bench):
    bench.write(
        "train.py",
        """
        import jax, jax.numpy as jnp
        text = jax.jit(lambda x: jax.lax.top_k(jnp.sin(x), 2)).lower(jnp.ones(8)).as_text()
        print("stablehlo.sine" in text, "vhlo" in text.replace("stablehlo", ""))
        """,
    )
    predicted = preflight("train.py")
    assert "True False" in predicted.stderr
