// The panel Shapes.

import * as l10n from '@vscode/l10n';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { ComparedNode, ShapeFamily, ShapesRecord, ViewAnswer } from '../../../src/protocol';
import { PointTable } from '../../shared/charts/pointTable';
import { TableToggle } from '../../shared/charts/tableToggle';
import { roundsText } from '../../shared/comparison/columns';
import { useComparedList } from '../../shared/comparison/comparedList';
import { Choice } from '../../shared/controls/choice';
import { Select } from '../../shared/controls/select';
import { Findings } from '../../shared/findings/findings';
import { Figures } from '../../shared/frame/figures';
import { Frame } from '../../shared/frame/frame';
import { List } from '../../shared/frame/list';
import { useStatusLine } from '../../shared/frame/status';
import { usePage } from '../../shared/page/page';
import { RecordView } from '../../shared/page/recordView';
import { present } from '../../shared/present';
import { tableState } from '../../shared/table/tableState';
import { TIME } from '../../shared/text/quantities';
import { ChartView, type Measure } from './chartView';
import { MEAN_COLUMN, runColumns, variantColumns, type VariantRow } from './columns';
import { PlansCard, RunCard } from './details';
import { figures } from './head';
import { panel } from './panel';
import './shapes.css';
import { shapesText, statusParts } from './words';

const COMPARED = { of: 'variants', program: null, memory_space: null, snapshot: null } as const;

export function Shapes() {
  return <RecordView panel={panel} params={{}} show={(view) => <ShapesOfRun view={view} />} />;
}

function ShapesOfRun({ view }: { readonly view: ViewAnswer<ShapesRecord> }) {
  const { families } = view.record;
  const { saved } = usePage();
  const chosen = saved.signal<string | null>('family', null);
  const family = families.find(({ key }) => key === chosen.value) ?? families[0];
  return family === undefined ? null : (
    <ShapesOfFamily key={family.key} view={view} family={family} onFamily={(key) => (chosen.value = key)} />
  );
}

function ShapesOfFamily(props: {
  readonly view: ViewAnswer<ShapesRecord>;
  readonly family: ShapeFamily;
  readonly onFamily: (key: string) => void;
}) {
  const { family, onFamily } = props;
  const { record, run } = props.view;
  const { saved } = usePage();
  const wished = saved.signal<Measure>('measure', 'all');
  const asTable = saved.signal('asTable', false);
  const search = saved.signal('search', '');
  const [read, setRead] = useState<number | null>(null);
  const [picked, setPicked] = useState<number | null>(null);
  useEffect(() => pick(null), [family]);
  const pick = (at: number | null): void => {
    setPicked(at);
    setRead(at);
  };
  const hasOps = family.series.some(({ is_op: isOp }) => isOp);
  const hasTypes = family.series.some(({ is_op: isOp }) => !isOp);
  const measure = (wished.value === 'op' && !hasOps) || (wished.value === 'type' && !hasTypes) ? 'all' : wished.value;
  const columns = useMemo(() => runColumns(family), [family]);
  const ofVariants = useMemo(variantColumns, []);
  const variants = useMemo(
    (): readonly VariantRow[] => family.variants.map((each) => ({ ...each, path: null, file: null, line: null })),
    [family],
  );
  const isOf = useCallback(({ function: name }: ComparedNode) => name === family.name, [family]);
  const compared = useComparedList<VariantRow>(COMPARED, {
    quantity: TIME,
    meaning: l10n.t('One run, on average'),
    behind: MEAN_COLUMN,
    isOf,
  });
  const shown = read ?? picked;
  return (
    <Frame
      facts={[run.title, run.short].filter((fact) => fact !== '')}
      controls={
        record.families.length < 2 ? null : (
          <Select
            label={l10n.t('Function')}
            options={record.families.map(({ key, name }) => ({ value: key, label: name }))}
            value={family.key}
            onChange={onFamily}
          />
        )
      }
      isChosen={picked !== null}
      onLetGo={() => pick(null)}
      details={shown === null ? <PlansCard record={record} family={family} /> : <RunCard family={family} at={shown} />}
      status={useStatusLine([roundsText(compared?.rounds ?? 1), ...statusParts(family)])}
    >
      <Figures label={l10n.t('Shapes')} figures={figures(family)} />
      <Findings findings={record.findings} />
      <div class="tool-row">
        {asTable.value ? null : (
          <Choice<Measure>
            label={l10n.t('Measure')}
            options={present([
              { value: 'all' as const, label: l10n.t('Op Time') },
              hasTypes ? { value: 'type' as const, label: l10n.t('By Type') } : null,
              hasOps ? { value: 'op' as const, label: l10n.t('By Op') } : null,
            ])}
            value={measure}
            onChange={(next) => (wished.value = next)}
          />
        )}
        <span class="spacer" />
        <TableToggle asTable={asTable} />
      </div>
      {asTable.value ? (
        <PointTable
          name="runs"
          label={l10n.t('Runs')}
          columns={columns}
          points={family.iterations.length}
          onPick={pick}
          onSelect={pick}
        />
      ) : (
        <ChartView family={family} measure={measure} read={shown} onRead={setRead} onPick={pick} />
      )}
      <List
        search={search}
        searchLabel={l10n.t('Search shapes')}
        label={l10n.t('Variants')}
        columns={ofVariants}
        compared={compared}
        state={tableState(saved, 'variants', { column: 'number', descending: false })}
        roots={variants}
        keyOf={({ key }) => key}
        textOf={shapesText}
        selectionOf={() => null}
        onSelect={({ key }) => {
          const at = family.iterations.findIndex(({ variant }) => family.variants[variant]?.key === key);
          pick(at === -1 ? null : at);
        }}
      />
    </Frame>
  );
}
