"""Programs of processes of one job: the same one is built once, and two of one process are two."""

import pytest

from scopelight.formats.errors import FormatError
from scopelight.formats.hlo_text.reader import parse_hlo_text
from scopelight.program.shared import SharedPrograms
from scopelight.program.stored import StoredProgram

TEXT = """HloModule jit_step

ENTRY %main (x: f32[8]) -> f32[8] {
  %x = f32[8]{0} parameter(0)
  ROOT %tanh.1 = f32[8]{0} tanh(%x), metadata={op_name="jit(step)/tanh" source_file="/a/train.py" source_line=3}
}
"""


def stored(text=TEXT, program_id="7"):
    return StoredProgram("jit_step", program_id, "made", lambda: parse_hlo_text(text, where="made"))


def test_what_two_hosts_compiled_is_one_module_under_any_id():
    shared = SharedPrograms()
    first = shared.module(0, stored(program_id="7"))
    assert shared.module(1, stored(program_id="12")) is first
    assert shared.module(2, stored(program_id="7")) is first


def test_two_programs_of_one_host_are_two_however_alike():
    shared = SharedPrograms()
    first, other = shared.module(0, stored(program_id="7")), shared.module(0, stored(program_id="8"))
    assert first is not other
    assert (first.program_id, other.program_id) == ("7", "8")
    # Of another host's two each is one of them, in their order.
    assert shared.module(1, stored(program_id="3")) is first
    assert shared.module(1, stored(program_id="4")) is other


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("f32[8]", "f32[16]"),
        ("tanh(%x)", "sine(%x)"),
        ("jit_step", "jit_other"),
        ("tanh.1", "tanh.2"),
        ("source_line=3", "source_line=4"),
        ("/a/train.py", "/b/train.py"),
        ("jit(step)/tanh", "jit(step)/sinh"),
    ],
    ids=["shape", "opcode", "name", "instruction", "line", "file", "path"],
)
def test_a_program_that_differs_is_another(old, new):
    shared = SharedPrograms()
    assert old in TEXT
    assert shared.module(0, stored()) is not shared.module(1, stored(TEXT.replace(old, new)))


def test_what_cannot_be_read_raises_and_leaves_the_others():
    shared = SharedPrograms()
    first = shared.module(0, stored())
    with pytest.raises(FormatError):
        shared.module(1, stored("HloModule jit_step\n\nENTRY"))
    assert shared.module(1, stored()) is first
