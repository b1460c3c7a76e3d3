"""One stretch of machine code out of an object file: what refers to other parts of it is filled in.

The format is ELF for x86-64 (System V ABI, AMD64 supplement, "Relocation"): only references relative to their own place
are taken, so the stretch can lie anywhere in memory.
"""

import struct
from typing import Final, NamedTuple

_SECTION: Final = struct.Struct("<IIQQQQIIQQ")
_SYMBOL: Final = struct.Struct("<IBBHQQ")
_RELOCATION: Final = struct.Struct("<QQq")
_PROGBITS, _SYMTAB, _RELA = 1, 2, 4
_ALLOCATED, _WRITABLE = 2, 1
_PC32, _PLT32 = 2, 4
_UNDEFINED = 0
_UNWINDING: Final = ".eh_frame"
"""For exceptions of C++, which kernels have none of."""

_OWN: Final = {
    # Frees what nobody uses any more: no kernel owns anything, so this (ud2: stop the process) is never called.
    "NRT_MemInfo_call_dtor": bytes.fromhex("0f0b"),
    # mov r9, rdi; mov eax, esi; mov rcx, rdx; rep stosb; mov rax, r9; ret
    "memset": bytes.fromhex("4989f989f04889d1f3aa4c89c8c3"),
    # mov rax, rdi; mov rcx, rdx; rep movsb; ret
    "memcpy": bytes.fromhex("4889f84889d1f3a4c3"),
}
"""Functions that compilers call for loops over memory, which this code must have with it."""


class Linked(NamedTuple):
    """Machine code that refers to nothing outside of itself, and where its function begins."""

    code: bytes
    start: int


class _Section(NamedTuple):
    name: str
    kind: int
    flags: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int


def linked(found: bytes, name: str) -> Linked | None:
    """The function ``name`` of an object file with all that it refers to; None where that lies outside the file."""
    sections = _sections(found)
    code = bytearray()
    places: dict[int, int] = {}
    for number, section in enumerate(sections):
        if section.kind == _PROGBITS and section.flags & _ALLOCATED and section.name != _UNWINDING:
            if section.flags & _WRITABLE:
                return None
            places[number] = _append(code, found[section.offset : section.offset + section.size], section.alignment)
    symbols = _symbols(found, sections)
    own: dict[str, int] = {}
    for section in sections:
        if section.kind != _RELA or section.info not in places:
            continue
        for at, info, addend in _RELOCATION.iter_unpack(found[section.offset : section.offset + section.size]):
            called, of_section, value = symbols[info >> 32]
            if info & 0xFFFFFFFF not in (_PC32, _PLT32):
                return None
            if of_section == _UNDEFINED and called in _OWN:
                if called not in own:
                    own[called] = _append(code, _OWN[called], 16)
                target = own[called]
            elif of_section in places:
                target = places[of_section] + value
            else:
                return None
            place = places[section.info] + at
            struct.pack_into("<i", code, place, target + addend - place)
    start = next((places[of] + value for called, of, value in symbols if called == name and of in places), None)
    return None if start is None else Linked(bytes(code), start)


def _append(code: bytearray, more: bytes, alignment: int) -> int:
    code.extend(b"\xcc" * (-len(code) % max(1, alignment)))
    place = len(code)
    code.extend(more)
    return place


def _sections(found: bytes) -> list[_Section]:
    first, size, count, names = struct.unpack_from("<Q10xHHH", found, 40)
    rows = [_SECTION.unpack_from(found, first + size * each) for each in range(count)]
    names_at = rows[names][4]
    return [
        _Section(_text(found, names_at + row[0]), row[1], row[2], row[4], row[5], row[6], row[7], row[8])
        for row in rows
    ]


def _symbols(found: bytes, sections: list[_Section]) -> list[tuple[str, int, int]]:
    """Name, number of the section (0 for none) and value of each symbol."""
    table = next(each for each in sections if each.kind == _SYMTAB)
    names = sections[table.link].offset
    rows = _SYMBOL.iter_unpack(found[table.offset : table.offset + table.size])
    return [(_text(found, names + row[0]), row[3], row[4]) for row in rows]


def _text(found: bytes, first: int) -> str:
    return found[first : found.index(b"\0", first)].decode()
