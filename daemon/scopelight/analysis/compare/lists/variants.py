"""The programs that functions of one run were compiled to for other shapes, as rows that can be compared."""

from scopelight.analysis.compare.entries import Entry
from scopelight.analysis.compare.trees.side import TreeEntry
from scopelight.analysis.options import NoOptions
from scopelight.analysis.programs.records import ShapeFamily, ShapeVariant
from scopelight.analysis.programs.shapes import shapes
from scopelight.analysis.subject import Subject


def variant_entries(subject: Subject) -> list[TreeEntry]:
    """The mean of the runs of every variant, which says the name of its family as its function.

    Only one for the same shapes is the same.
    """
    return [
        TreeEntry(
            key=variant.key,
            parent=None,
            kind="variant",
            found_by=_found_by(family, variant),
            own=variant.mean_ps,
        )
        for family in shapes(subject, NoOptions()).families
        for variant in family.variants
    ]


def _found_by(family: ShapeFamily, variant: ShapeVariant) -> Entry:
    shapes_of = tuple((each.name, each.shape) for each in variant.shapes)
    return Entry(
        key=variant.key,
        kind="shape",
        label=", ".join(": ".join(each) for each in shapes_of),
        identities=((family.name, shapes_of),),
        function=family.name,
    )
