"""What is said to the left of `report`: English that knows what it was made of, so that `report` can translate it."""

from collections.abc import Mapping
from typing import Self


class Phrase(str):
    """A text in English, ``template`` with each ``{name}`` in it replaced by its value; values may be phrases.

    As a text it is read as it is, in the terminal, a log, or JSON: `report.language.translated` words it anew.
    Templates are constants where phrases are made, so that they can be collected for translators. One that stands in a
    table, without values, is given them by `filled`.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Fill ``template``."""
        phrase = super().__new__(cls, template.format_map(values) if values else template)
        phrase.template = template
        phrase.values = values
        return phrase

    def filled(self, **values: object) -> Self:
        """The template with these values."""
        return type(self)(self.template, **values)
