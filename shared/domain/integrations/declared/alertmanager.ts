import type { Delivery, Integration, Note } from '../integration.ts';
import { type Payload, UnexpectedPayload } from '../payload.ts';
import { bullets, inline, link } from '../words.ts';

const textOf = (alert: Payload, name: string): string | undefined =>
  field(alert, 'annotations', name) ?? field(alert, 'labels', name);

/** Names of labels may contain dots. */
const field = (alert: Payload, part: string, name: string): string | undefined =>
  alert.entries(part).find(([label]) => label === name)?.[1];

function says(delivery: Delivery): Note[] {
  const { payload } = delivery;
  if (!payload.has('alerts')) throw new UnexpectedPayload('alerts');
  const [nameField, textField] = [
    delivery.option('name') ?? 'instance',
    delivery.option('desc') ?? 'alertname',
  ];
  const lines = new Map<string, { topic: string; isFiring: boolean; lines: string[] }>();
  for (const alert of payload.list('alerts')) {
    const topic = field(alert, 'labels', nameField) ?? field(alert, 'annotations', nameField) ?? '(unknown)';
    const isFiring = alert.text('status') === 'firing';
    const group = lines.get(`${topic}\n${isFiring}`) ?? { topic, isFiring, lines: [] };
    group.lines.push(lineOf(alert, textField));
    lines.set(`${topic}\n${isFiring}`, group);
  }
  return [...lines.values()].map(({ topic, isFiring, lines: shown }) => {
    const [icon, state] = isFiring ? [':alert:', '**FIRING**'] : [':squared_ok:', '**Resolved**'];
    const content =
      shown.length === 1 ? `${icon} ${state} ${shown[0]}` : `${icon} ${state}\n${bullets(shown)}`;
    return { topic, content };
  });
}

function lineOf(alert: Payload, textField: string): string {
  const text = textOf(alert, textField);
  const source = alert.find('generatorURL')?.replace('tab=1', 'tab=0');
  const shown = text === undefined ? `<missing field: ${textField}>`.replace(/[<>]/g, '\\$&') : inline(text);
  return source === undefined ? shown : `${shown} (${link('source', source)})`;
}

export const alertmanager: Integration = {
  slug: 'alertmanager',
  displayName: 'Alertmanager',
  categories: ['monitoring'],
  setup:
    'In the configuration of Alertmanager: a receiver with `webhook_configs`, whose `url` is the address.',
  body: 'json',
  options: {
    name: { kind: 'text', label: 'The label that names the topic', fallback: 'instance' },
    desc: { kind: 'text', label: 'The label or annotation that is shown', fallback: 'alertname' },
  },
  says,
};
