"""The view of the resources of a host."""

from scopelight.analysis.host.input.host_parts import host_parts
from scopelight.analysis.host.input.view import measured_input
from scopelight.analysis.host.resources.measured import resources_record
from scopelight.analysis.host.resources.records import ResourcesRecord
from scopelight.analysis.host.resources.working_for import with_operations
from scopelight.analysis.options import NoOptions
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of


def resources(subject: Subject, options: NoOptions) -> ResourcesRecord:  # noqa: ARG001 (every view has them)
    """What the machine, the script's processes and threads, and accelerators did; and for which operations of the input
    the threads worked, where that is known."""
    profile, line_options = subject.profile, subject.line_options
    if profile.resources() is None or not profile.host_records():
        return resources_record(profile, line_options)
    centre = centre_of(profile, line_options)
    parts = host_parts(profile, centre, {})
    nearest = parts.nearest
    empty_gets_ratio = nearest.empty_gets / nearest.gets if nearest is not None and nearest.gets else None
    record = resources_record(
        profile, line_options, empty_gets_ratio=empty_gets_ratio, input_ratio=measured_input(profile, centre)
    )
    return with_operations(record, parts.operations)
