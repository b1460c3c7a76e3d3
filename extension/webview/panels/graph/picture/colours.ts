// The colours and patterns that the graph is drawn with, of the theme as it is now.

import { hatched, type HatchName, phaseFill } from '../../../shared/charts/hatch';
import type { Direction } from '../../../shared/comparison/tint';
import { type TintFill, tintFills } from '../../../shared/comparison/tintFills';
import { isHighContrast, type Phase, PHASES, themeColour } from '../../../shared/theme';
import { type Judgement, JUDGEMENTS } from '../model/overlays';

export type Fill = string | CanvasPattern;

export interface Colours {
  readonly text: string;
  readonly quiet: string;
  readonly surface: string;
  readonly box: string;
  readonly border: string;
  readonly line: string;
  readonly strong: string;
  readonly isHighContrast: boolean;
  readonly font: string;
  readonly phases: ReadonlyMap<Phase, Fill>;
  readonly judgements: ReadonlyMap<Judgement, Fill>;
  readonly tints: ReadonlyMap<Direction, TintFill>;
}

const judged: Readonly<Record<Judgement, { readonly colour: `--${string}`; readonly hatch: HatchName }>> = {
  native: { colour: '--vscode-charts-green', hatch: 'plain' },
  emulated: { colour: '--vscode-charts-yellow', hatch: 'diagonal' },
  on_host: { colour: '--vscode-charts-blue', hatch: 'vertical' },
  refused: { colour: '--vscode-charts-red', hatch: 'horizontal' },
  unjudged: { colour: '--quiet', hatch: 'dense' },
};

export function coloursOf(context: CanvasRenderingContext2D): Colours {
  const [quiet, border] = [themeColour('--quiet'), themeColour('--vscode-contrastBorder')];
  return {
    text: themeColour('--text'),
    quiet,
    surface: themeColour('--surface'),
    box: themeColour('--vscode-editorWidget-background') || themeColour('--surface'),
    border: border || quiet,
    line: border || themeColour('--line'),
    strong: themeColour('--vscode-contrastActiveBorder') || themeColour('--vscode-focusBorder'),
    isHighContrast: isHighContrast(),
    font: themeColour('--vscode-font-family'),
    phases: new Map(PHASES.map((phase) => [phase, phaseFill(context, phase)])),
    judgements: new Map(
      JUDGEMENTS.map((each) => [each, hatched(context, themeColour(judged[each].colour), judged[each].hatch)]),
    ),
    tints: tintFills(context),
  };
}
