"""Programs that processes of one job compiled each for itself: built once, and one object for all of them."""

import attrs

from scopelight.formats.hlo import hlo_pb2
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.fingerprint import names_digest, program_fingerprint
from scopelight.program.hlo.nouns import HloModule
from scopelight.program.stored import StoredProgram

_Identity = tuple[int, bytes, int]


@attrs.define(eq=False, repr=False)
class SharedPrograms:
    """The modules of all hosts. Two programs of one host are two, be they ever so alike."""

    _modules: dict[_Identity, HloModule] = attrs.field(factory=dict)
    _seen: dict[tuple[int, int, bytes], int] = attrs.field(factory=dict)

    def module(self, host: int, stored: StoredProgram) -> HloModule:
        """The module of a program of a host: another host's, if that compiled the same.

        Raises ``FormatError`` where it cannot be read.
        """
        proto = stored.parse()
        fingerprint, digest = _identity(proto)
        number = self._seen.get((host, fingerprint, digest), 0)
        self._seen[host, fingerprint, digest] = number + 1
        key = (fingerprint, digest, number)
        if key not in self._modules:
            self._modules[key] = build_module(proto, stored.program_id, stored.where)
        return self._modules[key]


def _identity(proto: hlo_pb2.HloProto) -> tuple[int, bytes]:
    return program_fingerprint(proto.hlo_module), names_digest(proto)
