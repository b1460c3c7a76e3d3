// What is incomplete about a record of ops, above it.

import * as l10n from '@vscode/l10n';
import { Notice } from '../page/states';

/** Each warning, and why rates are not held against a peak with what to do about it, each said once. */
export function OpNotices(props: {
  readonly record: {
    readonly warnings: readonly string[];
    readonly utilisation_reason: string | null;
    readonly utilisation_remedy: string | null;
  };
}) {
  const { warnings, utilisation_reason: reason, utilisation_remedy: remedy } = props.record;
  return (
    <>
      {reason === null ? null : (
        <Notice
          kind="partial"
          text={[l10n.t('No utilisation is known.'), reason, remedy].filter((part) => part !== null).join(' ')}
        />
      )}
      {warnings.map((warning) => (
        <Notice key={warning} kind="partial" text={warning} />
      ))}
    </>
  );
}
