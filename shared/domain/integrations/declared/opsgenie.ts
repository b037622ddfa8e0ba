import type { Delivery, Integration, Note } from '../integration.ts';
import { bold, bullets, code, enumerate, inline, link } from '../words.ts';

const SAYING: Record<string, string> = {
  Create: 'created',
  Acknowledge: 'acknowledged',
  UnAcknowledge: 'unacknowledged',
  Close: 'closed',
  Delete: 'deleted',
  AddNote: 'noted',
  AddRecipient: 'sent to a recipient',
  AddTags: 'tagged',
  RemoveTags: 'untagged',
  AddTeam: 'given to a team',
  AssignOwnership: 'assigned',
  TakeOwnership: 'taken over',
  Escalate: 'escalated',
  TestAction: 'tested',
};

const describe =
  (did: string) =>
  (delivery: Delivery): Note => {
    const { payload } = delivery;
    const alert = payload.at('alert');
    const host = delivery.isOn('eu_region') ? 'app.eu.opsgenie.com' : 'app.opsgenie.com';
    const id = alert.find('alertId');
    const subject = link('Opsgenie alert', id && `https://${host}/alert/V2#/show/${id}`);
    const facts = [
      fact('Note', alert.find('note')),
      fact('Recipient', alert.find('recipient')),
      tags('Tags added', alert.find('addedTags')),
      fact('Team added', alert.find('team')),
      fact('Assigned owner', alert.find('owner')),
      fact('Escalation', alert.find('escalationName')),
      tags('Tags removed', alert.find('removedTags')),
      fact('Message', alert.find('message')),
      alert.count('tags') > 0 && `**Tags**: ${alert.texts('tags').map(code).join(' ')}`,
    ].filter((value) => typeof value === 'string');
    const who = alert.find('username');
    const head = `${subject} was ${did}${who ? ` by ${bold(who)}` : ''}`;
    return {
      topic: payload.text('integrationName'),
      content: facts.length === 0 ? `${head}.` : `${head}:\n\n${bullets(facts)}`,
    };
  };

const fact = (name: string, value: string | undefined): string | undefined =>
  value === undefined ? undefined : `**${name}**: ${inline(value)}`;

const tags = (name: string, value: string | undefined): string | undefined =>
  value === undefined
    ? undefined
    : `**${name}**: ${enumerate(value.split(',').map((tag) => code(tag.trim())))}`;

export const opsgenie: Integration = {
  slug: 'opsgenie',
  displayName: 'Opsgenie',
  categories: ['monitoring'],
  setup: 'In Opsgenie: **Settings**, **Integrations**, **Webhook**.',
  body: 'json',
  options: { eu_region: { kind: 'boolean', label: 'The account is in the EU region' } },
  eventOf: ({ payload }) => payload.text('action'),
  events: Object.fromEntries(Object.entries(SAYING).map(([name, did]) => [name, describe(did)])),
};
