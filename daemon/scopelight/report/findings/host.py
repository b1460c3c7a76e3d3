"""Words: what is to be known of a script's input, and of the threads of its host."""

from collections.abc import Callable, Mapping
from typing import Any

from scopelight.report.findings.words import Words, as_said
from scopelight.report.language import template, text

_SAMPLED = template(
    "Lines are estimated from samples: Python tells of each line from 3.12 on, unless other tools hold the ids of"
    " sys.monitoring."
)
_WITH_LINES = template("Capture with Scopelight, and without --no-host: it records where the script's threads stand.")


def _bound(values: Mapping[str, Any]) -> str:
    said = text(
        "Devices wait for input for {share} of the steps: {waiting} of {step} per step.",
        share=as_said("input_ratio", values["input_ratio"]),
        waiting=as_said("per_step_ps", values["per_step_ps"]),
        step=as_said("step_ps", values["step_ps"]),
    )
    return with_place(said, values)


def with_place(said: str, values: Mapping[str, Any]) -> str:
    """What is said, and the line that most of it is at, where that is known."""
    file = values["file"]
    if not file:
        return said
    where = text("Most of it at {file}:{line}.", file=as_said("file", file), line=values["line"])
    return f"{said} {where}"


def _transfers(values: Mapping[str, Any]) -> str:
    said = text(
        "Devices wait for transfers for {share} of the steps: {waiting} per step.",
        share=as_said("transfer_ratio", values["transfer_ratio"]),
        waiting=as_said("per_step_ps", values["per_step_ps"]),
    )
    return with_place(said, values)


def _slow(said: str) -> Callable[[Mapping[str, Any]], str]:
    """What devices wait for although the queue is not empty, with its line where that is known."""

    def worded(values: Mapping[str, Any]) -> str:
        sentence = text(
            said,
            held=as_said("held", values["held"]),
            gets=as_said("gets", values["gets"]),
            waiting=as_said("per_step_ps", values["per_step_ps"]),
        )
        return with_place(sentence, values)

    return worded


def _grain(values: Mapping[str, Any]) -> str:
    threads, busy = values["threads"], values["busy_ratio"]
    if threads is None:
        return text("{name} takes most of the time of grain's threads.", name=as_said("name", values["name"]))
    if busy is None:
        return text(
            "{name} takes most of the time of grain's {threads} threads.",
            name=as_said("name", values["name"]),
            threads=threads,
        )
    return text(
        "{name} keeps grain's {threads} threads busy for {busy} of the time.",
        name=as_said("name", values["name"]),
        threads=threads,
        busy=as_said("busy_ratio", busy),
    )


def _tasks_wait(values: Mapping[str, Any]) -> str:
    tasks, name = values["tasks"], as_said("name", values["name"])
    if tasks is None:
        return text("The queue of tasks that the steps take from, {name}, is not filled in time.", name=name)
    if tasks == 1:
        return text(
            "One task, {name}, fills the queue that the steps take from, and mostly waits for what it awaits.",
            name=name,
        )
    return text(
        "{number} tasks, {name}, fill the queue that the steps take from, and mostly wait for what they await.",
        number=tasks,
        name=name,
    )


def _tasks_pool(values: Mapping[str, Any]) -> str:
    name, pool, busy = (as_said(each, values[each]) for each in ("name", "pool", "busy_ratio"))
    if values["busy_ratio"] is None:
        return text("{name} awaits what {pool} makes.", name=name, pool=pool)
    return text(
        "{name} awaits what {pool} makes, whose workers have something to do for {busy} of the time.",
        name=name,
        pool=pool,
        busy=busy,
    )


def _fillers(values: Mapping[str, Any]) -> str:
    if not values["name"]:
        return text(
            "No thread was seen as it fills the queue that the steps take from: each does so rarely or quickly."
        )
    if values["number"] == 1:
        return text(
            "One thread, {name}, fills the queue that the steps take from.", name=as_said("name", values["name"])
        )
    return text(
        "{number} threads, {name}, fill the queue that the steps take from.",
        number=values["number"],
        name=as_said("name", values["name"]),
    )


