// What to do next: the advice of the record, most time first, each with its evidence and the way to act on it.

import * as l10n from '@vscode/l10n';
import type { Advice, OverviewRecord } from '../../../src/protocol';
import { Icon } from '../../shared/controls/elements';
import { LineLink } from '../../shared/controls/lineLink';
import { canRun, commandLabel, commandOf } from '../../shared/findings/actions';
import { usePage } from '../../shared/page/page';
import { byteSize, count, dotted, duration, timeShare } from '../../shared/text/format';
import { Prose } from '../../shared/text/prose';
import { steadySteps } from './head';
import { isAdverse } from './verdict';
import { prediction } from '../../shared/text/basis';

export function NextSteps({ record }: { readonly record: OverviewRecord }) {
  const { advice, advice_left_out: left } = record;
  const steady = steadySteps(record);
  return (
    <section class="next" aria-label={l10n.t('What to do next')}>
      <h2>{l10n.t('What to do next')}</h2>
      {advice.length === 0 || steady === record.steps.length ? null : (
        <p class="quiet">
          {l10n.t(
            'Of the {0} of {1} steps in which nothing was compiled; recompilation of all',
            count(steady),
            count(record.steps.length),
          )}
        </p>
      )}
      {advice.length === 0 ? (
        <p class="quiet">
          {record.findings.some(isAdverse)
            ? l10n.t('No rule found what would save time or memory. What is wrong is said above.')
            : record.steps.length === 0
              ? l10n.t('Nothing is known to be wrong. Without complete steps most of it cannot be told.')
              : l10n.t('Nothing is known to be wrong: no rule found what would save time or memory.')}
        </p>
      ) : (
        <ol>
          {advice.map((each) => (
            <Item key={`${each.code} ${each.key ?? ''} ${each.text}`} advice={each} />
          ))}
        </ol>
      )}
      <Effects record={record} />
      {left === 0 ? null : <p class="quiet">{l10n.t('{0} more, which would save less, are left out.', count(left))}</p>}
    </section>
  );
}

/** What came of the advice on the run before: promised, and measured. */
function Effects({ record }: { readonly record: OverviewRecord }) {
  return record.effects.length === 0 ? null : (
    <div class="effects">
      <h3>{l10n.t('Since the run before')}</h3>
      <ul>
        {record.effects.map(({ text }) => (
          <li key={text}>
            <Icon name="check" /> {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Item({ advice }: { readonly advice: Advice }) {
  const { host } = usePage();
  const command = commandOf(advice.action);
  const { path, file, line } = advice;
  return (
    <li>
      <p class="saving" title={advice.saving}>
        {savedText(advice)}
        {advice.saving_ratio === null || advice.saving_per_step_ps === null ? null : (
          <span class="quiet">{timeShare(advice.saving_ratio)}</span>
        )}
      </p>
      <div class="said">
        <p>
          <Prose text={advice.text} /> <span class="quiet">{advice.saving}</span>
        </p>
        {advice.remedy === '' ? null : (
          <p class="remedy">
            <Icon name="lightbulb" /> <Prose text={advice.remedy} />
          </p>
        )}
        <p class="next-ways">
          {line === null ? null : <LineLink place={{ path, file, line }} />}
          {command === null || !canRun(command, host.facts.value) ? null : (
            <button type="button" class="link" onClick={() => host.run(command)}>
              {commandLabel(command)}
            </button>
          )}
          <span class="quiet">{dotted([confidenceText(advice), advice.shares_cores ? sharesText() : null])}</span>
        </p>
      </div>
    </li>
  );
}

/** What is saved at best, for a glance: `−8.02 ms`, or bytes; empty where that is not known. */
function savedText({ saving_per_step_ps: time, saving_bytes: bytes }: Advice): string {
  if (time !== null) {
    return `−${duration(time)}`;
  }
  return bytes === null ? '' : `−${byteSize(bytes)}`;
}

function confidenceText({ confidence }: Advice): string {
  return {
    high: prediction() === null ? l10n.t('measured') : l10n.t('predicted'),
    medium: l10n.t('likely'),
    low: l10n.t('possible'),
  }[confidence];
}

function sharesText(): string {
  return l10n.t('host and device share cores: less may be saved');
}
