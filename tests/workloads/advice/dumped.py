"""Writes every program to a folder, as was left on after debugging; repaired, it does not."""

import os
import tempfile

from stand_in import REPAIRED, Clock, start, step_on

if not REPAIRED:
    os.environ["XLA_FLAGS"] += f" --xla_dump_to={tempfile.mkdtemp()}"  # line: flag

import jax
