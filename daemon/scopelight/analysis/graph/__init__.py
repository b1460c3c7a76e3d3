"""The graph of programs: lines by phase, scopes and neighbourhoods of ops, with what each costs and hands on."""
