"""The ids that libstdc++ makes of threads."""

import ctypes
import ctypes.util
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.model.host.thread_ids import line_id_of


@pytest.fixture(scope="module")
def hash_of():
    """`std::hash` of a pointer-sized number, by libstdc++ itself; skips where that is not there."""
    try:
        library = ctypes.CDLL("libstdc++.so.6")
    except OSError:
        pytest.skip("libstdc++ is not there")
    function = library._ZSt11_Hash_bytesPKvmm
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t]
    function.restype = ctypes.c_size_t
    return lambda number: function(number.to_bytes(8, "little"), 8, 0xC70F6907)


@given(st.integers(0, 2**64 - 1))
def test_the_id_of_a_line_is_what_the_library_makes_of_a_thread(hash_of, ident):
    assert line_id_of(ident) % 2**64 == hash_of(ident)
    assert -(2**63) <= line_id_of(ident) < 2**63


def test_threads_of_this_process_have_ids_of_their_own(hash_of):
    ident = threading.get_ident()
    assert line_id_of(ident) % 2**64 == hash_of(ident) != hash_of(ident + 1)


@pytest.mark.parametrize("ident", [-1, 1 << 80])
def test_what_is_no_ident_has_an_id_too(ident):
    assert line_id_of(ident) == line_id_of(ident % 2**64)
