"""The Model Context Protocol on standard input and output: JSON-RPC, one message a line, with the standard library."""
