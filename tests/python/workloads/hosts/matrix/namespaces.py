"""Network namespaces on this machine: one for each host of a pod, joined by a bridge, so that a link can be slow."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

HOSTS_FILES = Path("/etc/netns")
"""Where `ip netns exec` looks for what a namespace has instead of files of /etc."""


@attrs.frozen
class Network:
    """Namespaces of hosts; ``name`` has {} for the number of a host. Host 0 is at ``address``."""

    name: str
    address: str

    def slow_down(self, rank: int, megabits_per_s: float) -> None:
        """Let a host send no faster than that. A token bucket holds back what is too much."""
        inside = self.name.format(rank)
        rate = f"rate {megabits_per_s:g}mbit burst 64kb latency 400ms"
        _run(f"ip netns exec {inside} tc qdisc replace dev eth0 root tbf {rate}")


def why_not() -> str | None:
    """Why there can be none here; None where there can."""
    if os.geteuid() != 0:
        return "only root makes network namespaces"
    missing = [each for each in ("ip", "tc") if shutil.which(each) is None]
    if missing:
        return f"{' and '.join(missing)} of iproute2 are not installed"
    return None


@contextmanager
def network(hosts: int) -> Iterator[Network]:
    """As many namespaces as hosts, gone in the end. Raises `CalledProcessError` where the kernel makes none."""
    name = f"pod{os.getpid()}x{{}}"
    middle = name.format("m")
    made = [middle, *(name.format(rank) for rank in range(hosts))]
    try:
        _run(f"ip netns add {middle}")
        _run(f"ip -n {middle} link add bridge type bridge")
        _run(f"ip -n {middle} link set bridge up")
        for rank, inside in enumerate(made[1:]):
            address = f"10.81.7.{rank + 1}"
            # Gloo listens where the machine's own name leads to.
            files = HOSTS_FILES / inside
            files.mkdir(parents=True)
            (files / "hosts").write_text(f"127.0.0.1 localhost\n{address} {socket.gethostname()}\n")
            _run(f"ip netns add {inside}")
            _run(f"ip -n {inside} link add eth0 type veth peer name port{rank} netns {middle}")
            _run(f"ip -n {middle} link set port{rank} master bridge up")
            _run(f"ip -n {inside} address add {address}/24 dev eth0")
            for each in ("eth0", "lo"):
                _run(f"ip -n {inside} link set {each} up")
        yield Network(name, "10.81.7.1")
    finally:
        for each in made:
            subprocess.run(["ip", "netns", "delete", each], check=False, capture_output=True)
            shutil.rmtree(HOSTS_FILES / each, ignore_errors=True)


def _run(command: str) -> None:
    subprocess.run(command.split(), check=True, capture_output=True, text=True, timeout=60)
