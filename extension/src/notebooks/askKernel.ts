// What a kernel is asked before it runs a cell that is to be profiled: plain Python that any kernel of it can run.

/** What the kernel is to be told. */
export interface ProfileOfCell {
  /** What Python imports the agent from. */
  readonly agent: string;
  /** The run directory, where the kernel has none yet. */
  readonly out: string;
  /** The interpreter that has the daemon. */
  readonly conductor: string;
}

/**
 * Has the kernel profile its next cell, and print the run directory: whatever runs in this cell, the user's own is left
 * as it is. No name of it stays.
 */
export function askingCode({ agent, out, conductor }: ProfileOfCell): string {
  // What JSON writes of a text is a text of Python's as well.
  const [from, into, by] = [agent, out, conductor].map((each) => JSON.stringify(each));
  return [
    '# Scopelight: the next cell is profiled. This one goes by itself.',
    'def _scopelight(agent, **options):',
    '    import sys',
    '    sys.path.insert(0, agent)',
    '    try:',
    '        from scopelight_agent import notebook',
    '    finally:',
    '        sys.path.remove(agent)',
    '    print(notebook.profile_next_cell(get_ipython(), **options))',
    'try:',
    `    _scopelight(${from}, out=${into}, conductor=${by})`,
    'finally:',
    '    del _scopelight',
  ].join('\n');
}
