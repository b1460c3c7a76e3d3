// Which devices of a run a record is of: all of them together, those of one host, or one.

import * as l10n from '@vscode/l10n';
import type { Signal } from '@preact/signals';
import { type Page, usePage } from '../page/page';
import { Select } from './select';

/** Of another run the name may be that of no device. */
interface ChosenDevice {
  readonly run: string;
  readonly name: string;
}

/** The device that was chosen for the shown run; null is all of them together. */
export function useDevice(): string | null {
  const page = usePage();
  const chosen = chosenDevice(page).value;
  return chosen !== null && chosen.run === shownRun(page) ? chosen.name : null;
}

/** Nothing where there is nothing to choose. */
export function DeviceSelect(props: {
  readonly devices: readonly string[];
  /** Hosts with devices, where there are several. */
  readonly hosts: readonly string[];
}) {
  const page = usePage();
  const device = useDevice();
  if (props.devices.length < 2) {
    return null;
  }
  return (
    <Select
      label={l10n.t('Device')}
      options={[
        { value: '', label: l10n.t('All {0} devices', props.devices.length) },
        ...[...props.hosts, ...props.devices].map((name) => ({ value: name, label: name })),
      ]}
      value={device ?? ''}
      onChange={(name) => {
        const run = shownRun(page);
        chosenDevice(page).value = name === '' || run === null ? null : { run, name };
      }}
    />
  );
}

function chosenDevice({ saved }: Page): Signal<ChosenDevice | null> {
  return saved.signal<ChosenDevice | null>('device', null);
}

function shownRun({ host }: Page): string | null {
  return host.facts.value?.shownRun?.path ?? null;
}
