"""Protobuf messages that the formats room parses with the protobuf library."""
