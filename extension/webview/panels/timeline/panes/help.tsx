// All keys, and what the wheel and the pointer do.

import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../../shared/controls/elements';
import { type Action, keyText } from '../actions/action';

export function Help(props: { readonly actions: readonly Action[]; readonly onClose: () => void }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    element.current?.focus();
    return () => {
      if (before instanceof HTMLElement) {
        before.focus();
      }
    };
  }, []);
  const withKeys = props.actions.filter(({ keys }) => keys.length > 0);
  const groups = [...new Set(withKeys.map(({ group }) => group))];
  return (
    <div
      class="help popup"
      role="dialog"
      aria-modal="true"
      aria-label={l10n.t('Keys and Help')}
      tabIndex={-1}
      ref={element}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === '?') {
          event.preventDefault();
          props.onClose();
        }
        // Keys mean nothing to the timeline below.
        event.stopPropagation();
      }}
    >
      <div class="help-groups">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {withKeys
                .filter((action) => action.group === group)
                .map(({ id, keys, label }) => (
                  <div key={id}>
                    <dt>
                      {keys.map((key) => (
                        <kbd key={key}>{keyText(key)}</kbd>
                      ))}
                    </dt>
                    <dd>{label}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>{l10n.t('Pointer')}</h3>
          <dl>
            {pointerWays().map(([what, does]) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      <div class="buttons">
        <Button label={l10n.t('Close')} onPress={props.onClose} />
      </div>
    </div>
  );
}

function pointerWays(): readonly (readonly [string, string])[] {
  return [
    [l10n.t('Wheel'), l10n.t('Scrolls')],
    [l10n.t('Shift+wheel'), l10n.t('Moves left and right')],
    [l10n.t('Ctrl+wheel, pinch'), l10n.t('Zooms')],
    [l10n.t('Middle button'), l10n.t('Moves with every tool')],
    [l10n.t('Double click'), l10n.t('Goes to the line; zooms to merged events')],
    [l10n.t('Alt'), l10n.t('Marks without snapping to events')],
    [l10n.t('Shift+click with Zoom'), l10n.t('Zooms out')],
  ];
}
