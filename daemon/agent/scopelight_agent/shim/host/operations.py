"""Of what operations the script's input is made, as far as libraries keep them: grain's datasets, torch's loaders, and
pools of threads and of processes.

They are read from what the libraries hold: nothing is imported, called or kept for it, and what is not as expected is
left out.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from .given import LONGEST_NAME, function_of, number_of
from .grain_tree import add_grain
from .pools import pools
from .queues import Queues

MOST_OPERATIONS = 256
MOST_WORKERS = 1024
_TORCH = "torch.utils.data."


class Operations:
    """The operations of a recording as they are when it ends; of a kind that is gone by then, as they were last seen.

    A script that ends has let go of its iterators by then. They are read less and less often meanwhile.
    """

    def __init__(self, queues: Queues) -> None:
        self._queues = queues
        self._seen: dict[str, list[dict[str, Any]]] = {}
        """By kind those that were there when any was."""
        self._looks, self._next = 0, 1

    def look(self) -> None:
        """Read them, if it is time."""
        self._looks += 1
        if self._looks >= self._next:
            self._next = 2 * self._looks
            self._read()

    def described(self) -> list[dict[str, Any]]:
        """Those of the recording that ends; another one begins."""
        self._read()
        seen, self._seen = self._seen, {}
        self._looks, self._next = 0, 1
        return [each for of_kind in seen.values() for each in of_kind]

    def _read(self) -> None:
        found: dict[str, list[dict[str, Any]]] = {}
        for each in described(self._queues):
            found.setdefault(each["kind"], []).append(each)
        self._seen = {**self._seen, **found}


def described(queues: Queues) -> list[dict[str, Any]]:
    """Each operation that is there: its id, kind and class, ids of those that it reads from, what else is known."""
    found: dict[int, dict[str, Any]] = {}
    with suppress(Exception):
        add_grain(found, MOST_OPERATIONS)
    with suppress(Exception):
        for loader in queues.alive("torch"):
            _add_torch(loader, found)
    with suppress(Exception):
        for pool in pools():
            _add_pool(pool, found)
    return list(found.values())


def _add_torch(loader: Any, found: dict[int, dict[str, Any]]) -> None:  # noqa: ANN401 (objects of libraries)
    """A loader, the function that puts its examples together, and the dataset that both read from."""
    own = vars(loader)
    dataset, collate = own.get("_dataset"), function_of(own.get("_collate_fn"))
    workers = [number_of(getattr(each, "pid", None)) for each in list(own.get("_workers") or ())]
    made = [] if dataset is None else [id(dataset)]
    key = id(loader) + 1
    found[id(loader)] = {
        "id": id(loader),
        "kind": "torch",
        "class": type(loader).__name__,
        "inputs": [key] if collate else made,
        "processes": [each for each in workers if each is not None],
        "capacity": number_of((own.get("_prefetch_factor") or 0) * own["_num_workers"]),
    }
    if collate:
        # The function may be that of several loaders, and no object begins within another.
        found[key] = {"id": key, "kind": "torch", "class": collate["called"], "inputs": made, **collate}
    if dataset is not None:
        _add_dataset(dataset, found)


def _add_dataset(dataset: Any, found: dict[int, dict[str, Any]]) -> None:  # noqa: ANN401
    waiting = [dataset]
    while waiting and len(found) < MOST_OPERATIONS:
        each = waiting.pop()
        if id(each) in found:
            continue
        function = function_of(each)
        # Those of torch's own may choose from others, or join them.
        own = vars(each) if type(each).__module__.startswith(_TORCH) else {}
        inner = [own["dataset"]] if "dataset" in own else list(own.get("datasets") or ())
        found[id(each)] = {
            "id": id(each),
            "kind": "torch",
            "class": type(each).__name__,
            "inputs": [id(of) for of in inner],
            **function,
        }
        waiting += inner


def _add_pool(pool: dict[str, Any], found: dict[int, dict[str, Any]]) -> None:
    name = pool.get("name")
    made = {
        "id": pool["id"],
        "kind": pool["kind"],
        "class": pool["class"],
        "inputs": [],
        **function_of(pool.get("given")),
        "threads": number_of(pool["workers"]),
        "members": pool.get("members", [])[:MOST_WORKERS],
        "processes": pool.get("processes", [])[:MOST_WORKERS],
    }
    if isinstance(name, str) and not name.startswith(pool["class"]):
        made["called"] = name[:LONGEST_NAME]
    if len(found) < MOST_OPERATIONS:
        found[pool["id"]] = made
