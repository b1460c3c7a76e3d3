"""HLO text: compiled programs as `compiled.as_text()` writes them."""
