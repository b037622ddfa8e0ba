import type { Guide } from '../guide.ts';
import type { Team } from './arrive.ts';

/** Leaving a channel, and leaving the queue. */
export async function leave(guide: Guide, { ada, channel, queueId }: Team): Promise<void> {
  guide.chapter('Leaving');
  guide.say('Ada unsubscribes. A repetition changes nothing, and a missing channel is an error.');
  const parameters = { subscriptions: [channel.name] };
  await guide.call('DELETE /users/me/subscriptions', {
    as: ada,
    parameters,
    expect: { removed: [channel.name], not_removed: [] },
  });
  await guide.call('DELETE /users/me/subscriptions', {
    as: ada,
    parameters,
    expect: { removed: [], not_removed: [channel.name] },
  });
  await guide.call('DELETE /users/me/subscriptions', {
    as: ada,
    parameters: { subscriptions: ['nowhere'] },
    status: 400,
    expect: { code: 'STREAM_DOES_NOT_EXIST', stream: 'nowhere' },
  });
  guide.say('Her client ends its queue; polling it again is an error that requires a new registration.');
  await guide.call('DELETE /events', { as: ada, parameters: { queue_id: queueId } });
  await guide.call('GET /events', {
    as: ada,
    parameters: { queue_id: queueId, last_event_id: -1 },
    status: 400,
    expect: { code: 'BAD_EVENT_QUEUE_ID' },
  });
}
