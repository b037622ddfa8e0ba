import type { Sample } from '../sample.ts';

const of = (action: string, more: object = {}, query: Record<string, string> = {}): Sample => ({
  name: action,
  event: action,
  query,
  payload: {
    action,
    integrationName: 'Engine alerts',
    alert: {
      alertId: '052652ac',
      username: 'ada@example.com',
      message: 'Too hot',
      tags: ['boiler', 'heat'],
      ...more,
    },
  },
});

export const samples: Sample[] = [
  ...['Create', 'Acknowledge', 'UnAcknowledge', 'Close', 'Delete', 'TakeOwnership', 'TestAction'].map(
    (action) => of(action),
  ),
  of('AddNote', { note: 'Open the valve' }),
  of('AddRecipient', { recipient: 'grace@example.com' }),
  of('AddTags', { addedTags: 'valve,steam' }),
  of('RemoveTags', { removedTags: 'valve' }),
  of('AddTeam', { team: 'pistons' }),
  of('AssignOwnership', { owner: 'grace@example.com' }),
  of('Escalate', { escalationName: 'Night' }, { eu_region: 'true' }),
];
