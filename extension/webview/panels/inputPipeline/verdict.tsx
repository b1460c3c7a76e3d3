// The verdict with its evidence: the lines on which devices wait for input, and what the host does for it.

import * as l10n from '@vscode/l10n';
import type { InputCategory, InputLine, InputRecord } from '../../../src/protocol';
import { Meter } from '../../shared/charts/cells';
import { LineLink } from '../../shared/controls/lineLink';
import { count, duration, exactDuration, share } from '../../shared/text/format';
import { workName } from './words';

const MOST_LINES = 4;

export function Verdict({ record }: { readonly record: InputRecord }) {
  const lines = record.lines.slice(0, MOST_LINES);
  const categories = record.categories.filter(({ time_ps: time }) => time > 0);
  return (
    <div class="input-verdict">
      <section aria-label={l10n.t('Lines that wait for input')}>
        <h2>{l10n.t('Devices wait for input at')}</h2>
        {lines.length === 0 ? (
          <p class="quiet">
            {record.input_ratio === null
              ? l10n.t('Not known: where the script’s threads stood was not recorded.')
              : l10n.t('No line of yours: the steps do not wait for input.')}
          </p>
        ) : (
          <table class="bars">
            <tbody>
              {lines.map((line) => (
                <Line key={line.key} line={line} />
              ))}
            </tbody>
          </table>
        )}
      </section>
      <section aria-label={l10n.t('What the host does')}>
        <h2>{l10n.t('The host, all threads')}</h2>
        {categories.length === 0 ? (
          <p class="quiet">{l10n.t('Nothing of it was seen in this process.')}</p>
        ) : (
          <table class="bars">
            <tbody>
              {categories.map((category) => (
                <Category key={category.work} category={category} />
              ))}
            </tbody>
          </table>
        )}
      </section>
    </div>
  );
}

function Line({ line }: { readonly line: InputLine }) {
  const mark = line.basis === 'estimated' ? '≈ ' : '';
  return (
    <tr>
      <td class="bar-name">
        <LineLink place={line} />
      </td>
      <td class="bar-cell">
        <Meter ratio={line.share_ratio} isWaiting />
      </td>
      <td class="end bar-share" title={l10n.t('of the wall clock of the steps')}>
        {share(line.share_ratio)}
      </td>
      <td class="end quiet bar-more per-step" title={exactDuration(line.per_step_ps)}>
        {l10n.t('{0}/step', `${mark}${duration(line.per_step_ps)}`)}
      </td>
    </tr>
  );
}

function Category({ category }: { readonly category: InputCategory }) {
  const { work, time_ps: time, share_ratio: ratio, threads } = category;
  return (
    <tr>
      <td class="bar-name of-work">{workName(work)}</td>
      <td class="bar-cell">
        <Meter ratio={ratio} />
      </td>
      <td class="end bar-share">{share(ratio)}</td>
      <td class="end quiet bar-more of-threads" title={exactDuration(time)}>
        {threads === 1
          ? l10n.t('{0}, 1 thread', duration(time))
          : l10n.t('{0}, {1} threads', duration(time), count(threads))}
      </td>
    </tr>
  );
}
