import random
import socket
import threading

import h2.config
import h2.connection
import hyperframe.frame
import pytest

from made.scripted_server import Profiler, ScriptedServer
from scopelight.capture.servers.address import Address
from scopelight.capture.servers.call_faults import CallFault
from scopelight.capture.servers.connection import Connection

LONG = 20
SHORT = 0.3


def fault_of(speak, seconds=LONG):
    """The kind of fault that calling ends in."""
    with ScriptedServer(speak) as server, pytest.raises(CallFault) as raised:
        Connection.open(server.address, seconds).call("Profile", b"", seconds)
    return raised.value


def says(data):
    """Sends bytes, and then nothing more, as long as the other side is there."""

    def speak(transport):
        transport.sendall(data)
        while transport.recv(1 << 16):
            pass

    return speak


def settings():
    connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    connection.initiate_connection()
    return connection.data_to_send()


def floods(frame, times=1_000_000):
    """Sends a frame for as long as it is taken."""

    def speak(transport):
        transport.sendall(settings())
        for _ in range(times):
            transport.sendall(frame)

    return speak


def test_an_answer_of_many_megabytes_is_whole():
    data = random.Random(1).randbytes(9_000_000)
    with ScriptedServer(Profiler({"Profile": lambda message: data + message})) as server:
        connection = Connection.open(server.address, LONG)
        assert connection.call("Profile", b"asked", LONG) == data + b"asked"
        # The next one is on the same connection.
        assert connection.call("Profile", b"again", LONG) == data + b"again"
        connection.close()


@pytest.mark.parametrize(
    ("speak", "kind"),
    [
        (says(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "foreign"),
        (says(b"SSH-2.0-OpenSSH_9.2\r\n"), "foreign"),
        (says(b"\x15\x03\x01\x00\x02\x02\x46"), "silent"),
        (says(b""), "silent"),
        (lambda transport: transport.close(), "foreign"),
        (lambda transport: transport.sendall(settings()), "timed-out"),
        (
            says(settings() + hyperframe.frame.WindowUpdateFrame(0, window_increment=(1 << 31) - 1).serialize()),
            "foreign",
        ),
        (says(settings() + hyperframe.frame.GoAwayFrame(0, error_code=2).serialize()), "foreign"),
        # As if of a frame of 16 MB.
        (says(settings() + b"\xff" * 100), "timed-out"),
        (floods(hyperframe.frame.PingFrame(0, b"12345678").serialize()), "timed-out"),
        (floods(hyperframe.frame.SettingsFrame(0, settings={4: 70_000}).serialize()), "timed-out"),
        (Profiler({"Profile": lambda _: None}), "timed-out"),
        (Profiler({"Profile": lambda _: b"x"}, cut=lambda framed: b"\1" + framed[1:]), "malformed"),
        (Profiler({"Profile": lambda _: b"x" * 50}, cut=lambda framed: framed[:-10]), "malformed"),
        (Profiler({"Profile": lambda _: b"x"}, cut=lambda framed: framed + framed), "malformed"),
        (Profiler({"Profile": lambda _: b"x"}, cut=lambda _: b"\0\xff\xff\xff\xff"), "too-large"),
        (Profiler({"Profile": lambda _: (4, "late")}), "timed-out"),
    ],
)
def test_what_is_no_answer_is_a_fault_of_its_kind(speak, kind):
    is_waited_for = kind in ("silent", "timed-out")
    assert fault_of(speak, SHORT if is_waited_for else LONG).kind == kind


def test_an_error_is_told_with_its_status():
    fault = fault_of(Profiler({"Profile": lambda _: (13, "Another%20profiling session active.")}))
    assert (fault.kind, fault.status, fault.problem) == ("refused", 13, "Another profiling session active.")


def test_headers_without_end_are_not_kept():
    def speak(transport):
        transport.sendall(settings())
        frame = hyperframe.frame.HeadersFrame(1, b"\x00\x7fa" * 1000)
        transport.sendall(frame.serialize())
        while True:
            transport.sendall(hyperframe.frame.ContinuationFrame(1, b"\x40\x01a\x01b" * 1000).serialize())

    assert fault_of(speak).kind in ("malformed", "lost")


@pytest.mark.parametrize("seed", range(30))
def test_random_bytes_end_in_a_fault(seed):
    noise = random.Random(seed)
    frames = b"".join(
        noise.randrange(64).to_bytes(3, "big") + bytes([noise.randrange(10), noise.randrange(256)]) + bytes(3)
        + bytes([noise.randrange(2)]) + noise.randbytes(noise.randrange(64))
        for _ in range(20)
    )  # fmt: skip

    def speak(transport):
        transport.sendall(settings() + frames)

    assert fault_of(speak, 1).kind in ("malformed", "lost", "foreign", "timed-out", "refused")


def test_a_port_that_nothing_listens_at_is_unreachable():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(CallFault) as raised:
        Connection.open(Address("127.0.0.1", port), LONG)
    assert raised.value.kind == "unreachable"
    assert "refused" in raised.value.problem


@pytest.mark.parametrize("ends", ["cancelled", "timed-out"])
def test_a_server_is_told_that_nobody_waits_any_more(ends):
    profiler = Profiler({"Profile": lambda _: None})
    with ScriptedServer(profiler) as server:
        connection = Connection.open(server.address, LONG)
        if ends == "cancelled":
            threading.Timer(0.05, connection.cancel).start()
        with pytest.raises(CallFault) as raised:
            connection.call("Profile", b"", LONG if ends == "cancelled" else SHORT)
        assert raised.value.kind == ends
        assert profiler.was_reset.wait(LONG)
        assert profiler.resets == [8]
