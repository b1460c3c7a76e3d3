"""Chrome's trace event format, which Perfetto reads."""
