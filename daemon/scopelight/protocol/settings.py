"""What a client may set: when it starts the daemon, and later."""

from collections.abc import Mapping
from typing import Literal

import attrs

from scopelight.analysis.options import Scope

AnnotationMode = Literal["time", "phases", "flops", "padding", "memory", "change"]
"""What an annotation says: the time per step, the phases that it was spent in, the rate of FLOPs, the padding, what the
line keeps in memory at the peak, or how much it changed since the run that is compared."""


@attrs.frozen(slots=True)
class Settings:
    """Section ``scopelight`` of the client's settings, as far as the daemon uses it.

    Sent as ``initializationOptions.settings`` and with ``workspace/didChangeConfiguration``. A line is annotated
    when its share is at least ``threshold_ratio``, or it is one of the ``most_lines`` hottest of its file with a
    share that does not round to nothing; a call site when its inclusive share reaches ``inclusive_ratio``.

    ``target`` is the device that padding is predicted for where the one that ran has no tiles (``TPU v5e``). Padding
    is a diagnostic where it wastes at least ``padding_waste_ratio`` of ops of a line that together have at least
    ``padding_share_ratio`` of the op time. ``advice``: what else would make the run faster is a diagnostic on its line,
    and with ``budgets`` so is a budget of the project that the run breaks.
    ``peak_flops_per_s`` (by element type) and ``peak_bytes_per_s`` are the
    user's own peaks of the device. ``source_folders``: recorded folder to where it is on
    this machine. ``scope`` is what of the run is looked at everywhere. What means nothing (a peak of
    0, an element type or a target that does not exist) is left out with a sentence.
    """

    annotations: bool = True
    mode: AnnotationMode = "time"
    scope: Scope = "steps"
    threshold_ratio: float = 0.01
    most_lines: int = 20
    inclusive_ratio: float = 0.1
    target: str | None = None
    padding_waste_ratio: float = 0.1
    padding_share_ratio: float = 0.01
    advice: bool = True
    budgets: bool = True
    peak_flops_per_s: Mapping[str, float] | None = None
    peak_bytes_per_s: float | None = None
    code_lenses: bool = False
    inlay_hints: bool = True
    source_folders: Mapping[str, str] | None = None


@attrs.frozen(slots=True)
class InitializationOptions:
    """What a client may say when it starts the daemon; a client that says nothing gets the defaults.

    ``protocol_version`` None is a client that uses the Language Server Protocol alone. ``annotations`` says that
    it shows ``scopelight/annotations`` itself, so inlay hints stay away; ``command_links`` that hover cards may
    hold links to the commands of the extension. ``texts`` are the translations of the daemon's texts, by the templates
    in English; none for English.
    """

    protocol_version: int | None = None
    annotations: bool = False
    command_links: bool = False
    settings: Settings = attrs.Factory(Settings)
    texts: Mapping[str, str] = attrs.field(factory=dict)
