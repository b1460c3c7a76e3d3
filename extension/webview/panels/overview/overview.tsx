// The panel Overview.

import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { OverviewRecord, ViewAnswer } from '../../../src/protocol';
import { roundsText } from '../../shared/comparison/columns';
import { DeviceSelect, useDevice } from '../../shared/controls/deviceSelect';
import { Findings, FindingsBelow } from '../../shared/findings/findings';
import { BesidePrediction } from './besidePrediction';
import { isVerdict } from './verdict';
import { Figures } from '../../shared/frame/figures';
import { Frame } from '../../shared/frame/frame';
import { useStatusLine } from '../../shared/frame/status';
import { RecordView } from '../../shared/page/recordView';
import { NextSteps } from './advice';
import { StepCard } from './details';
import { Environment } from './environment';
import { figures } from './head';
import './overview.css';
import { panel } from './panel';
import { Pictures } from './pictures';
import { statusParts } from './status';
import { StepsChart } from './stepsChart';
import { TopLines, TopOps, useComparedLines } from './tops';

export function Overview() {
  return <RecordView panel={panel} params={{ device: useDevice() }} show={(view) => <OverviewOfRun view={view} />} />;
}

function OverviewOfRun({ view: { record, run, devices, hosts } }: { readonly view: ViewAnswer<OverviewRecord> }) {
  const [read, setRead] = useState<number | null>(null);
  // What was read in another record is nowhere any more.
  useEffect(() => setRead(null), [record]);
  const compared = useComparedLines();
  const step = read === null ? undefined : record.steps[read];
  return (
    <Frame
      facts={[run.title, run.short].filter((fact) => fact !== '')}
      controls={<DeviceSelect devices={devices} hosts={hosts} />}
      onLetGo={() => setRead(null)}
      details={step === undefined ? <Environment record={record} /> : <StepCard record={record} step={step} />}
      status={useStatusLine([roundsText(compared?.rounds ?? 1), ...statusParts(record)])}
    >
      <div class="overview" tabIndex={-1}>
        <Findings findings={record.findings.filter(isVerdict)} />
        <FindingsBelow findings={record.findings.filter((each) => isVerdict(each) && each.severity === 'note')} />
        <BesidePrediction />
        <Figures label={l10n.t('Performance')} figures={figures(record)} />
        <Findings findings={record.findings.filter((each) => !isVerdict(each))} />
        <NextSteps record={record} />
        <StepsChart record={record} read={read} onRead={setRead} />
        <div class="side-by-side">
          <TopLines
            title={l10n.t('Lines that took longest')}
            lines={record.lines}
            compared={compared}
            otherwise={l10n.t('No line: no op that ran has one.')}
          />
          {record.predicted_for === null ? (
            <TopLines
              title={l10n.t('Lines that devices waited for')}
              lines={record.waiting_lines}
              compared={compared}
              isWaiting
              otherwise={l10n.t('No line: devices waited for none, or it is not known what the script did.')}
            />
          ) : null}
        </div>
        <TopOps record={record} />
        <Pictures record={record} />
      </div>
    </Frame>
  );
}
