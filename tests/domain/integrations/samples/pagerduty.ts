import type { Sample } from '../sample.ts';

const first = (type: string, more: object = {}) => ({
  type: `incident.${type}`,
  data: {
    incident: {
      incident_number: 33,
      html_url: 'https://acme.pagerduty.com/incidents/P1',
      service: { name: 'Boiler', html_url: 'https://acme.pagerduty.com/services/S1' },
      assigned_to_user: { name: 'Ada', html_url: 'https://acme.pagerduty.com/users/U1' },
      trigger_summary_data: { subject: 'Too hot' },
      ...more,
    },
  },
});
const second = (event: string) => ({
  event: `incident.${event}`,
  incident: {
    incident_number: 34,
    title: 'Too hot',
    html_url: 'https://acme.pagerduty.com/incidents/P2',
    service: { name: 'Boiler', html_url: 'https://acme.pagerduty.com/services/S1' },
    assignments: [{ assignee: { summary: 'Ada', html_url: 'https://acme.pagerduty.com/users/U1' } }],
  },
  log_entries: [{ agent: { summary: 'Grace', html_url: 'https://acme.pagerduty.com/users/U2' } }],
});
const third = (
  event_type: string,
  assignees: object[] = [{ summary: 'Ada', html_url: 'https://acme.pagerduty.com/users/U1' }],
): Sample => ({
  name: `version 3 ${event_type}`,
  payload: {
    event: {
      event_type: `incident.${event_type}`,
      agent: { summary: 'Grace', html_url: 'https://acme.pagerduty.com/users/U2' },
      data: {
        number: 35,
        title: 'Too hot',
        html_url: 'https://acme.pagerduty.com/incidents/P3',
        service: { summary: 'Boiler', html_url: 'https://acme.pagerduty.com/services/S1' },
        assignees,
      },
    },
  },
});
const messages = (name: string, ...list: object[]): Sample => ({ name, payload: { messages: list } });

export const samples: Sample[] = [
  messages(
    'version 1',
    ...['trigger', 'acknowledge', 'unacknowledge', 'assign', 'escalate', 'delegate'].map((type) =>
      first(type),
    ),
  ),
  messages('version 1 resolved', first('resolve', { resolved_by_user: { name: 'Grace' } })),
  messages('version 1 for nobody', first('trigger', { assigned_to_user: null })),
  messages('version 2', ...['trigger', 'acknowledge', 'resolve', 'assign'].map(second)),
  ...['triggered', 'acknowledged', 'unacknowledged', 'resolved', 'reassigned'].map((type) => third(type)),
  third('triggered', []),
];
