import path from 'node:path';
import { UserError } from '../failure';
import { resolveVariables, type VariableContext } from '../variables';

/**
 * A path as the user wrote it, with `~` and variables replaced. A relative path is one of the workspace folder; a bare
 * name stays as it is, for the search path. Undefined where a variable stands for nothing.
 */
export function expandPath(text: string, context: VariableContext): string | undefined {
  let expanded: string;
  try {
    expanded = resolveVariables(text, context).replace(/^~(?=$|[/\\])/, () => context.home);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
  if (path.isAbsolute(expanded) || !/[/\\]/.test(expanded)) return expanded;
  return context.folder === undefined ? undefined : path.join(context.folder, expanded);
}
