"""A kernel of a notebook: the code of cells comes in as lines of JSON, and what they say goes out as such."""

import json
import os
import signal
import sys

from jupyter_client.manager import KernelManager


def say(**said):
    print(json.dumps(said), flush=True)


def hear(message):
    """What a cell says, as far as it is text."""
    content = message["content"]
    if message["msg_type"] == "stream":
        say(stream=content["name"], text=content["text"])
    elif message["msg_type"] == "error":
        say(name=content["ename"], message=content["evalue"])


def main():
    manager = KernelManager()
    manager.start_kernel(extra_arguments=[], env=dict(os.environ))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=120)
        # As editors do, unseen.
        client.execute(f"__vsc_ipynb_file__ = {sys.argv[1]!r}", silent=True, store_history=False)
        for line in sys.stdin:
            reply = client.execute_interactive(json.loads(line), output_hook=hear, store_history=True)
            say(ended=reply["content"]["status"] == "ok")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


main()
