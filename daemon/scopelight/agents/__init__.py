"""What an agent can ask of runs: one list of tools, whose answers are short plain text that names lines of source.

The list is served over MCP by ``scopelight mcp``, and by an editor as tools of its language models. Figures and
findings are said in the words of ``report/``; what is said around them is for a model to read, and English.
"""
