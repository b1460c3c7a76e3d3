// The editor's enumerations, with its numbers.

export const TaskScope = { Global: 1, Workspace: 2 } as const;
export const TaskRevealKind = { Always: 1, Silent: 2, Never: 3 } as const;
export const TaskPanelKind = { Shared: 1, Dedicated: 2, New: 3 } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const ViewColumn = { Active: -1, One: 1 } as const;
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;
export const OverviewRulerLane = { Left: 1, Center: 2, Right: 4, Full: 7 } as const;
export const DecorationRangeBehavior = { OpenOpen: 0, ClosedClosed: 1, OpenClosed: 2, ClosedOpen: 3 } as const;
export const StatusBarAlignment = { Left: 1, Right: 2 } as const;
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 } as const;
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
export const TextEditorRevealType = { Default: 0, InCenter: 1, InCenterIfOutsideViewport: 2, AtTop: 3 } as const;
export const UIKind = { Desktop: 1, Web: 2 } as const;
export const ExtensionMode = { Production: 1, Development: 2, Test: 3 } as const;
