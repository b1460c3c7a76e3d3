"""Views of a profile that a test made, asked for as the table of views asks for them."""

from scopelight.analysis.memory.options import ProgramMemoryOptions
from scopelight.analysis.memory.plan import views as memory_views
from scopelight.analysis.ops import views
from scopelight.analysis.ops.options import OpProfileOptions, OpsOptions, RooflineOptions
from scopelight.analysis.subject import Subject


def _asked(view, options_of):
    def ask(profile, line_options=None, own_peaks=None, target=None, **options):
        return view(Subject.of(profile, line_options, own_peaks=own_peaks, target=target), options_of(**options))

    return ask


op_statistics = _asked(views.ops, OpsOptions)
op_profile = _asked(views.op_profile, OpProfileOptions)
flops = _asked(views.flops, OpsOptions)
roofline = _asked(views.roofline, RooflineOptions)


def memory_viewer(profile, line_options=None, program=None, memory_space=None):
    return memory_views.memory_viewer(Subject.of(profile, line_options), ProgramMemoryOptions(program, memory_space))


def memory_lines(profile, line_options=None, program=None, memory_space=None):
    return memory_views.memory_lines(Subject.of(profile, line_options), ProgramMemoryOptions(program, memory_space))
