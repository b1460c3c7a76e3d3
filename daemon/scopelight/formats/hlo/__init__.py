"""HLO: compiled programs as protobuf messages, in files of their own and in profiles."""
