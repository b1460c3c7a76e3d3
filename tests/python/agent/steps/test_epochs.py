"""In which epoch steps are, as the frames around them show; each loop is one that a script may have."""

import pytest

from scopelight_agent.shim.steps.epochs import Epochs

EPOCHS, BATCHES = 3, 4


class Loader:
    """Iterated anew for each epoch, as torch's are."""

    def __iter__(self):
        return iter(range(BATCHES))


def of_range(step):
    for _epoch in range(EPOCHS):
        for _batch in range(BATCHES):
            step()


def of_a_list(step):
    batches = ["same"] * BATCHES
    for _epoch in range(EPOCHS):
        for _batch in batches:
            step()


def of_a_loader(step):
    loader = Loader()
    for _epoch in range(EPOCHS):
        for _batch in loader:
            step()


def of_a_generator(step):
    for epoch in range(EPOCHS):
        for _batch in (epoch for _ in range(BATCHES)):
            step()


def of_zip_and_enumerate(step):
    for epoch in range(EPOCHS):
        for _i, (_x, _y) in enumerate(zip(range(BATCHES), "abcd", strict=True), start=epoch):
            step()


def of_a_function(step):
    def train(loader):
        for _batch in loader:
            step()

    for _epoch in range(EPOCHS):
        train(Loader())


def of_a_trainer(step):
    class Trainer:
        def fit(self):
            for self.epoch in range(EPOCHS):
                self.run()

        def run(self):
            for _number, batch in enumerate(Loader()):
                self.advance(batch)

        def advance(self, _batch):
            step()

    Trainer().fit()


def of_while(step):
    epoch = 0
    while epoch < EPOCHS:
        for _number, _batch in enumerate(Loader()):
            step()
        epoch += 1


@pytest.mark.parametrize(
    "loop",
    [
        of_range,
        of_a_list,
        of_a_loader,
        of_a_generator,
        of_zip_and_enumerate,
        of_a_function,
        of_a_trainer,
        of_while,
    ],
)
def test_another_pass_over_the_batches_is_another_epoch(loop):
    epochs, seen = Epochs(), []
    loop(lambda: seen.append(epochs.step(len(seen))))
    assert seen == [epoch for epoch in range(EPOCHS) for _ in range(BATCHES)]


def test_a_loop_without_another_around_it_is_one_epoch():
    epochs, seen = Epochs(), []
    for _batch in iter([1, 5, 3, 3]):
        seen.append(epochs.step(len(seen)))
    assert seen == [0, 0, 0, 0]


def test_the_next_step_begins_an_epoch_where_those_before_had_as_many():
    epochs, seen = Epochs(), []

    def step():
        epochs.step(len(seen))
        seen.append(epochs.of_next_step())

    of_range(step)
    # The first epoch does not tell how long it is.
    assert seen == [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3]


def test_marks_go_before_what_loops_show():
    epochs, seen = Epochs(), []
    for number in range(6):
        if number % 3 == 0:
            epochs.mark(None)
        for _again in range(1):
            seen.append(epochs.step(number))
    assert seen == [0, 0, 0, 1, 1, 1]
    epochs.mark(9)
    assert epochs.step(6) == 9


def test_nothing_of_the_script_is_kept_alive():
    class Batch:
        alive = 0

        def __init__(self):
            Batch.alive += 1

        def __del__(self):
            Batch.alive -= 1

    epochs, most = Epochs(), []

    def train():
        number = 0
        for _epoch in [0, 1]:
            for batch in (Batch() for _ in range(5)):
                epochs.step(number)
                number += 1
                most.append(Batch.alive)
                del batch

    train()
    assert Batch.alive == 0
    assert max(most) == 1
