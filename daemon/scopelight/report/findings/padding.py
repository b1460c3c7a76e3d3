"""Words: why nothing is padded, and what is left out of the products."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words
from scopelight.report.language import template, text
from scopelight.report.numbers import count, share

_REASONS = {
    "custom-calls-unknown": template(
        "{ops} not checked for the matrix unit: what their custom calls compute is not known."
    ),
    "groups-unknown": template(
        "{ops} not checked for the matrix unit: the program does not say how much each group of a ragged dot contracts."
    ),
    "dimensions-unknown": template(
        "{ops} not checked for the matrix unit: their dimensions do not tell how they enter it."
    ),
}


def _ops(values: Mapping[str, Any]) -> str:
    named = text("1 op" if values["ops"] == 1 else "{ops} ops", ops=count(values["ops"]))
    if values["share_ratio"] is None:
        return named
    return text("{ops} with {ratio} of the op time", ops=named, ratio=share(values["share_ratio"]))


def _left_out(values: Mapping[str, Any]) -> str:
    return text(_REASONS[values["reason"]], ops=_ops(values))


def _one_block(values: Mapping[str, Any]) -> str:
    return text(
        "{ops} may have more padding than is listed: the rows of a ragged dot are counted as one block, while each"
        " group is padded by itself.",
        ops=_ops(values),
    )


def _fits(values: Mapping[str, Any]) -> str:
    tiles = text("the tiles of {target}", target=values["target"]) if values["target"] else text("its tiles")
    return text(
        "Every array and every product that is left of the file fits {tiles}, but it was cut off: what was in the rest"
        " is not known."
        if values["cut_off"]
        else "Every array and every product fits {tiles}.",
        tiles=tiles,
    )


def _without_tiles(values: Mapping[str, Any]) -> str:
    return text(
        "The program ran on a {kinds}, where arrays are not padded to tiles."
        if values["kinds"]
        else "The program was not compiled for a TPU, where arrays are padded to tiles.",
        kinds=text(" and ").join(values["kinds"]),
    )


WORDS = {
    "everything-fits": Words(_fits),
    "target-without-tiles": Words(
        "{target} lays arrays in memory as they are: nothing is padded.",
        "Choose a TPU as the target, such as TPU v5e (the setting scopelight.target).",
    ),
    "device-without-tiles": Words(
        _without_tiles, "Choose the TPU to predict padding for (the setting scopelight.target)."
    ),
    "padding-without-programs": Words(
        "The profile does not hold the compiled programs that ran.",
        "Capture again with Scopelight, which keeps the compiled programs in the profile.",
    ),
    "padding-cut": Words("The first {listed} of {rows} padded arrays and products are listed."),
    "products-left-out": Words(_left_out),
    "rows-as-one-block": Words(_one_block),
}
