// Findings of the daemon: what is incomplete about a record, and how its figures are to be read.

import type { Finding, Severity } from '../../../src/protocol';
import { Icon } from '../controls/elements';
import { Notice } from '../page/states';
import { Prose } from '../text/prose';

/** What a finding says, and what to do about it. */
export function sentence({ text, remedy }: Finding): string {
  return remedy === '' ? text : `${text} ${remedy}`;
}

/** Those of some severities, as sentences. */
export function sentences(findings: readonly Finding[], ...severities: readonly Severity[]): readonly string[] {
  return findings.filter(({ severity }) => severities.length === 0 || severities.includes(severity)).map(sentence);
}

/** What makes numbers doubtful, above them. */
export function Findings(props: { readonly findings: readonly Finding[] }) {
  return (
    <>
      {sentences(props.findings, 'error', 'warning').map((text) => (
        <Notice key={text} kind="partial" text={text} />
      ))}
    </>
  );
}

/** Why rates are above a peak, which a record says once for all of its ops. */
export function aboveOf({ findings }: { readonly findings: readonly Finding[] }): readonly Finding[] {
  return findings.filter(({ code }) => code === 'rates-above-peak');
}

/** How figures are to be read, below them. */
export function FindingsBelow(props: { readonly findings: readonly Finding[]; readonly icon?: string }) {
  return (
    <>
      {sentences(props.findings).map((text) => (
        <p key={text} class="row-note">
          <Icon name={props.icon ?? 'info'} /> <Prose text={text} />
        </p>
      ))}
    </>
  );
}
