"""On which lines a script prepares, or waits for, the data of its next step."""

import ast

import pytest

from made.host.idle import LIBRARY, Thread, at, frame, idle_profile, op, stands, user_frames
from scopelight.analysis.totals.waiting.data_flow import flow_into, is_printed, only_counts
from scopelight.analysis.totals.waiting.feeding import is_fetching, loop_of
from scopelight.analysis.totals.waiting.launching import launching_threads
from scopelight.model.host.states import HostState
from scopelight.program.hlo.frames import Frame

LOOPS = {
    "a loop over a loader": """
        for batch in loader:  # data
            params, loss = step(params, batch)  # step
            print(loss)
    """,
    "a loop that counts what it loads": """
        for number, (x, y) in enumerate(loader):  # data
            state = step(state, x, y)  # step
            if number % 10 == 0:
                print(state)
    """,
    "the next of an iterator": """
        while True:
            batch = next(batches)  # data
            params = step(params, batch)  # step
    """,
    "a batch by its number": """
        for i in range(100):  # data
            batch = load(i)  # data
            params = step(params, batch)  # step
    """,
    "transforms one after the other": """
        for i in range(100):
            raw = next(reader)  # data
            image = decode(raw)  # data
            image = augment(  # data
                image,  # data
                size=32,  # data
            )  # data
            unrelated = log(i)
            state = step(state, device_put(image))  # step
    """,
    "names that are taken apart": """
        while running:
            x, y = next(batches)  # data
            batch = {"x": x, "y": y}  # data
            loss, state = step(state, batch)  # step
            history.append(loss)
    """,
    "micro-batches, whose loop launches": """
        for batch in loader:  # data
            for part in split(batch):  # data
                grads = add(grads, part)  # step
            params = apply(params, grads)
    """,
    "a wait for what was put": """
        for i in range(100):  # data
            x, y = device_put(load(i))  # data
            x.block_until_ready()  # data
            jax.block_until_ready((x, y))  # data
            jax.block_until_ready((x, params))
            other.block_until_ready()
            params, loss = step(params, x, y)  # step
            loss.block_until_ready()
            params["w"].block_until_ready()
    """,
    "two statements on a line": """
        for i in range(9):
            batch = load()  # data
            began = clock(); params = step(params, batch)  # step
    """,
    "items and attributes": """
        while running:
            self.batch = next(batches)  # data
            room["x"] = decode(self.batch)  # data
            self.seen = 3
            self.params = step(self.params, room["x"])  # step
    """,
    "what is filled": """
        for i in range(9):
            x = np.empty(8)  # data
            x[:] = load()  # data
            both = []  # data
            both.append(x)  # data
            log.write(x)
            params = step(params, both)  # step
    """,
    "made before an inner loop": """
        for epoch in range(9):
            parts = [load() for _ in range(2)]  # data
            for part in parts:  # data
                params = step(params, part)  # step
            save(params)
    """,
    "a function without a loop": """
        def train_step(self, batch):
            batch = cast(batch)  # data
            self.params = step(self.params, batch)  # step
            return self.params
    """,
    "epochs around it": """
        for epoch in range(3):
            seen = epoch
            for batch in loader:  # data
                state = step(state, batch)  # step
    """,
    "a queue that another thread fills": """
        while True:
            batch = queue.get()  # data
            if batch is None:
                break
            state = step(state, batch)  # step
    """,
    "the batch after the next, while the step runs": """
        ahead = next(batches)
        while ahead is not None:
            state = step(state, ahead)  # step
            ahead = next(batches)  # data
    """,
    "a walrus in the loop's head": """
        while (batch := next(batches, None)) is not None:  # data
            state = step(state, batch)  # step
    """,
    "a walrus in a condition": """
        while True:
            if (batch := next(batches, None)) is None:  # data
                break
            state = step(state, batch)  # step
    """,
    "a batch that a block gives": """
        for name in names:  # data
            with opened(name) as file:  # data
                state = step(state, file)  # step
    """,
    "a batch that is made in one of two ways": """
        for i in range(100):
            if is_cached:
                batch = cached  # data
            else:
                batch = next(batches)  # data
            state = step(state, batch)  # step
    """,
    "a block that only traces": """
        for i in range(100):
            with annotation("train", step_num=i):
                batch = next(batches)  # data
                state = step(state, batch)  # step
                loss = state.loss
    """,
    "an annotated name, and one that grows": """
        for _ in range(100):
            batch: Batch = next(batches)  # data
            seed += 1  # data
            state = step(state, batch, seed)  # step
    """,
    "a step within an expression": """
        for batch in loader:  # data
            losses.append(float(step(  # step
                params, batch)[0]))
            total = sum(losses)
    """,
    "what it called before": """
        for batch in loader:  # data
            try:
                state = step(state, batch)  # step
            finally:
                done()
    """,
    "an asynchronous loop": """
        async def train():
            async for batch in loader:  # data
                state = step(state, batch)  # step
    """,
    "a loop with no data": """
        for i in range(100):
            state = step(state)  # step
            print(i, state)
    """,
    "results that are read": """
        for i in range(100):
            state, loss = step(state)  # step
            mean = 0.9 * mean + 0.1 * float(loss)
            print(mean)
    """,
    "names that a match gives": """
        while True:
            match next(batches):  # data
                case None:
                    break
                case (x, [y, *rest]):
                    params = step(params, x, y, rest)  # step
    """,
    "an iterator that ends": """
        while True:
            try:
                batch = next(batches)  # data
            except StopIteration:
                break
            params = step(params, batch)  # step
    """,
    "one of two loaders": """
        for i in range(100):  # data
            batch = load(i) if i % 2 else make(i)  # data
            params = step(params, batch)  # step
    """,
    "a comprehension that has a name for itself": """
        for batch in loader:  # data
            total = sum(len(each) for each in history)
            seen = [x for x in history if x]
            best = max(history, key=lambda batch: batch)
            x = [augment(each) for each in batch]  # data
            params = step(params, x)  # step
    """,
    "all of the loop on a line": """
        for i in range(9): x = load(i); params = step(params, x); print(params.mean())  # step
    """,
    "what is before and behind the loop": """
        batch = next(batches)
        for i in range(100):
            state = step(state, batch)  # step
        batch = next(batches)
    """,
}


