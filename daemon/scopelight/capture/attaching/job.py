"""A job of this machine that nobody prepared to be captured."""

import attrs


@attrs.frozen(slots=True)
class UnpreparedJob:
    """A process that has loaded jax: ``script`` relative to ``cwd``, or a module.

    ``refusal`` is a sentence that says why no agent can be put into it, and what to do; None where one can.
    """

    pid: int
    script: str
    arguments: tuple[str, ...]
    cwd: str | None
    jaxlib: str | None
    refusal: str | None
