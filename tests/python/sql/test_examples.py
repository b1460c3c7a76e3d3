"""The examples answer what they ask, of runs of every kind of device."""

import pytest

from made.predictions import SCAN
from made.queries import rows, subjects
from made.recorded import FILE_OF_BACKEND
from scopelight.sql.examples import query_examples

QUERIES = {each.question: each.query for each in query_examples()}


@pytest.fixture(scope="module", params=["predicted", *FILE_OF_BACKEND])
def run(request):
    if request.param == "predicted":
        return subjects(SCAN)[0]
    return subjects(request.getfixturevalue("shared_data") / FILE_OF_BACKEND[request.param])[0]


def test_what_could_be_better_is_advice_and_warnings_once_each(run):
    found = rows([run], QUERIES["What could be better"])
    assert {severity for severity, *_ in found} <= {"advice", "warning"}
    sentences = [sentence for _, sentence, *_ in found]
    assert len(sentences) == len(set(sentences))
    # Nothing of it is left out.
    every = rows([run], "select distinct sentence from findings where severity in ('advice', 'warning')")
    assert set(sentences) == {sentence for (sentence,) in every}


def test_memory_at_the_peak_begins_with_what_ran(run):
    query = QUERIES["Memory at the peak, by line"].removesuffix("limit 20")
    found = rows([run], query)
    ran = [run_count > 0 for *_, run_count in found]
    assert ran == sorted(ran, reverse=True)
    # Of what ran, and of what did not, the largest comes first, and they sum to what there is.
    for has_run in (True, False):
        sizes = [size for (_, _, size, *_), each in zip(found, ran, strict=True) if each == has_run]
        assert sizes == sorted(sizes, reverse=True)
    ((whole,),) = rows([run], "select coalesce(sum(bytes), 0) from buffers where memory_space = 0")
    assert sum(size for _, _, size, *_ in found) == whole
