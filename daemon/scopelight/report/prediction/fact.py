"""What a card says of the prediction that its figures are of: for which device, and what has no estimate."""

from scopelight.analysis.records import LinesRecord
from scopelight.report.cost_text import prediction_for
from scopelight.report.foreign_text import markdown_text
from scopelight.report.language import text
from scopelight.report.numbers import share


def prediction_fact(record: LinesRecord) -> str | None:
    """``*predicted for TPU v5e; ops without an estimate move 12.0 % of the bytes*``; None of what was measured."""
    if record.predicted_for is None:
        return None
    said = prediction_for(markdown_text(record.predicted_for))
    missing = next((each for each in record.findings if each.code == "prediction-without-estimate"), None)
    ratio = None if missing is None else missing.values["bytes_ratio"]
    if isinstance(ratio, float):
        said = text(
            "{predicted}; ops without an estimate move {ratio} of the bytes", predicted=said, ratio=share(ratio)
        )
    return f"*{said}*"
