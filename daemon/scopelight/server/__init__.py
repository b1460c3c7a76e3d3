"""The language server: one module per feature, work off the event loop."""
