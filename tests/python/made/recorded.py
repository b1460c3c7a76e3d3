"""Where the recorded profiles are."""

from pathlib import Path

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
"""The folder of recorded profiles beside the checkout; may be absent."""
