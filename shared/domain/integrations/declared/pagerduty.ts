import type { Delivery, Integration, Note } from '../integration.ts';
import { withPayload } from '../integration.ts';
import { type Payload, UnexpectedPayload } from '../payload.ts';
import { enumerate, inline, link, paragraphs, quote, sentence } from '../words.ts';

const VERBS: Record<string, string> = {
  'incident.trigger': 'triggered',
  'incident.acknowledge': 'acknowledged',
  'incident.unacknowledge': 'unacknowledged',
  'incident.resolve': 'resolved',
  'incident.assign': 'assigned',
  'incident.escalate': 'escalated',
  'incident.delegate': 'assigned',
  'incident.triggered': 'triggered',
  'incident.acknowledged': 'acknowledged',
  'incident.unacknowledged': 'unacknowledged',
  'incident.resolved': 'resolved',
  'incident.reassigned': 'reassigned',
};

interface Incident {
  topic: string;
  link: string;
  service: string;
  assignees: string;
  agent: string | undefined;
  trigger: string;
}

/** The first version of the webhooks. */
function first(message: Payload): Incident {
  const incident = message.at('data.incident');
  const number = incident.text('incident_number');
  const summary = incident.at('trigger_summary_data');
  return {
    topic: `Incident ${number}`,
    link: link(number, incident.find('html_url')),
    service: link(incident.text('service.name'), incident.find('service.html_url')),
    assignees: people([incident.at('assigned_to_user')], 'name'),
    agent:
      person(incident.at('resolved_by_user'), 'name') ?? person(incident.at('last_status_change_by'), 'name'),
    trigger: paragraphs(summary.find('subject'), summary.find('description')),
  };
}

/** The second version. */
function second(message: Payload): Incident {
  const incident = message.at('incident');
  const number = incident.text('incident_number');
  const entry = message.list('log_entries')[0];
  return {
    topic: `Incident ${number}`,
    link: link(number, incident.find('html_url')),
    service: link(incident.oneOf('service.name', 'service.summary'), incident.find('service.html_url')),
    assignees: people(
      incident.list('assignments').map((assignment) => assignment.at('assignee')),
      'summary',
    ),
    agent:
      (entry && person(entry.at('agent'), 'summary')) ??
      person(incident.at('last_status_change_by'), 'summary'),
    trigger: incident.oneOf('title', 'summary'),
  };
}

/** The third version. */
function third(event: Payload): Incident {
  const data = event.at('data');
  const number = data.text('number');
  return {
    topic: `Incident ${data.text('title')} (#${number})`,
    link: link(`#${number}`, data.find('html_url')),
    service: link(data.text('service.summary'), data.find('service.html_url')),
    assignees: people(data.list('assignees'), 'summary'),
    agent: person(event.at('agent'), 'summary'),
    trigger: '',
  };
}

const person = (payload: Payload, field: string): string | undefined => {
  const name = payload.find(field);
  return name === undefined ? undefined : link(name, payload.find('html_url'));
};

function people(list: Payload[], field: string): string {
  const names = list.flatMap((member) => person(member, field) ?? []);
  return names.length === 0 ? 'nobody' : enumerate(names);
}

function incidentOf(part: Payload): Incident {
  if (part.has('event_type')) return third(part);
  return part.has('event') ? second(part) : first(part);
}

const describe =
  (verb: string) =>
  ({ payload }: Delivery): Note => {
    const { topic, link: subject, service, assignees, agent, trigger } = incidentOf(payload);
    const saying: Record<string, string> = {
      triggered: `triggered by ${service} (assigned to ${assignees})`,
      unacknowledged: `unacknowledged by ${service} (assigned to ${assignees})`,
      resolved: agent === undefined ? 'resolved' : `resolved by ${agent}`,
      assigned: `assigned to ${assignees}`,
      reassigned: `reassigned to ${assignees}`,
    };
    const did = saying[verb] ?? `${inline(verb)} by ${agent ?? assignees}`;
    const shown = trigger === '' ? '' : quote(trigger);
    return {
      topic,
      content: paragraphs(
        `${sentence(`Incident ${subject} ${did}`).replace(/\.$/, shown ? ':' : '.')}`,
        shown,
      ),
    };
  };

const verbs = [
  'triggered',
  'acknowledged',
  'unacknowledged',
  'resolved',
  'assigned',
  'reassigned',
  'escalated',
];

export const pagerduty: Integration = {
  slug: 'pagerduty',
  displayName: 'PagerDuty',
  clientName: 'PagerDuty',
  categories: ['monitoring'],
  setup: 'In PagerDuty: **Integrations**, **Generic webhooks (v3)**, **New webhook**.',
  body: 'json',
  signature: { header: 'x-pagerduty-signature', scheme: 'hex', prefix: 'v1=' },
  deliveryIds: ['x-webhook-id'],
  parts: (delivery) => {
    if (delivery.payload.has('event')) return [withPayload(delivery, delivery.payload.at('event'))];
    if (!delivery.payload.has('messages')) throw new UnexpectedPayload('messages');
    return delivery.payload.list('messages').map((message) => withPayload(delivery, message));
  },
  eventOf: ({ payload }) => {
    const name = payload.oneOf('event_type', 'event', 'type');
    return Object.hasOwn(VERBS, name) ? VERBS[name] : name;
  },
  events: Object.fromEntries(verbs.map((verb) => [verb, describe(verb)])),
};
