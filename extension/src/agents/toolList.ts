// Generated from daemon/scopelight/agents/table.py by extension/scripts/generate_tools.py: do not edit.

/** A tool of the daemon's list; what starts a script is to be agreed to. */
export interface ListedTool {
  readonly tool: string;
  readonly runsScript: boolean;
}

/** The tools by the names that language models know them by. */
export const tools: Readonly<Record<string, ListedTool>> = {
  scopelight_list_runs: { tool: 'list_runs', runsScript: false },
  scopelight_profile_script: { tool: 'profile_script', runsScript: true },
  scopelight_summary: { tool: 'summary', runsScript: false },
  scopelight_hot_lines: { tool: 'hot_lines', runsScript: false },
  scopelight_line_detail: { tool: 'line_detail', runsScript: false },
  scopelight_op_detail: { tool: 'op_detail', runsScript: false },
  scopelight_memory_at_peak: { tool: 'memory_at_peak', runsScript: false },
  scopelight_advice: { tool: 'advice', runsScript: false },
  scopelight_compare: { tool: 'compare', runsScript: false },
  scopelight_predict_on_tpu: { tool: 'predict_on_tpu', runsScript: true },
  scopelight_sql: { tool: 'sql', runsScript: false },
};
