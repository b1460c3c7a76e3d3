"""A profiler server that does as a test says: gRPC answers by method, or bytes that are none."""

import socket
import threading
from collections import Counter
from contextlib import suppress

import h2.config
import h2.connection
import h2.events

from scopelight.capture.servers.address import Address
from scopelight.capture.servers.profiler_service_pb2 import ProfileRequest, ProfileResponse

PREFIX = 5


class ScriptedServer:
    """``speak(socket)`` is called for each connection, in a thread."""

    def __init__(self, speak):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = Address("127.0.0.1", self._listener.getsockname()[1])
        self._speak = speak
        self._sockets = []
        threading.Thread(target=self._serve, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for each in (self._listener, *self._sockets):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _serve(self):
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self._sockets.append(connection)
                threading.Thread(target=self._speak_to, args=(connection,), daemon=True).start()

    def _speak_to(self, connection):
        with suppress(OSError):
            self._speak(connection)


class Profiler:
    """Speaks gRPC. ``answers``: by method what is answered to a message, bytes or ``(status, text)``; what has none is
    unknown to it. A message of two bytes ``FF`` cannot be read, as in every server of gRPC.

    ``cut`` is done to the bytes of each answer, prefix and all. An answer of None never comes. ``resets`` are the codes
    with which calls were ended.
    """

    def __init__(self, answers, cut=lambda framed: framed):
        self._answers = answers
        self._cut = cut
        self.asked = Counter()
        self.resets = []
        self.was_reset = threading.Event()

    def __call__(self, transport):
        connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        connection.initiate_connection()
        transport.sendall(connection.data_to_send())
        methods, bodies = {}, {}
        while received := transport.recv(1 << 16):
            for event in connection.receive_data(received):
                if isinstance(event, h2.events.RequestReceived):
                    methods[event.stream_id] = dict(event.headers)[":path"].rpartition("/")[2]
                    bodies[event.stream_id] = b""
                elif isinstance(event, h2.events.DataReceived):
                    bodies[event.stream_id] += event.data
                elif isinstance(event, h2.events.StreamReset):
                    self.resets.append(int(event.error_code))
                    self.was_reset.set()
                elif isinstance(event, h2.events.StreamEnded):
                    self._answer(connection, event.stream_id, methods, bodies, transport)
            transport.sendall(connection.data_to_send())

    def _answer(self, connection, stream, methods, bodies, transport):
        method, message = methods[stream], bodies[stream][PREFIX:]
        if message == b"\xff\xff":
            answer = (13, "cannot be read") if method in self._answers else (12, "")
        elif method in self._answers:
            self.asked[method] += 1
            answer = self._answers[method](message)
        else:
            answer = (12, "")
        if answer is None:
            return
        head = [(":status", "200"), ("content-type", "application/grpc")]
        if isinstance(answer, tuple):
            status, text = answer
            connection.send_headers(
                stream, [*head, ("grpc-status", str(status)), ("grpc-message", text)], end_stream=True
            )
            return
        connection.send_headers(stream, head)
        framed = self._cut(b"\0" + len(answer).to_bytes(4, "big") + answer)
        most = connection.max_outbound_frame_size
        for place in range(0, len(framed), most):
            connection.send_data(stream, framed[place : place + most])
            transport.sendall(connection.data_to_send())
        connection.send_headers(stream, [("grpc-status", "0")], end_stream=True)


def jax_server(profile, **others):
    """As jax's from 0.9 on; ``profile`` answers a `ProfileRequest`."""
    return Profiler(
        {
            "Profile": lambda message: profile(ProfileRequest.FromString(message)),
            "GetSnapshot": lambda _: (12, ""),
            "Monitor": lambda _: (12, "unimplemented."),
            **others,
        }
    )


def older_server(profile):
    """As jax's before 0.9."""
    return Profiler({"Profile": lambda message: profile(ProfileRequest.FromString(message))})


def response(trace=b"", *, empty=False):
    return ProfileResponse(xspace=trace, empty_trace=empty).SerializeToString()
