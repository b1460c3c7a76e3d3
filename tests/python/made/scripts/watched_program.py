"""A program of every kind of call, and what a debugger sees of it: texts for scripts that watch themselves."""

PROGRAM = """
import sys

def numbers(count):
    for each in range(count):
        yield each

def fails(why):
    raise ValueError(why)

def catches():
    try:
        fails("no reason")
    except ValueError:
        found = 1
    return found

def again(left):
    if left:
        again(left - 1)
    return left

def work():
    total = 0
    for each in numbers(3):
        total += each
    total += catches()
    again(2)
    closed = numbers(5)
    next(closed)
    closed.close()
    return sum(numbers(2)) + sum(x for x in [total])
"""

TRACED = """
seen = []

def trace(frame, event, argument):
    if frame.f_code.co_filename != sys.argv[0]:
        return None
    if event == "line":
        seen.append((frame.f_lineno, frame.f_code.co_name))
    return trace

def traced():
    seen.clear()
    sys.settrace(trace)
    work()
    sys.settrace(None)
    return list(seen)
"""
