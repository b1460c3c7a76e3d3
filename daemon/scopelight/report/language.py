"""The language of the texts that a person reads: English, as written where they are worded."""


def text(template: str, **values: object) -> str:
    """``template`` with each ``{name}`` in it replaced by its value. Templates are constants where this is called."""
    return template.format_map(values) if values else template
