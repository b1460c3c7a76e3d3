"""The table of figures, each with the bar that it must meet."""

from rich.table import Table


class Bars:
    """The table, and which figures missed their bars."""

    def __init__(self) -> None:
        self.table = Table("figure", "Scopelight", "compared with", "ratio", "bar", "", title="make bench")
        self.missed: list[str] = []

    def add(self, figure: str, ours: str, theirs: str, ratio: float, *, least: float = 0, most: float = 0):
        """A figure whose ratio must be at least ``least`` or at most ``most``."""
        met = ratio >= least if least else ratio <= most
        bar = f"≥ {least:g}" if least else f"≤ {most:.3g}"
        self.table.add_row(figure, ours, theirs, f"{ratio:.3g}", bar, "met" if met else "MISSED")
        if not met:
            self.missed.append(figure)

    def add_milliseconds(self, figure: str, milliseconds: float, *, most: float) -> None:
        """A time in the editor that must be at most ``most``."""
        met = milliseconds <= most
        self.table.add_row(figure, f"{milliseconds:.1f} ms", "", "", f"≤ {most:g} ms", "met" if met else "MISSED")
        if not met:
            self.missed.append(figure)

    def report(self, figure: str, ours: str, theirs: str = "", ratio: float | None = None) -> None:
        """A figure without a bar."""
        shown = "" if ratio is None else f"{ratio:.3g}"
        self.table.add_row(figure, ours, theirs, shown, "", "reported")
