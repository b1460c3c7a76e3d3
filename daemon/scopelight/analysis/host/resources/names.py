"""Threads by the names that Python has for them: before 3.14 the system calls them all after the interpreter."""

from collections import Counter

import attrs

from scopelight.model.host.resources import HostResources, HostThread
from scopelight.model.profile import Profile


def with_names_of_python(resources: HostResources, profile: Profile) -> HostResources:
    """The same with the names of threads that were recorded in the script's process, where nothing is known better.

    A number that the system gave to several threads names none of them; the main thread is called as the process is.
    """
    names = {
        thread.native_id: thread.name
        for record in profile.host_records().values()
        for thread in record.threads.values()
        if thread.native_id is not None and thread.name
    }
    if not names:
        return resources
    script = {each.id: each for each in resources.processes if each.parent is None}
    given = Counter((each.process, each.tid) for each in resources.threads)

    def named(thread: HostThread) -> HostThread:
        process = script.get(thread.process)
        is_known = process is not None and process.pid != thread.tid and process.name == thread.name
        if not is_known or given[thread.process, thread.tid] > 1 or thread.tid not in names:
            return thread
        return attrs.evolve(thread, name=names[thread.tid])

    return attrs.evolve(resources, threads=tuple(map(named, resources.threads)))
