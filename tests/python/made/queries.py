"""Queries as the tests ask them."""

from pathlib import Path

from scopelight.sql.limits import Limits
from scopelight.sql.query import ask
from scopelight.views.opening import open_subject


def subjects(*paths):
    return [open_subject(path, Path.cwd()) for path in paths]


def rows(runs, query, **options):
    """The rows of a query over runs that are open."""
    return list(ask(runs, query, Limits(rows=None, seconds=60), **options).rows)


def value(runs, query, **options):
    """The one value of a query."""
    ((found,),) = rows(runs, query, **options)
    return found
