"""``python -m scopelight.capture.joining ASKED``: what an agent starts for the job that it is in."""

import sys

from scopelight.capture.failures import CaptureFailure
from scopelight.capture.joining.joined_capture import JoinedCapture

if __name__ == "__main__":
    try:
        JoinedCapture.asked(sys.argv[1]).capture()
    except CaptureFailure as failure:
        # Into the log of the run.
        sys.exit(failure.sentence)
