"""Host resources: what the machine, the script's processes and threads, and accelerators do while a script runs.

All of it is read from outside, in the capture's own process: the script has no thread, descriptor or import more.
"""
