import type { Delivery, Integration, Note } from '../integration.ts';
import type { Payload } from '../payload.ts';
import { bullets, fromHtml, inline, link, paragraphs, quote, sentence } from '../words.ts';

const NAMES: Record<string, Record<string, string>> = {
  status: { 2: 'Open', 3: 'Pending', 4: 'Resolved', 5: 'Closed' },
  priority: { 1: 'Low', 2: 'Medium', 3: 'High', 4: 'Urgent' },
};

const named = (property: string, value: string): string => {
  const values = NAMES[property] ?? {};
  return Object.hasOwn(values, value) ? (values[value] ?? value) : inline(value);
};

const ticket = ({ payload }: Delivery): Payload => payload.at('freshdesk_webhook');

const ticketNote = (delivery: Delivery, describe: (link: string, who: string) => string): Note => {
  const issue = ticket(delivery);
  const id = issue.text('ticket_id');
  const subject = link(`ticket #${id}`, issue.find('ticket_url'));
  const who = issue.find('requester_name') ?? issue.find('requester_email') ?? 'Someone';
  return { topic: `#${id}: ${issue.text('ticket_subject')}`, content: describe(subject, inline(who)) };
};

/** The event is not JSON: `{status:{from:4,to:6}}`, `{ticket_action:created}`, `{note_type:private}`. */
const triggerOf = (delivery: Delivery): string => ticket(delivery).text('triggered_event');

function created(delivery: Delivery): Note {
  const issue = ticket(delivery);
  const text = fromHtml(issue.find('ticket_description') ?? '');
  return ticketNote(delivery, (subject, who) =>
    paragraphs(
      `${who} created ${subject}${text === '' ? '.' : ':'}`,
      text !== '' && quote(text),
      bullets(
        ['type', 'priority', 'status'].map(
          (name) => `**${name}**: ${named(name, issue.find(`ticket_${name}`) ?? 'none')}`,
        ),
      ),
    ),
  );
}

const noteAdded = (delivery: Delivery): Note => {
  const [, kind = 'a'] = /note_type:\s*(\w+)/.exec(triggerOf(delivery)) ?? [];
  return ticketNote(delivery, (subject, who) =>
    sentence(`${who} added a ${inline(kind)} note to ${subject}`),
  );
};

const propertyChanged = (delivery: Delivery): Note => {
  const [, property = 'ticket', before = '', after = ''] =
    /\{?(\w+):\s*\{from:\s*([^,}]{0,100}),\s*to:\s*([^,}]{0,100})\}/.exec(triggerOf(delivery)) ?? [];
  return ticketNote(delivery, (subject, who) =>
    sentence(
      `${who} updated the ${inline(property)} of ${subject} from **${named(property, before.trim())}** to **${named(property, after.trim())}**`,
    ),
  );
};

export const freshdesk: Integration = {
  slug: 'freshdesk',
  displayName: 'Freshdesk',
  categories: ['customer-support'],
  setup:
    "In Freshdesk: **Admin**, **Automations**, the action **Trigger webhook**, POST, JSON. Name the bot's address and its key as user and password in place of `api_key`.",
  body: 'json',
  usesBasic: true,
  eventOf: (delivery) => {
    const trigger = triggerOf(delivery);
    if (trigger.includes('ticket_action:created')) return 'ticket_created';
    if (trigger.includes('note_type:')) return 'note_added';
    return /from:/.test(trigger) ? 'ticket_updated' : trigger;
  },
  events: { ticket_created: created, note_added: noteAdded, ticket_updated: propertyChanged },
};
