"""The language of the texts that a person reads: English, as they are written here, or that of the editor."""

from collections.abc import Mapping

from scopelight.phrase import Phrase

_bundle: dict[str, str] = {}
"""By English template the one to be used instead. One for the process: a server has one client, a terminal reads
English."""


def use_bundle(bundle: Mapping[str, str]) -> None:
    """Word texts from now on by ``bundle``, whose keys are templates in English; by themselves where it is empty."""
    _bundle.clear()
    _bundle.update(bundle)


def bundle() -> Mapping[str, str]:
    """By which texts are worded at present; empty where they are in English."""
    return _bundle


def template(english: str) -> str:
    """``english`` as it is: a template that is kept in a table, and worded by `text` where it is used."""
    return english


def text(english: str, /, **values: object) -> str:
    """The template ``english`` in the language of the person, with each ``{name}`` in it replaced by its value.

    Templates are constants, here or where `template` marks them, so that they can be collected for translators. A
    translation that asks for values which there are not counts as none.
    """
    translated = _bundle.get(english)
    if translated is not None:
        try:
            return translated.format_map(values)
        except (LookupError, ValueError, AttributeError, TypeError):
            pass
    return english.format_map(values) if values else english


def translated(said: str) -> str:
    """``said`` in the language of the person where it is a `Phrase`; any other text as it is."""
    if not isinstance(said, Phrase):
        return said
    return text(
        said.template,
        **{name: translated(each) if isinstance(each, str) else each for name, each in said.values.items()},
    )


def sentence_of(error: Exception) -> str:
    """What an error of ours, whose message is a `Phrase`, says in the language of the person; any other in its own."""
    message = error.args[0] if error.args else None
    return translated(message) if isinstance(message, str) else str(error)
