"""Messages about tools of language models, which an editor offers from the daemon's list."""

import attrs


@attrs.frozen(slots=True)
class CallTool:
    """A tool is to be called: ``arguments`` is the JSON object that the model gave, as text.

    ``agreed``: the person was asked, and wants the script to run that the tool starts.
    """

    name: str
    arguments: str
    agreed: bool = False


@attrs.frozen(slots=True)
class ToolAnswer:
    """What the model reads: ``is_error`` where the tool could not answer.

    ``view`` is the view that has the same for people, ``file`` and ``line`` the place that it is about, ``run`` the
    run; None without.
    """

    text: str
    is_error: bool
    view: str | None
    file: str | None
    line: int | None
    run: str | None
