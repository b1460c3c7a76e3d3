"""Cells are found by the names that kernels give them: ipykernel is the judge of the hash."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ipykernel.compiler import get_file_name
from IPython.core.compilerop import code_name
from IPython.core.inputtransformer2 import TransformerManager

from scopelight.formats.notebook.cell_names import cell_hash, hash_in_name, hashes_of_cell


@given(st.text())
def test_the_hash_of_a_text_is_that_in_the_name_which_a_kernel_gives_it(text):
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    assert hash_in_name(get_file_name(text)) == cell_hash(text)


@pytest.mark.parametrize(
    ("path", "hashed"),
    [
        ("/tmp/ipykernel_12/345.py", 345),
        ("C:\\Temp\\ipykernel_12\\345.py", 345),
        ("/tmp/ipykernel_12/model.py", None),
        ("/tmp/ipykernel_12/12345678901.py", None),
        ("/home/me/345.py", None),
        ("<ipython-input-3-0123456789ab>", 0x0123456789AB),
        ("<ipython-input-3-0123456789>", None),
        ("<stdin>", None),
        ("", None),
    ],
)
def test_names_of_cells_are_told_from_other_paths(path, hashed):
    assert hash_in_name(path) == hashed


@pytest.mark.parametrize("text", ["x = 1", "x = 1\n", "# ä\ny = 2\n\nz = 3"])
def test_ipython_itself_names_cells_by_another_hash(text):
    transformed = TransformerManager().transform_cell(text)
    assert hash_in_name(code_name(transformed, 7)) in hashes_of_cell(text)


def test_below_a_magic_is_what_the_magic_runs():
    hashes = hashes_of_cell("%%scopelight --seconds 3\nx = 1")
    assert {cell_hash("%%scopelight --seconds 3\nx = 1"), cell_hash("x = 1")} <= set(hashes)
    assert cell_hash("x = 1") in hashes_of_cell("x = 1")


def test_a_text_that_nobody_typed_has_no_hash():
    assert hashes_of_cell("x" * (2 << 20)) == ()
