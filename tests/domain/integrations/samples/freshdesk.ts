import type { Sample } from '../sample.ts';

const of = (name: string, event: string, triggered_event: string): Sample => ({
  name,
  event,
  payload: {
    freshdesk_webhook: {
      triggered_event,
      ticket_id: 11,
      ticket_url: 'https://acme.freshdesk.com/helpdesk/tickets/11',
      ticket_subject: 'It smokes',
      ticket_description: '<div>A <b>lot</b> of <a href="https://smoke.example">smoke</a>.<br/>Help!</div>',
      ticket_type: 'Incident',
      ticket_status: 'Open',
      ticket_priority: 'High',
      requester_name: 'Ada',
    },
  },
});

export const samples: Sample[] = [
  of('ticket created', 'ticket_created', '{ticket_action:created}'),
  of('status changed', 'ticket_updated', '{status:{from:4,to:5}}'),
  of('priority changed', 'ticket_updated', '{priority:{from:1,to:4}}'),
  of('note', 'note_added', '{note_type:private}'),
];
