"""Tables as text for a terminal, as Markdown and as HTML."""
