"""Numbers in sources: found only where they are provably the size of a dimension."""

import textwrap

import pytest

from made.recorded import DATA
from scopelight.analysis.padding.array_shapes import ArrayShapes
from scopelight.source.sizes.literals import SizeLiterals

AWKWARD = DATA / "tpu-v5e-awkward" / "awkward.py"
SHAPES = {(520, 64), (64, 520), (3, 64)}


def found(*texts, size=520, shapes=SHAPES, given=(), ambiguous=()):
    sources = {f"{number}.py": textwrap.dedent(text).split("\n") for number, text in enumerate(texts)}
    known = ArrayShapes(frozenset(shapes), frozenset(given), frozenset(ambiguous))
    literals = SizeLiterals(sources)
    literal = literals.of_dimension(size, known)
    if literal is None:
        return None
    assert literals.written_once(size, known) == literal
    assert sources[literal.file][literal.line - 1][literal.start : literal.end] == literal.text
    return literal.file, literal.line, literal.name


@pytest.mark.parametrize(
    "text",
    [
        "HIDDEN = 520\nw = ones((HIDDEN, 64))",
        "A, HIDDEN, B = 1, 520, 2\nw = ones([HIDDEN, 64])",
        "HIDDEN: int = 520\nw = ones((HIDDEN, 2 * 32))",
        "class Sizes:\n    hidden: int = 520\ndef make(sizes):\n    return (sizes.hidden, 64)",
        "def make(hidden=520):\n    return ones((hidden, 64))\nmake()",
        "def make(*, hidden):\n    return ones((hidden, 64))\nmake(hidden=520)",
        "class Net:\n    def __init__(self, hidden):\n        self.hidden = hidden\n    def make(self):\n"
        "        return (self.hidden, 64)\nNet(hidden=520)",
        "class Net:\n    def __init__(self, hidden):\n        self.w = (hidden, 64)\nNet(520)",
        "w = ones((520, 64))",
        "ä = 'ü'; HIDDEN = 5_20; w = ones((HIDDEN, 64))",
    ],
)
def test_a_size_that_is_written_once_and_makes_the_shape_of_an_array(text):
    assert found(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "HIDDEN = 520",
        "HIDDEN = 520\nw = ones((HIDDEN, 65))",
        "HIDDEN = 520\nw = ones((HIDDEN,))",
        "HIDDEN = 520\nw = ones((HIDDEN + 0, 64))",
        "HIDDEN = 520\nSEED = 520\nw = ones((HIDDEN, 64))",
        "HIDDEN = 520\nif wide:\n    HIDDEN = 640\nw = ones((HIDDEN, 64))",
        "HIDDEN = 520\nHIDDEN += pad\nw = ones((HIDDEN, 64))",
        "HIDDEN = 520 - 0\nw = ones((HIDDEN, 64))",
        "HIDDEN = 520\nfor HIDDEN in sizes:\n    w = ones((HIDDEN, 64))",
        "HIDDEN = 520\n[ones((HIDDEN, 64)) for HIDDEN in sizes]",
        "HIDDEN = 520\nimport sizes as HIDDEN\nw = ones((HIDDEN, 64))",
        "from sizes import *\nHIDDEN = 520\nw = ones((HIDDEN, 64))",
        "from sizes import WIDE as HIDDEN\nHIDDEN = 520\nw = ones((HIDDEN, 64))",
        "hidden = 520\nadd_argument('--hidden')\nw = ones((hidden, 64))",
        "hidden = 520\nsetattr(config, 'hidden', 3)\nw = ones((config.hidden, 64))",
        "def make(hidden=520):\n    return ones((hidden, 64))\nmake(size)",
        "def make(hidden=520):\n    return ones((hidden, 64))\nmake(*sizes)",
        "def make(hidden=520):\n    return ones((hidden, 64))\nmake(**sizes)",
        "def make(hidden=520):\n    return ones((hidden, 64))\nmap(make, sizes)",
        "def make(hidden):\n    return ones((hidden, 64))\nmake(hidden=520)\nmake(hidden=width)",
        "make = lambda hidden: ones((hidden, 64))\nmake(hidden=520)",
        "with open() as HIDDEN:\n    pass\nHIDDEN = 520\nw = ones((HIDDEN, 64))",
        "match x:\n    case [HIDDEN]:\n        pass\nHIDDEN = 520\nw = ones((HIDDEN, 64))",
        "HIDDEN = 520\ndel HIDDEN\nw = ones((HIDDEN, 64))",
        "HIDDEN = True\nw = ones((HIDDEN, 64))",
        "HIDDEN = 520\nw = ones((HIDDEN, 64)",
        "(" * 1000 + "520" + ")" * 1000,
        "\0HIDDEN = 520\nw = ones((HIDDEN, 64))",
    ],
)
def test_a_size_that_may_be_another_one(text):
    assert found(text) is None


