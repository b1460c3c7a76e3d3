"""Schema of ``sources/cells.json``: what was known of the cells of notebooks that the programs of a run come from."""

import attrs


@attrs.frozen(slots=True)
class RecordedCell:
    """A cell as it ran. ``notebook`` is the path of its notebook, where the kernel knew it; ``number`` its place among
    all cells of that, from 1, where the notebook was saved as it ran; ``execution_count`` is what stood beside it."""

    notebook: str | None = None
    number: int | None = None
    execution_count: int | None = None
