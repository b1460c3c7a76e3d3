"""What ops are in jax: by their names only where all of a name are the same."""

from scopelight.analysis.timeline.records import OpInJax
from scopelight.analysis.timeline.tracks.in_jax import OpsInJax
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.executions import Op
from scopelight.program.hlo.frames import Frame


def op(name, primitive, line):
    return Op(name, "", -1, op_name=f"jit(f)/{primitive}", stack=(Frame("/w/net.py", line, "f"),))


def test_a_name_is_what_all_ops_of_it_are(profile_of):
    ops = [op("add.1", "add", 3), op("add.1", "add", 3), op("dot.2", "dot_general", 3), op("dot.2", "dot_general", 4)]
    profile = profile_of([(each, 10) for each in (*ops, Op("copy.3", "", -1))])
    in_jax = OpsInJax(centre_of(profile, LineOptions(roots=("/w",))))
    assert in_jax.called("add.1") == in_jax.of(0) == OpInJax("add", "net.py", 3, "other")
    assert (in_jax.called("dot.2"), in_jax.of(2).line, in_jax.of(3).line) == (None, 3, 4)
    assert in_jax.called("copy.3") == OpInJax("", None, None, "other")
    assert in_jax.called("no op") is None
