"""Costs of lines in a few words: rates, shares of the peak, and padding."""

from scopelight.analysis.lines.costs import LineCost, LineCosts, LinePadding
from scopelight.report.language import text
from scopelight.report.numbers import flop_rate, flops, level_bar, share, whole_share
from scopelight.report.padding_sentences import factor
from scopelight.report.prediction.marks import timed

LEAST_PADDING_RATIO = 0.05
"""Less waste than this would be written as 1.0 or 1.1 times the work: not worth a word after a line's time."""

LEAST_REACHED_RATIO = 0.005
"""No more than this would be written as at least less than one percent."""


def rate_text(cost: LineCost) -> str | None:
    """``412 GFLOP/s``: ``≈`` where FLOPs were divided among lines, ``≥`` where not all are known; None without any."""
    if not cost.flops_per_s:
        return None
    return _led(timed(flop_rate(cost.flops_per_s)), cost.is_estimated, cost.flops_are_least)


def per_step(amount: str) -> str:
    """``12.4 ms/step``."""
    return text("{amount}/step", amount=amount)


def peak_text(cost: LineCost) -> str | None:
    """``41 % of peak``; None where no peak is known."""
    reached = peak_ratio_text(cost)
    return None if reached is None else text("{share} of peak", share=reached)


def peak_ratio_text(cost: LineCost) -> str | None:
    """``41 %`` of the peak; None where no peak is known, or that it is at least next to nothing."""
    reached = cost.flop_utilisation_ratio
    if reached is None or (cost.utilisation_is_least and reached <= LEAST_REACHED_RATIO):
        return None
    return _led(timed(whole_share(reached)), cost.is_estimated, cost.utilisation_is_least)


def cost_facts(cost: LineCost) -> tuple[str, ...]:
    """``3.21 GFLOP/step``, ``412 GFLOP/s``, ``41 % of peak``, as far as they are known."""
    if not cost.flops:
        return ()
    work = per_step(flops(cost.flops_per_step)) if cost.flops_per_step else flops(cost.flops)
    return tuple(
        each
        for each in (_led(work, cost.is_estimated, cost.flops_are_least), rate_text(cost), peak_text(cost))
        if each is not None
    )


def flops_annotation(cost: LineCost, *, inclusive: bool = False) -> str | None:
    """``▰▰▰▱▱ 412 GFLOP/s  41 % of peak``; without a peak only the rate; None for a line that computes nothing."""
    rate = rate_text(cost)
    if rate is None:
        return text("FLOPs unknown") if cost.unknown_ps else None
    if cost.flop_utilisation_ratio is None:
        return rate
    of_peak = text("{share} of peak", share=timed(whole_share(cost.flop_utilisation_ratio)))
    return f"{level_bar(cost.flop_utilisation_ratio, inclusive=inclusive)} {rate}  {of_peak}"


def flops_level(cost: LineCost, figure_columns: int, *, inclusive: bool = False) -> str | None:
    """``▰▰▰▱▱    41 %``, the share of the peak alone, or the rate where no peak is known; None without either.

    Both end in one column, which a figure of ``figure_columns`` behind a bar reaches.
    """
    if not cost.flops_per_s:
        return None
    if cost.flop_utilisation_ratio is None:
        return f"{rate_text(cost):>{len(level_bar(0)) + 1 + figure_columns}}"
    reached = peak_ratio_text(cost) or ""
    return f"{level_bar(cost.flop_utilisation_ratio, inclusive=inclusive)} {reached:>{figure_columns}}"


def padding_annotation(padding: LinePadding, target: str | None) -> str:
    """``▰▰▱▱▱ 1.9× padded  54 % used``; the device that a prediction is for follows."""
    suffix = predicted_for(padding, target)
    if padding.used_ratio > 0.995:
        return f"{level_bar(0)} {text('fits')}{suffix}"
    facts = text("{factor} padded  {share} used", factor=factor(padding.used_ratio), share=_used(padding))
    return f"{level_bar(1 - padding.used_ratio)} {facts}{suffix}"


def unknown_padding(costs: LineCosts) -> str | None:
    """Why no line says anything of padding, and what to do; None where padding is known."""
    if costs.is_padding_known:
        return None
    if not costs.has_programs:
        return text("padding unknown: the profile does not hold the compiled programs")
    return text("padding unknown: choose a TPU in scopelight.target")


def padding_suffix(padding: LinePadding | None, target: str | None) -> str:
    """What follows a line's time: ``  pad 1.9×`` where padding wastes, else nothing."""
    padded = padding_factor(padding, target)
    return f"  {text('pad {factor}', factor=padded)}" if padded else ""


def padding_factor(padding: LinePadding | None, target: str | None) -> str | None:
    """``1.9×`` where padding wastes, else None."""
    if padding is None or 1 - padding.used_ratio < LEAST_PADDING_RATIO:
        return None
    return f"{factor(padding.used_ratio)}{predicted_for(padding, target)}"


def padding_fact(padding: LinePadding | None, target: str | None) -> tuple[str, ...]:
    """``1.9× padded, 54 % used`` where padding wastes."""
    if padding is None or 1 - padding.used_ratio < LEAST_PADDING_RATIO:
        return ()
    facts = text("{factor} padded, {share} used", factor=factor(padding.used_ratio), share=_used(padding))
    return (f"{facts}{predicted_for(padding, target)}",)


def predicted_for(padding: LinePadding, target: str | None) -> str:
    """``, predicted for TPU v5e`` behind a prediction."""
    return f", {prediction_for(target)}" if padding.predicted else ""


def prediction_for(target: str | None) -> str:
    """``predicted for TPU v5e``."""
    return text("predicted for {target}", target=target) if target else text("predicted")


def _used(padding: LinePadding) -> str:
    return share(padding.used_ratio) if padding.used_ratio < 0.1 else whole_share(padding.used_ratio)


def _led(figure: str, is_estimated: bool, is_least: bool) -> str:
    return f"≥{figure}" if is_least else timed(figure, is_estimated=is_estimated) if is_estimated else figure
