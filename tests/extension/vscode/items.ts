// Stands for what the extension hands to the editor: rows of trees, tasks, results of tools, and tabs that it finds.

export class TreeItem {
  constructor(
    readonly label: string,
    public collapsibleState = 0,
  ) {}
}

export class Task {
  presentationOptions: unknown;

  constructor(
    readonly definition: unknown,
    readonly scope: unknown,
    readonly name: string,
    readonly source: string,
    readonly execution: unknown,
  ) {}
}

export class ProcessExecution {
  constructor(
    readonly process: string,
    readonly args: readonly string[],
    readonly options: unknown,
  ) {}
}

export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}

export class LanguageModelToolResult {
  constructor(readonly content: readonly unknown[]) {}
}

export class TabInputCustom {
  constructor(
    readonly uri: unknown,
    readonly viewType: string,
  ) {}
}

export class TabInputWebview {
  constructor(readonly viewType: string) {}
}
