import type { Delivery, Integration, Note } from '../integration.ts';
import { bold, bullets, code, counted, enumerate, inline, link, paragraphs, time } from '../words.ts';

const COLOURS: Record<string, string> = {
  CRITICAL: ':red_circle:',
  HIGH: ':orange_circle:',
  MEDIUM: ':yellow:',
  LOW: ':blue_circle:',
};

const REQUIRED = [
  'issueUrl',
  'title',
  'priority',
  'totalIncidents',
  'state',
  'createdAt',
  'updatedAt',
  'alertPolicyNames',
  'alertConditionNames',
];

function incident({ payload }: Delivery): Note {
  const missing = REQUIRED.filter((name) => !payload.has(name));
  if (missing.length > 0)
    return {
      topic: 'New Relic incident alerts',
      content: `:danger: The payload template of the webhook lacks ${enumerate(missing.map(code))}.`,
    };
  const title = payload.text('title');
  const priority = payload.text('priority').toUpperCase();
  const icon = Object.hasOwn(COLOURS, priority) ? COLOURS[priority] : ':black_circle:';
  const state = payload.text('state').toLowerCase();
  const moment = payload.number(state === 'created' ? 'createdAt' : 'updatedAt') / 1000;
  const owner = payload.find('owner');
  return {
    topic: title,
    content: paragraphs(
      `${icon} **${link(title, payload.find('issueUrl'))}** was **${inline(state)}** at ${time(moment)}.`,
      bullets(
        [
          `**Priority**: ${inline(priority.toLowerCase())}`,
          `**Policies**: ${names(payload.texts('alertPolicyNames'))}`,
          `**Conditions**: ${names(payload.texts('alertConditionNames'))}`,
          `**Incidents**: ${counted(payload.number('totalIncidents'), 'incident')}`,
          owner && `**Owner**: ${inline(owner)}`,
          ...payload.entries('zulipCustomFields').map(([name, value]) => `${bold(name)}: ${inline(value)}`),
        ].filter((value) => typeof value === 'string' && value !== '') as string[],
      ),
    ),
  };
}

const names = (list: string[]): string => (list.length === 0 ? 'none' : list.map(inline).join(', '));

export const newrelic: Integration = {
  slug: 'newrelic',
  displayName: 'New Relic',
  categories: ['monitoring'],
  setup:
    'In New Relic: **Alerts**, **Destinations**, **Webhook**, then a workflow whose payload template has `issueUrl`, `title`, `priority`, `totalIncidents`, `state`, `createdAt`, `updatedAt`, `alertPolicyNames` and `alertConditionNames`.',
  body: 'json',
  eventOf: ({ payload }) => (payload.find('state') ?? 'CREATED').toUpperCase(),
  events: { CREATED: incident, ACTIVATED: incident, CLOSED: incident },
};
