"""What all budgets come to together."""

from scopelight.analysis.budgets.records import BudgetsRecord, Verdict


def outcome(record: BudgetsRecord) -> Verdict:
    """Broken where one budget is; else not measured where nothing guards one, or it means nothing; else cannot tell
    where one cannot be told; else held.

    What is not measured has to be mended, and weighs more than what another run may tell.
    """
    verdicts = {row.verdict for row in record.rows}
    if "broken" in verdicts:
        return "broken"
    if "not-measured" in verdicts or record.problems or not record.rows:
        return "not-measured"
    return "cannot-tell" if "cannot-tell" in verdicts else "held"