@pytest.mark.parametrize(
    "use",
    [
        "x = y / HIDDEN**0.5 + z / jnp.sqrt(HIDDEN)",
        "print(HIDDEN, f'{HIDDEN} wide')",
        "WIDE = 4 * HIDDEN\nw2 = ones((WIDE, 64))",
        "tokens = randint(key, (2, 64), 0, maxval=HIDDEN)",
        "logits = x[..., :HIDDEN]",
        "assert x.shape == (2, HIDDEN)",
        "def layer(n):\n    return ones((n, 3))\nlayer(HIDDEN)",
        "def layer(n=HIDDEN, *, m=HIDDEN):\n    return ones((n, m))",
        "layer = nn.Dense(features=HIDDEN)",
        "rows, columns = HIDDEN, 3\nw2 = ones((rows, columns))",
        "class Net:\n    def __init__(self, n):\n        self.n = n\n        self.w = (self.n, 3)\nNet(n=HIDDEN)",
    ],
)
def test_a_size_may_be_used_in_all_ways_that_sizes_are(use):
    assert found(f"HIDDEN = 520\nw = ones((HIDDEN, 64))\n{use}") == ("0.py", 1, "HIDDEN")


@pytest.mark.parametrize(
    "use",
    [
        "for step in range(HIDDEN):\n    train()",
        "steps = HIDDEN\nfor step in range(steps):\n    train()",
        "steps = 2 * HIDDEN\nwhile step < steps:\n    train()",
        "steps, rate = HIDDEN, 0.1\nfor step in range(steps):\n    train()",
        "def train(steps):\n    for step in range(steps):\n        pass\ntrain(HIDDEN)",
        "def train(steps=HIDDEN):\n    for step in range(steps):\n        pass",
        "def train(*, steps):\n    for step in range(steps):\n        pass\ntrain(steps=HIDDEN)",
        "trainer.fit(epochs=HIDDEN)",
        "trainer.fit(HIDDEN)",
        "if step % HIDDEN == 0:\n    save()",
        "if HIDDEN > 256:\n    layers = 3",
        "rest = HIDDEN - 8",
        "heads = HIDDEN // 40",
        "last = table[HIDDEN]",
        "last = table[0, HIDDEN]",
        "options = {'hidden': HIDDEN}",
        "def width():\n    return HIDDEN",
        "for width in (64, HIDDEN):\n    train(width)",
        "table[HIDDEN] = 1",
        "f(*HIDDEN)",
        "x = HIDDEN if wide else 3",
    ],
)
def test_a_size_that_is_something_else_too_is_left_alone(use):
    assert found(f"HIDDEN = 520\nw = ones((HIDDEN, 64))\n{use}") is None


@pytest.mark.parametrize(
    "other",
    [
        "w2 = ones((3, 2 * 260))",
        "HALF = 260\nw2 = ones((3, 2 * HALF))",
        "n = len(words)\nw2 = ones((3, n))",
        "w2 = ones((3, int(5.2e2)))",
    ],
)
def test_a_dimension_of_the_same_size_from_elsewhere_makes_it_uncertain(other):
    text = "HIDDEN = 520\nw = ones((HIDDEN, 64))\nx = ones((y.shape[0], HIDDEN)).reshape((-1, HIDDEN))\n"
    shapes = {(520, 64), (3, 520), (520, 520)}
    assert found(text, shapes=shapes) is not None
    assert found(text + other, shapes=shapes) is None


@pytest.mark.parametrize(
    "divided",
    [
        "y.reshape(8, 65, -1)",
        "y.reshape((8, 65, 64))",
        "jnp.reshape(y, (-1, 8 * 65))",
        "jnp.reshape(y, shape=(8, -1))",
        "lax.reshape(y, [8, 65])",
        "jnp.reshape(y, sizes)",
        "y.reshape(len(devices), -1, 64)",
        "y.reshape(batch, -1, 64)",
        "y.reshape(*sizes, 64)",
        "PARTS = 8\ny.reshape(PARTS, -1)",
        "batch, width = y.shape\ny.reshape(batch, 8, width // 8)",
        "width = y.shape[1]\ny.reshape(width // 8, -1)",
        "y.reshape(y.shape[0] * 8, -1)",
        "y.reshape(*y.shape[:-1], 8, -1)",
        # All that it names is another dimension of the size.
        "(y @ w @ w.T).reshape(HIDDEN, 8, 65)",
        "jnp.split(y, 8)",
        "jnp.array_split(y, indices_or_sections=parts)",
        "jnp.tile(y, (8, 1))",
        "y.repeat(4, axis=0)",
        "from einops import rearrange\nrearrange(y, '(a b) c -> a b c', a=8)",
        # 520 and the 64 beside it were joined.
        "FLAT = 33280\nw2 = ones((FLAT, 10))\ny.reshape(3, -1) @ w2",
        "w2 = ones((33280, 10))\ny.ravel() @ w2",
    ],
)
def test_a_size_that_is_divided_or_joined_is_left_alone(divided):
    text = f"import jax.numpy as jnp\nfrom jax import lax\nHIDDEN = 520\nw = ones((HIDDEN, 64))\n{divided}"
    assert found(text, shapes=SHAPES | {(520, 520)}) is None


