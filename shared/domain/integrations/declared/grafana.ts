import type { Delivery, Integration, Note } from '../integration.ts';
import { withPayload } from '../integration.ts';
import type { Payload } from '../payload.ts';
import { bold, bullets, inline, link, paragraphs, quote, time, words } from '../words.ts';

const NEVER = '0001-01-01T00:00:00Z';

/** One alert of Grafana 8 and later. */
function alert({ payload }: Delivery): Note {
  const isFiring = payload.text('status') === 'firing';
  const name = payload.find('labels.alertname');
  const topic = `[${name ?? payload.text('fingerprint')}]`;
  const [starts, ends] = [payload.find('startsAt'), payload.find('endsAt')];
  const head = `${isFiring ? ':alert: **FIRING**' : ':checkbox: **RESOLVED**'}`;
  const values = payload.entries('values');
  return {
    topic,
    content: paragraphs(
      head,
      words(name && bold(name)),
      [starts && `Fired at ${time(starts)}.`, ends && ends !== NEVER && `Resolved at ${time(ends)}.`]
        .filter((value) => typeof value === 'string' && value !== '')
        .join('\n'),
      listed('Labels', payload.entries('labels')),
      values.length > 0 ? listed('Values', values) : valueText(payload),
      listed('Annotations', payload.entries('annotations')),
      links(payload),
    ),
  };
}

const listed = (title: string, entries: [string, string][]): string =>
  entries.length === 0
    ? ''
    : `${title}:\n${bullets(entries.map(([name, value]) => `${inline(name)}: ${inline(value)}`))}`;

const valueText = (payload: Payload): string => {
  const text = payload.find('valueString');
  return text === undefined ? '' : `Values: ${inline(text)}`;
};

const links = (payload: Payload): string =>
  [
    ['Generator', payload.find('generatorURL')],
    ['Silence', payload.find('silenceURL')],
    ['Image', payload.find('imageURL')],
  ]
    .flatMap(([name, url]) => (name === undefined || url === undefined ? [] : link(name, url)))
    .join(' · ');

const STATES: Record<string, string> = {
  ok: ':squared_ok: OK',
  pending: ':hourglass: PENDING',
  alerting: ':alert: ALERTING',
  paused: ':double_vertical_bar: PAUSED',
  no_data: ':question: NO DATA',
};

/** Grafana 7. */
function older({ payload }: Delivery): Note {
  const state = payload.find('state') ?? 'unknown';
  const matches = payload
    .list('evalMatches')
    .map((evalMatch): [string, string] => [evalMatch.find('metric') ?? '', evalMatch.find('value') ?? '']);
  const image = payload.find('imageUrl');
  return {
    topic: payload.text('title'),
    content: paragraphs(
      `${Object.hasOwn(STATES, state) ? STATES[state] : ':question:'} ${link(payload.oneOf('ruleName', 'title'), payload.find('ruleUrl'))}`,
      payload.has('message') && quote(payload.find('message') ?? ''),
      matches.length > 0 && bullets(matches.map(([name, value]) => `${bold(name)}: ${inline(value)}`)),
      image !== undefined && link('Image', image),
    ),
  };
}

export const grafana: Integration = {
  slug: 'grafana',
  displayName: 'Grafana',
  categories: ['monitoring'],
  setup: 'In Grafana: **Alerting**, **Contact points**, **Add contact point**, integration **Webhook**.',
  body: 'json',
  parts: (delivery) =>
    delivery.payload.has('alerts')
      ? delivery.payload.list('alerts').map((alert) => withPayload(delivery, alert))
      : [delivery],
  eventOf: ({ payload }) => {
    if (!payload.has('title') || payload.has('labels')) return payload.text('status');
    const state = payload.find('state') ?? 'unknown';
    return Object.hasOwn(STATES, state) ? state : 'unknown';
  },
  events: {
    firing: alert,
    resolved: alert,
    ...Object.fromEntries([...Object.keys(STATES), 'unknown'].map((state) => [state, older])),
  },
};
