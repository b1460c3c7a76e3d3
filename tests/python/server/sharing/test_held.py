"""What a report holds where there is little room: all that pages open with, and of the rest as much as fits."""

from scopelight.server.sharing.held import MOST_REFUSED, Held, key_of
from scopelight.server.sharing.questions import MOST_DEVICES, Asked, of_devices

LARGE = {"text": "".join(map(chr, range(40, 12_000)))}
SMALL = {"text": "a"}


def asked(name):
    return Asked("view/lines", {"device": name})


def test_what_is_small_is_held_where_what_is_large_is_not():
    held = Held(room_bytes=500)
    held.hold_where_there_is_room("steps", asked("large"), LARGE)
    held.hold_where_there_is_room("steps", asked("small"), SMALL)
    assert list(held.answers) == [key_of("steps", asked("small"))]
    assert 0 < held.room_bytes < 500
    assert not held.wants("steps", asked("small"))
    assert held.wants("window", asked("small"))


def test_nothing_is_asked_any_more_once_nothing_fits():
    held = Held(room_bytes=500)
    for number in range(MOST_REFUSED):
        assert held.wants("steps", asked(str(number)))
        held.hold_where_there_is_room("steps", asked(str(number)), LARGE)
    assert not held.wants("steps", asked("another"))


def test_what_pages_open_with_is_held_whatever_the_room():
    held = Held(room_bytes=10)
    held.hold("steps", asked("large"), LARGE)
    assert held.answers == {key_of("steps", asked("large")): LARGE}


def test_of_many_devices_only_hosts_are_asked_of():
    few, many = ([f"TPU:{number}" for number in range(count)] for count in (2, MOST_DEVICES + 1))
    assert {each.params["device"] for each in of_devices(few, ())} == set(few)
    assert {each.params["device"] for each in of_devices(many, ("host 0", "host 1"))} == {"host 0", "host 1"}
    assert list(of_devices(few[:1], ())) == []
    assert all(each.params["by"] == "category" for each in of_devices(few, ()) if each.method == "view/op-profile")
