// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { type PanelId, panels } from '../../../../extension/src/panels/registry';
import { Flops } from '../../../../extension/webview/panels/flops/flops';
import { Flame } from '../../../../extension/webview/panels/flame/flame';
import { HotLines } from '../../../../extension/webview/panels/hotLines/hotLines';
import { OpProfile } from '../../../../extension/webview/panels/opProfile/opProfile';
import { OpStatistics } from '../../../../extension/webview/panels/opStatistics/opStatistics';
import { Roofline } from '../../../../extension/webview/panels/roofline/roofline';
import { TimelinePanel } from '../../../../extension/webview/panels/timeline/timeline';
import { OpCard } from '../../../../extension/webview/shared/op/card/opCard';
import { FakeHost, found, giveElementsSize, rendered } from './fakePage';
import { aCard, opsView } from './madeOps';

beforeEach(() => giveElementsSize(1400, 900));

const ofOps: readonly (readonly [PanelId, () => preact.JSX.Element])[] = [
  ['hotLines', () => <HotLines />],
  ['flame', () => <Flame />],
  ['opProfile', () => <OpProfile />],
  ['opStatistics', () => <OpStatistics />],
  ['flops', () => <Flops />],
  ['roofline', () => <Roofline />],
];

test.each(ofOps)('%s is asked for again when settings made its record another', async (panel, content) => {
  const host = new FakeHost();
  await rendered(host.page(panel), content());
  await host.facts();
  const asked = host.request.id;
  await host.facts({ recordsGeneration: 0 });
  expect(host.request.id).toBe(asked);
  await host.facts({ recordsGeneration: 1 });
  expect(host.request.id).toBeGreaterThan(asked);
  expect(host.request.view).toBe(panels[panel].view);
});

test('a timeline is not: no setting changes it', async () => {
  const host = new FakeHost();
  await rendered(host.page('timeline'), <TimelinePanel />);
  await host.facts();
  const asked = host.request.id;
  await host.facts({ recordsGeneration: 1 });
  expect(host.request.id).toBe(asked);
});

test('what was shown stays until the other record is there', async () => {
  const host = new FakeHost();
  const element = await rendered(host.page('opStatistics'), <OpStatistics />);
  await host.facts();
  await host.answer(opsView());
  const before = element.querySelectorAll('.row').length;
  expect(before).toBeGreaterThan(1);
  await host.facts({ recordsGeneration: 1 });
  expect(element.querySelectorAll('.row')).toHaveLength(before);
  expect(element.querySelector('.state, .notice')).toBeNull();
});

test('the card of an op is asked for again too', async () => {
  const host = new FakeHost();
  const card = aCard();
  const element = await rendered(host.page('opProfile'), <OpCard opKey={card.op.key} />);
  await host.facts();
  await host.answerDetails(card);
  const asked = host.details.id;
  await host.facts({ recordsGeneration: 1 });
  expect(host.details.id).toBeGreaterThan(asked);
  expect(found(element, '.op-in-xla').textContent).toBe('dot.1');
});
