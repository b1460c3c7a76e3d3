"""Resources: what the machine, the script's processes and threads, and accelerators did, beside its steps."""