WORDS = {
    "input-nothing-ran": Words(
        "Nothing ran on a device in this profile, so nothing waited for input.",
        "Capture a script while it trains.",
    ),
    "input-no-steps": Words(
        "The profile has no complete steps, so how much of them waits for input is not known.",
        "Capture more steps.",
    ),
    "input-host-not-traced": Words(
        "What the host did was not traced, so why devices were idle is not known.",
        "Capture again with the host's tracer on, as Scopelight does.",
    ),
    "input-steps-compile": Words(
        "{steps} of the {of} steps are left out of all means, for programs were compiled in them.",
        one="One of the {of} steps is left out of all means, for programs were compiled in it.",
        number="steps",
    ),
    "input-few-steps-wait": Words(
        "{steps} of the {of} steps have most of the waiting for input: these do not tell how often such steps come.",
        "Capture more steps.",
        one="One of the {of} steps has most of the waiting for input: this does not tell how often such a step comes.",
        number="steps",
    ),
    "input-all-compile": Words("Programs were compiled in every step: means are over steps that do so."),
    "input-lines-unknown": Words(
        "Where the script's threads stood was not recorded: only what the trace itself marks as input counts as input.",
        _WITH_LINES,
    ),
    "input-lines-sampled": Words(
        _SAMPLED,
    ),
    "input-tf-data-unseen": Words(
        "The script reads from tf.data, whose iterators record into a profiler of TensorFlow's own: their time and"
        " their queues are not in this trace, only how long the steps wait for them.",
        "See them in a profile that TensorFlow takes: tf.profiler.experimental.start(folder).",
    ),
    "input-workers-unseen": Words(
        "Time inside worker processes is known per process, by its use of a core, and not per line: they are not"
        " recorded. The lines of operations that run in them are where their functions are defined.",
        "To see their lines, let the script's own process do the work: num_workers=0 in torch, no mp_prefetch() and"
        " worker_count=0 in grain, threads in place of processes in a pool.",
    ),
    "input-grain-unseen": Words(
        "The operations of grain are known from the trace alone: how they read from each other was not seen, for the"
        " script had let go of its iterators, or its version of grain keeps them elsewhere.",
        "Capture while the script reads from them, as in more or longer epochs, with a newer grain.",
    ),
    "input-bound": Words(_bound),
    "input-keeps-up": Words("The input keeps up with the steps."),
    "input-queue-empty": Words(
        "The queue that the steps take from was empty at {empty} of {gets} gets: making the data is slow.",
        one="The queue that the steps take from was empty at the one get: making the data is slow.",
        number="gets",
    ),
    "input-queue-full": Words(
        "The queue that the steps take from was full at {full} of {gets} gets: the steps are the bound, not their"
        " input.",
        one="The queue that the steps take from was full at the one get: the steps are the bound, not their input.",
        number="gets",
    ),
    "input-transfer-slow": Words(
        "Data is ready, but {idle} of {launches} launches met an idle device while it was being moved there.",
        "Put the next batch on the device before the step that needs it: jax.device_put one step ahead, and in a"
        " smaller type where that will do.",
        one="Data is ready, but the one launch met an idle device while it was being moved there.",
        number="launches",
    ),
    "steps-wait-for-transfers": Words(
        _transfers,
        "Move less, in a smaller type where that will do; once, where it is the same in each step; else ahead of time"
        " on another thread, while the device works.",
    ),
    "input-of-other-classes": Words(
        "For {other_ratio} of the steps devices wait for transfers, launches and the like on the lines that make the"
        " data: they are among the waiting for input here, and have their own names in views of lines."
    ),
    "input-queue-often-empty": Words(
        "The queue that the steps take from was empty at {empty} of {gets} gets, but devices hardly wait for it: the"
        " input keeps up with nothing to spare.",
        one="The queue that the steps take from was empty at the one get, but devices hardly wait for it: the input"
        " keeps up with nothing to spare.",
        number="gets",
    ),
    "input-gets-slow": Words(
        _slow(
            template(
                "The queue that the steps take from held data at {held} of {gets} gets, but devices wait for {waiting}"
                " per step until it is taken."
            )
        ),
        "What is taken may be copied or unpickled there, or wait for its turn or for the interpreter: hand over less at"
        " a time, or shared memory, or use threads in place of processes.",
    ),
    "input-loop-works": Words(
        _slow(
            template(
                "The queue that the steps take from held data at {held} of {gets} gets: what devices wait for most is"
                " what the loop of the steps does with it, {waiting} per step."
            )
        ),
        "Do that where the data is made, before it is put into the queue.",
    ),
    "input-waits-elsewhere": Words(
        _slow(
            template(
                "The queue that the steps take from held data at {held} of {gets} gets: what devices wait for most is"
                " something else, {waiting} per step."
            )
        ),
        "Let what fills the queue wait for that as well.",
    ),
    "input-cores-taken": Words(
        "The script and its processes use {own_ratio} of the cores that they may use, so more workers would not make"
        " {name} faster.",
        "Do less work per example, do it once and keep the result, or use a machine with more cores.",
    ),
    "input-cores-others": Words(
        "All cores of the machine are {cores_ratio} used, {others_ratio} by other programs and {own_ratio} by the"
        " script and its processes: what more workers would do for {name} cannot be told.",
        "Profile on a machine that nothing else uses, or stop the other programs, before you change the workers.",
    ),
    "input-grain": Words(
        _grain,
        "Give grain more threads (ReadOptions(num_threads=...)); where the function is pure Python, use processes:"
        " mp_prefetch(). Do what is the same each epoch once, before training.",
    ),
    "input-grain-processes": Words(
        "The {workers} processes of grain do not keep up.",
        "Give it more (num_workers of mp_prefetch() or worker_count), or do less work per example.",
        one="The one process of grain does not keep up.",
        number="workers",
    ),
    "input-grain-processes-busy": Words(
        "The {workers} processes of grain are on a core for {core_ratio} of the time.",
        "Give it more (num_workers of mp_prefetch() or worker_count), as many as there are free cores, or do less work"
        " per example.",
        one="The one process of grain is on a core for {core_ratio} of the time.",
        number="workers",
    ),
    "input-grain-processes-waits": Words(
        "The {workers} processes of grain are on a core for {core_ratio} of the time only, and what they read ahead is"
        " used up: they wait for something else, such as a disk or a network.",
        "Read larger pieces, from a nearer place or in a faster format; more threads in each process"
        " (ReadOptions(num_threads=...)) help where waits can overlap.",
        one="The one process of grain is on a core for {core_ratio} of the time only, and what it reads ahead is used"
        " up: it waits for something else, such as a disk or a network.",
        number="workers",
    ),
    "input-torch-in-the-loop": Words(
        "The DataLoader has no workers: {name} makes the data in the loop of the steps itself, while devices wait.",
        "Give it workers, which make it ahead in processes of their own: num_workers=..., persistent_workers=True.",
    ),
    "input-torch": Words(
        "The {workers} workers of the DataLoader do not keep up.",
        "Give it more (num_workers), and a larger prefetch_factor.",
        one="The one worker of the DataLoader does not keep up.",
        number="workers",
    ),
    "input-torch-busy": Words(
        "The {workers} workers of the DataLoader are on a core for {core_ratio} of the time.",
        "Give it more workers (num_workers), as many as there are free cores, or do less work per example.",
        one="The one worker of the DataLoader is on a core for {core_ratio} of the time.",
        number="workers",
    ),
    "input-torch-waits": Words(
        "The {workers} workers of the DataLoader are on a core for {core_ratio} of the time only, and their queue is"
        " empty: they wait for something else, such as a disk or a network.",
        "Read larger pieces, from a nearer place or in a faster format; more workers help where waits can overlap.",
        one="The one worker of the DataLoader is on a core for {core_ratio} of the time only, and its queue is empty:"
        " it waits for something else, such as a disk or a network.",
        number="workers",
    ),
    "input-fillers": Words(
        _fillers,
        "Use more threads where they wait for files or release the interpreter, else processes; or a loader that does"
        " so: grain, or torch's DataLoader with workers.",
    ),
    "input-pool": Words(
        "The {workers} workers of {name} do not keep up.",
        "Submit work further ahead, so that each of them always has some, and give the pool more workers.",
        one="The one worker of {name} does not keep up.",
        number="workers",
    ),
    "input-pool-busy": Words(
        "The {workers} workers of {name} have something to do for {busy_ratio} of the time.",
        "Give the pool more of them (max_workers), as many as there are free cores, or do less work per example; where"
        " it is pure Python, use processes: ProcessPoolExecutor.",
        one="The one worker of {name} has something to do for {busy_ratio} of the time.",
        number="workers",
    ),
    "input-pool-idle": Words(
        "The {workers} workers of {name} have something to do for {busy_ratio} of the time only, while the steps wait"
        " for their results.",
        "Submit work further ahead: keep at least as many futures under way as there are workers, and wait for the"
        " oldest.",
        one="The one worker of {name} has something to do for {busy_ratio} of the time only, while the steps wait for"
        " its results.",
        number="workers",
    ),
    "input-pool-cores": Words(
        "The {workers} processes of {name} are on a core for {core_ratio} of the time.",
        "Give the pool more of them (max_workers), as many as there are free cores, or do less work per example.",
        one="The one process of {name} is on a core for {core_ratio} of the time.",
        number="workers",
    ),
    "input-pool-waits": Words(
        "The {workers} processes of {name} are on a core for {core_ratio} of the time only, while the steps wait for"
        " their results: they have nothing to do, or wait for something else, such as a disk.",
        "Submit work further ahead, so that each of them always has some; read larger pieces, or from a nearer place.",
        one="The one process of {name} is on a core for {core_ratio} of the time only, while the steps wait for its"
        " results: it has nothing to do, or waits for something else, such as a disk.",
        number="workers",
    ),
    "input-tasks-wait": Words(
        _tasks_wait,
        "Start more such tasks for the same queue, or fetch several items at once in one (asyncio.gather); a longer"
        " queue (maxsize) evens out waits that vary.",
    ),
    "input-tasks-busy": Words(
        "{name} works for {busy_ratio} of the time on the one thread that it shares with the loop of the steps, where"
        " only what is awaited goes on beside it: it does not run ahead of the steps, but holds them up.",
        "Have that work done elsewhere and await it: asyncio.to_thread() where it waits for files or releases the"
        " interpreter, as NumPy mostly does; else in processes, with loop.run_in_executor() and a ProcessPoolExecutor.",
    ),
    "input-tasks-pool": Words(
        _tasks_pool,
        "Let several items be under way: more such tasks, or several awaited at once (asyncio.gather). Where all"
        " workers have something to do, give the pool more (max_workers), or processes where it is pure Python.",
    ),
    "input-task-awaited": Words(
        "A task, {name}, is awaited in the loop of the steps, and is not done by then.",
        "Start it further ahead: keep several such tasks under way and await the oldest, or let some fill an"
        " asyncio.Queue. They go on only while the loop awaits something; work that is not awaited belongs on another"
        " thread or process (asyncio.to_thread, loop.run_in_executor).",
    ),
    "input-awaited": Words(
        "{name} is awaited in the loop of the steps itself, and begins only when the step before has been launched: it"
        " does not run ahead.",
        "Start it one step ahead and await it afterwards (asyncio.create_task), or let a task of its own fill an"
        " asyncio.Queue. Both go on only while the loop awaits something; work that is not awaited belongs on another"
        " thread or process (asyncio.to_thread, loop.run_in_executor).",
    ),
    "input-tasks-blocked": Words(
        "While the loop of the steps blocks for results, {per_step_ps} per step, mostly at {file}:{line}, no task of"
        " its event loop goes on: what they wait for may be there, but they see it only at the next await.",
        "Let it wait without blocking the event loop, as in await asyncio.to_thread(float, loss), or read results only"
        " now and then.",
    ),
    "input-in-the-loop": Words(
        "{name} makes the data in the loop of the steps itself, while devices wait.",
        "Make it on another thread, ahead of time: a thread with a queue.Queue, grain's to_iter_dataset(), or torch's"
        " DataLoader with workers.",
    ),
    "host-not-traced": Words(
        "The profile has nothing of the host's threads.", "Capture with Scopelight, which traces and records them."
    ),
    "host-recording-damaged": Words(
        "{file} is damaged: where the script's threads stood, and what was in its queues, is missing.",
        "Copy the whole run again, or capture again.",
    ),
    "host-lines-unknown": Words("On which lines the threads stood was not recorded.", _WITH_LINES),
    "host-lines-sampled": Words(_SAMPLED),
    "host-coroutines-unseen": Words(
        "{samples_ratio} of the samples found the thread that launches in an event loop that was in none of the"
        " script's coroutines: where those gave way is not seen there by samples.",
        "Capture with Python 3.12 or later, which tells of each line, or with asyncio's own event loop.",
    ),
    "host-overloaded": Words(
        "The machine had too few cores while it was recorded: samples are fewer than meant.",
        "Profile on a machine that nothing else uses.",
    ),
}
