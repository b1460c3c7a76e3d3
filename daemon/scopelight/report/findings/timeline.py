"""Words: what a timeline, a selection, a search or an export is without."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words, as_said
from scopelight.report.language import text


def _incomplete(values: Mapping[str, Any]) -> str:
    problem = as_said("problem", values["problem"])
    return text(
        "Steps, scopes, overlap and what needs them are missing, because not all of the profile can be read: {problem}."
        if values["offset"] is None
        else "Steps, scopes, overlap and what needs them are missing, because not all of the profile can be read: at"
        " byte {offset}, {problem}.",
        offset=values["offset"],
        problem=problem,
    )


WORDS = {
    "program-has-no-times": Words(
        "This file is a compiled program: it says what would run, not what ran and when.",
        "Run the program under the profiler and open that run.",
    ),
    "memory-alone-no-times": Words(
        "The profile holds what was in memory and no trace: nothing in it has a time.",
        "Look at the memory profile instead.",
    ),
    "no-event-with-time": Words(
        "The profile has no event with a time.",
        "Profile again, with a window in which the script computes: the profiler records only what happens while it"
        " runs.",
    ),
    "timeline-incomplete": Words(_incomplete),
    "timeline-fault": Words("Steps, scopes and colours are missing because of a fault in Scopelight: see the log."),
    "nothing-in-selection": Words(
        "Nothing happened on these tracks in this time.", "Select a longer time, or more tracks."
    ),
    "track-unreadable": Words("{track} cannot be read: {problem}"),
    "arguments-unreadable": Words("Arguments of {track} cannot be read: {problem}"),
    "arguments-not-all-searched": Words(
        "Arguments of {searched} of {events} events were searched: all of them take longer than {most_s}."
    ),
    "left-out-outside-the-time": Words(
        "{count} events outside the time", one="1 event outside the time", number="count"
    ),
    "left-out-on-other-tracks": Words("{count} events on other tracks", one="1 event on another track", number="count"),
    "left-out-of-derived-tracks": Words(
        "{count} events of tracks that are made from the recorded ones",
        one="1 event of a track that is made from the recorded ones",
        number="count",
    ),
    "left-out-without-time": Words("{count} events without a time", one="1 event without a time", number="count"),
    "left-out-long-arguments": Words(
        "{count} arguments with more than 1,000 characters (their beginnings are there)",
        one="1 argument with more than 1,000 characters (its beginning is there)",
        number="count",
    ),
    "left-out-binary-arguments": Words(
        "{count} arguments that are bytes", one="1 argument that is bytes", number="count"
    ),
    "left-out-flows": Words(
        "{count} flows between an event that is there and one that is not",
        one="1 flow between an event that is there and one that is not",
        number="count",
    ),
    "left-out-counter-values": Words(
        "{count} values of counters that are no number", one="1 value of a counter that is no number", number="count"
    ),
    "left-out-of-unreadable-track": Words(
        "{count} events of {track}, which cannot be read ({problem})",
        one="1 event of {track}, which cannot be read ({problem})",
        number="count",
    ),
    "left-out-of-unreadable-tracks": Words(
        "{count} events of other tracks that cannot be read",
        one="1 event of another track that cannot be read",
        number="count",
    ),
    "left-out-unreadable-arguments": Words(
        "{count} events' arguments that cannot be read (the events are there)",
        one="1 event's arguments that cannot be read (the event is there)",
        number="count",
    ),
}
