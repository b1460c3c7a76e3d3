import * as vscode from 'vscode';

/**
 * The commands of a tree's rows, each under an id of its own. The editor keeps the arguments of a row's command until the
 * row is made anew, and says "Actual command not found" of a click that comes just then; of a command without arguments it
 * keeps nothing.
 */
export class RowCommands implements vscode.Disposable {
  private readonly registered = new Map<string, { readonly id: string; readonly command: vscode.Disposable }>();

  /** The same without arguments; those it has are texts. */
  of({ command, title, arguments: given = [] }: vscode.Command): vscode.Command {
    const key = JSON.stringify([command, ...(given as readonly unknown[])]);
    const known = this.registered.get(key);
    if (known !== undefined) {
      return { command: known.id, title };
    }
    // Lists of commands leave those out that begin with an underscore.
    const id = `_${command} ${this.registered.size}`;
    const run = (): Thenable<unknown> => vscode.commands.executeCommand(command, ...(given as readonly unknown[]));
    this.registered.set(key, { id, command: vscode.commands.registerCommand(id, run) });
    return { command: id, title };
  }

  dispose(): void {
    for (const { command } of this.registered.values()) {
      command.dispose();
    }
    this.registered.clear();
  }
}
