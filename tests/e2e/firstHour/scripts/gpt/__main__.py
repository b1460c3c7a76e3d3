"""Trains it: python -m gpt."""

from .train import main

main()
