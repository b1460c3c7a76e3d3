"""Marks of steps, epochs and data: what they annotate, and that what they wrap stays what it is."""

import queue
import threading

import pytest

from scopelight_agent.interface import Callback, data, epoch, step, steps


@pytest.fixture(autouse=True)
def first_step(annotations):
    """Each test counts from 0."""
    from scopelight_agent.interface import marks  # noqa: PLC0415

    marks._of_thread.step = None
    marks._of_thread.following = 0


def numbers(annotations):
    return [(what, stats["step_num"]) for what, _, stats in annotations.seen]


def test_a_block_is_a_step(annotations):
    with step() as first:
        pass
    with step(10) as second:
        pass
    with step() as third:
        pass
    assert (first, second, third) == (0, 10, 11)
    assert numbers(annotations) == [("begin", 0), ("end", 0), ("begin", 10), ("end", 10), ("begin", 11), ("end", 11)]


def test_a_plain_call_begins_a_step_and_ends_the_one_before(annotations):
    step()
    step()
    with step():
        annotations.seen.append(("work", "", {"step_num": -1}))
    assert numbers(annotations) == [
        ("begin", 0),
        ("end", 0),
        ("begin", 1),
        ("end", 1),
        ("begin", 2),
        ("work", -1),
        ("end", 2),
    ]


def test_a_step_ends_where_an_exception_leaves_it(annotations):
    with pytest.raises(ZeroDivisionError), step():
        1 / 0  # noqa: B018
    assert numbers(annotations) == [("begin", 0), ("end", 0)]


def test_threads_count_their_own_steps(annotations):
    with step(5):
        thread = threading.Thread(target=lambda: step().end())
        thread.start()
        thread.join()
    assert numbers(annotations) == [("begin", 5), ("begin", 0), ("end", 0), ("end", 5)]


def test_each_turn_of_a_loop_is_a_step_and_waits_for_data_are_between(annotations):
    def loader():
        for number in range(2):
            annotations.seen.append(("load", "", {"step_num": number}))
            yield number

    for batch in steps(loader()):
        annotations.seen.append(("train", "", {"step_num": batch}))
    assert numbers(annotations) == [
        *[("load", 0), ("begin", 0), ("train", 0), ("end", 0)],
        *[("load", 1), ("begin", 1), ("train", 1), ("end", 1)],
    ]


def test_an_epoch_is_told_to_the_agent(agent):
    epoch()
    epoch(7)
    assert agent.heard == [("epoch", None), ("epoch", 7)]


def test_each_wait_for_data_is_a_stage_of_input(annotations):
    loader = data([1, 2], name="images")
    assert list(loader) == [1, 2]
    assert list(loader) == [1, 2]
    begun = [stats for what, _, stats in annotations.seen if what == "begin"]
    # The last of each turn finds the end.
    assert len(begun) == 6
    assert {each["_ipl_stage_name"] for each in begun} == {"images"}
    assert {each["_ipl_stage_cat"] for each in begun} == {"preprocessing"}
    assert len({each["_ipl_stage_id"] for each in begun}) == 1


def test_data_is_not_annotated_while_nothing_is_traced(annotations):
    annotations.is_enabled = False
    assert list(data([1, 2])) == [1, 2]
    assert annotations.seen == []


def test_data_keeps_what_its_iterable_can_do():
    class Loader:
        batch_size = 3

        def __iter__(self):
            return iter((1, 2))

        def __len__(self):
            return 2

    wrapped = data(Loader())
    assert (len(wrapped), wrapped.batch_size, list(wrapped)) == (2, 3, [1, 2])
    assert not data([])
    with pytest.raises(TypeError):
        len(data({1}.union, queue=None))
    with pytest.raises(AttributeError):
        _ = wrapped.absent


def test_data_of_an_iterator_goes_on_where_it_stands():
    def generator():
        received = yield 1
        yield received

    iterator = data(generator())
    assert next(iterator) == 1
    assert iterator.send(5) == 5
    assert iter(iterator) is iterator
    with pytest.raises(StopIteration):
        next(iterator)


def test_the_queue_of_data_is_told_to_the_agent(agent, annotations):
    waiting = queue.Queue(4)
    waiting.put(1)
    waiting.put(None)
    assert list(data(iter(waiting.get, None), "batches", queue=waiting)) == [1]
    [(reference, name, thread)] = agent.named_queues
    assert (reference(), name, thread) == (waiting, "batches", threading.get_ident())
    assert {stats["_ipl_stage_cat"] for _, _, stats in annotations.seen} == {"prefetch"}


def test_an_iterator_that_is_a_queue_itself_needs_no_other(agent):
    class Prefetching:
        def __iter__(self):
            return self

        def __next__(self):
            raise StopIteration

        def qsize(self):
            return 2

    iterator = Prefetching()
    assert list(data(iterator, "ahead")) == []
    assert agent.named_queues[0][0]() is iterator


def test_a_callback_marks_steps_and_epochs_as_keras_tells_them(agent, annotations):
    callback = Callback(from_step=3, to_step=4)
    callback.set_params({})
    callback.set_model(None)
    callback.on_train_begin(logs=None)
    for number in range(2):
        callback.on_epoch_begin(number, logs={})
        for batch in range(3):
            callback.on_train_batch_begin(batch, logs={})
            callback.on_train_batch_end(batch, logs={})
        callback.on_test_begin()
        callback.on_epoch_end(number, logs={})
    callback.on_train_end()
    assert agent.heard == [("epoch", 0), ("epoch", 1), "open", "close"]
    # Counted over all epochs.
    assert [number for what, number in numbers(annotations) if what == "begin"] == [0, 1, 2, 3, 4, 5]


def test_a_callback_captures_an_epoch(agent):
    callback = Callback(epoch=1)
    for number in range(3):
        callback.on_epoch_begin(number)
        agent.heard.append(number)
        callback.on_epoch_end(number)
    assert agent.heard == [("epoch", 0), 0, ("epoch", 1), "open", 1, "close", ("epoch", 2), 2]


def test_training_that_ends_within_the_captured_steps_ends_the_capture(agent):
    callback = Callback(from_step=0, to_step=10)
    callback.on_step_begin()
    callback.on_step_end()
    callback.on_train_end()
    assert agent.heard == ["open", "close"]


def test_a_hook_that_is_called_after_each_step_counts_as_the_loop_does(agent, annotations):
    hook = Callback(from_step=2)
    for number in range(4):
        agent.heard.append(number)
        hook(number)
    assert agent.heard == [0, 1, "open", 2, "close", 3]


@pytest.mark.parametrize("wrong", [{"to_step": 3}, {"from_step": 3, "to_step": 2}, {"from_step": 3, "epoch": 1}])
def test_a_callback_says_which_options_exclude_each_other(wrong):
    with pytest.raises(ValueError, match="from_step"):
        Callback(**wrong)


def test_a_callback_has_no_other_attributes():
    with pytest.raises(AttributeError):
        _ = Callback().weights
