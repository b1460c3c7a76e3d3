"""The centre: what is computed once per profile and options, and read by every analysis but the timeline."""