@pytest.mark.parametrize(
    "divided",
    [
        "y.reshape(HIDDEN, 8, 8)",
        "jnp.reshape(y, (3, HIDDEN, -1))",
        "y.reshape(-1, 2 * HIDDEN)",
        "y.reshape(y.shape[0], -1)",
        "y.reshape(*y.shape[:-1], 3, -1)",
        "batch, length = y.shape[:2]\ny.reshape(batch * length, 7)",
        "y.reshape(-1)",
        "y.reshape(3, 7, -1)",
        "jnp.split(y, 3)",
        "first, second = jax.random.split(key, 8)",
        "'a b'.split(' ')",
        "re.split(pattern, text)",
        "w2 = ones((3 * HIDDEN, 10))\ny.ravel() @ w2",
        # Nothing joins any dimension.
        "w2 = ones((33280, 10))",
    ],
)
def test_what_divides_other_dimensions_leaves_a_size_as_certain_as_it_is(divided):
    text = f"import jax, re\nimport jax.numpy as jnp\nHIDDEN = 520\nw = ones((HIDDEN, 64))\n{divided}"
    assert found(text) == ("0.py", 3, "HIDDEN")


def test_what_a_program_is_given_must_be_of_the_size_by_the_number():
    text = "FEATURES = 520\nw = ones((FEATURES, 64))"
    assert found(text, given={(520, 64), (64, 3)}) is not None
    # Layers are stacked.
    assert found(text, given={(12, 520, 64)}) is not None
    assert found(text, given={(520, 520, 64)}) is None
    # Data from a file has the size whatever the number says.
    assert found(text, given={(520, 64), (32, 520)}) is None
    assert found(text, ambiguous={520}) is None


def test_config_of_all_kinds_is_right_or_nothing():
    shape = "w = ones(({}, 64))"
    assert found("cfg = {'hidden': 520}\n" + shape.format("cfg['hidden']")) is None
    assert found("cfg = dict(hidden=520)\n" + shape.format("cfg['hidden']")) is None
    assert found("p.add_argument('--hidden', type=int, default=520)\n" + shape.format("p.parse_args().hidden")) is None
    assert found("HIDDEN = int(os.environ.get('HIDDEN', 520))\n" + shape.format("HIDDEN")) is None
    dataclass = "@dataclass\nclass Config:\n    hidden: int = 520\n"
    assert found(dataclass + "c = Config()\n" + shape.format("c.hidden")) == ("0.py", 3, "hidden")
    assert found(dataclass + "c = Config(hidden=width)\n" + shape.format("c.hidden")) is None
    assert found(dataclass + "c = Config(**loaded)\n" + shape.format("c.hidden")) is None
    assert found(dataclass + "c = Config(width)\n" + shape.format("c.hidden")) is None
    assert found("c = SimpleNamespace(hidden=520)\n" + shape.format("c.hidden")) == ("0.py", 1, "hidden")


def test_names_are_followed_through_the_files_that_use_them():
    sizes = "HIDDEN = 520\nOUT = 64"
    use = "from sizes import HIDDEN, OUT\nw = ones((HIDDEN, OUT))"
    assert found(use, sizes) == ("1.py", 1, "HIDDEN")
    assert found(use) is None
    assert found(use, sizes, "import sizes\nsizes.HIDDEN = 3") is None
    assert found(use, sizes, "limit = 520") is None


@pytest.mark.skipif(not AWKWARD.is_file(), reason="../shared/data is absent")
def test_the_sizes_of_a_real_model():
    text = AWKWARD.read_text()
    shapes = {(50257, 960), (960, 12, 80), (12, 80, 960), (960, 2500), (16, 200, 3), (16, 200)}
    names = {size: found(text, size=size, shapes=shapes) for size in (50257, 80, 2500, 3, 50304)}
    assert [name and name[2] for name in names.values()] == ["VOCAB", "HEAD", "HIDDEN", "FEATURES", None]
