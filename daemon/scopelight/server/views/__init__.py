"""Views: what panels ask for."""
