"""Instructions have the lines that a person would say they are on."""

import dis

from scopelight_agent.shim.host.codes import line_at


def hot(values):
    total = 0
    for each in values:
        if each:
            total += each
    return total


def test_an_instruction_without_a_line_is_on_the_line_before_it():
    code = hot.__code__
    inside = range(code.co_firstlineno + 1, code.co_firstlineno + 6)
    jumps = [each.offset for each in dis.get_instructions(code) if "JUMP_BACKWARD" in each.opname]
    assert jumps and all(line_at(code, each) in inside for each in jumps)


def test_every_other_instruction_is_on_its_own_line():
    code = hot.__code__
    for begin, end, line in code.co_lines():
        if line:
            assert {line_at(code, offset) for offset in range(begin, end, 2)} == {line}


def test_a_function_that_has_not_begun_is_on_its_first_line():
    assert line_at(hot.__code__, -1) == hot.__code__.co_firstlineno
