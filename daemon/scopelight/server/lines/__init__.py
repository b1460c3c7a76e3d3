"""Lines in the editor: annotations, cards, lenses, diagnostics and quick fixes."""
