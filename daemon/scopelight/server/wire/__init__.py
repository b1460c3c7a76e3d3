"""The wire: messages in and out, their conversion, and what goes wrong with them."""