def numbered(source):
    """Lines, and those that are marked as data and as the step."""
    lines = source.splitlines()
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    lines = [line[indent:] for line in lines]
    (step,) = (number for number, line in enumerate(lines, 1) if line.endswith("# step"))
    return lines, {number for number, line in enumerate(lines, 1) if line.endswith("# data")}, step


def read(lines):
    return lambda number: lines[number - 1] if number <= len(lines) else None


@pytest.mark.parametrize("kind", LOOPS)
def test_lines_whose_values_flow_into_the_step_are_data(kind):
    lines, data, step = numbered(LOOPS[kind])
    assert flow_into(read(lines), step).data_lines == data


@pytest.mark.parametrize(
    "source", ["for x in y:\n    step(x", "\x00", "(" * 3000, "for x in y:\n\tstep(x)\n        z", ""]
)
def test_what_is_no_python_has_no_data_lines(source):
    assert flow_into(read(source.split("\n")), 2) is None


def test_outside_of_functions_and_loops_nothing_flows():
    assert flow_into(read(["batch = load()", "step(batch)"]), 2) is None


def test_where_the_text_is_not_known_no_line_is_data():
    assert flow_into(lambda _: None, 3) is None


@pytest.mark.parametrize(
    ("path", "function"),
    [
        (LIBRARY, "Queue.get"),
        ("/usr/lib/python3.11/queue.py", "get"),
        ("C:\\Python312\\Lib\\queue.py", "Queue.get"),
        ("/usr/lib/python3.12/multiprocessing/queues.py", "Queue.get"),
        ("/v/site-packages/torch/utils/data/dataloader.py", "_BaseDataLoaderIter.__next__"),
        ("/v/site-packages/tensorflow/python/data/ops/iterator_ops.py", "OwnedIterator.__next__"),
        ("/v/site-packages/grain/_src/python/dataset/transformations/prefetch.py", "PrefetchDatasetIterator.__next__"),
    ],
)
def test_frames_of_libraries_in_which_a_thread_waits_for_data(path, function):
    assert is_fetching(Frame(path, 5, function))


@pytest.mark.parametrize(
    ("path", "function"),
    [
        (LIBRARY, "Queue.put"),
        ("/home/me/my_queue.py", "get"),
        ("/v/site-packages/grain/_src/python/options.py", "read"),
        ("/v/site-packages/numpy/core.py", "__next__"),
    ],
)
def test_frames_in_which_it_waits_for_something_else(path, function):
    assert not is_fetching(Frame(path, 5, function))


def loop(*threads, ops, launches):
    rows = [(each, 100 * row, 100 * row + 50) for row, each in enumerate(ops)]
    profile = idle_profile(rows, *threads, duration_ps=1000, launches=launches, runs=range(len(rows)))
    of_threads = launching_threads(profile).get(0, ())
    return loop_of(profile, of_threads, user_frames(), lambda _path, _line: None)


STEP = op("add", frame(3, "step"), frame(30))


def test_the_loop_is_where_the_busiest_program_is_launched_most_often():
    stood = stands((0, 0), (150, 1), stacks=(at(40, 41), at(30)))
    thread = Thread(states=((HostState.DISPATCH, 0, 1),), stood=stood)
    assert loop(thread, ops=[STEP] * 3, launches=[100, 200, 300]) == frame(30)
    assert loop(thread, ops=[STEP] * 3, launches=[100, 120, 300]) == frame(40)


def test_where_stands_are_an_estimate_and_no_text_is_known_the_program_says_where_it_is_called():
    stood = stands((0, 0), stacks=(at(40),), is_exact=False)
    thread = Thread(states=((HostState.DISPATCH, 0, 1),), stood=stood)
    assert loop(thread, ops=[STEP], launches=[100]) == frame(30)
    assert loop(thread, ops=[op("add", frame(3, "other"))], launches=[100]) is None


def test_what_is_of_no_program_has_no_loop():
    assert loop(ops=[op("copy", program=-1)], launches=[100]) is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('print("a", ", ".join(str(each) for each in found))', True),
        ('logging.info("%s", sum(each for each in found))', True),
        ("train(load(each) for each in found)", False),
        ("batches = (load(each) for each in found)", False),
        ("def run():\n    print(sum(each for each in found))", True),
        ("def run():\n    return sum(each for each in found)", False),
    ],
)
def test_what_is_printed_feeds_nothing(source, expected):
    assert is_printed(ast.parse(source), len(source.splitlines())) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("    for i in range(80):", True),
        ("for step in itertools.count():", True),
        ("for batch in loader:", False),
        ("for i, batch in enumerate(loader):", False),
        ("while True:", False),
        ("x = range(3)", False),
        ("for i in (", False),
    ],
)
def test_heads_of_loops_that_just_count(text, expected):
    assert only_counts(text) == expected
