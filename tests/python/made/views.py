"""Views of ops of a profile that a test made, asked for as the table of views asks for them."""

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
