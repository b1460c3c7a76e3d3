"""The language of every text that a person reads: English as written here, or the client's bundle of translations."""

from collections.abc import Mapping

_bundle: dict[str, str] = {}


def speak(bundle: Mapping[str, str]) -> None:
    """Translate from now on by ``bundle``, from each English template to its translation; an empty one is English."""
    _bundle.clear()
    _bundle.update(bundle)


def text(template: str, **values: object) -> str:
    """``template`` in the client's language, with each ``{name}`` in it replaced by its value.

    Templates are constants where this is called: `extension/scripts/collect_texts.py` collects them for translators.
    """
    translated = _bundle.get(template, template)
    return translated.format_map(values) if values else translated
