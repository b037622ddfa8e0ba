import assert from 'node:assert/strict';
import type { Guide } from '../guide.ts';
import type { Team } from './arrive.ts';

/** Messages now and later, the events of a queue, and topics for one user. */
export async function converse(guide: Guide, team: Team): Promise<void> {
  const { ada, bo, channel } = team;
  const logo = { type: 'stream', to: channel.id, topic: 'logo' };
  guide.chapter('Talking');
  guide.say('Bo writes, and the event waits in the queue of Ada.');
  const { id } = await guide.call('POST /messages', {
    as: bo,
    parameters: { ...logo, content: 'Shall it be **round**?' },
  });
  await expectMessage(guide, team, id);
  guide.say('Ada answers tomorrow: the message waits for its time.');
  const tomorrow = Math.floor(Date.now() / 1000) + 24 * 3600;
  const { scheduled_message_id: later } = await guide.call('POST /scheduled_messages', {
    as: ada,
    parameters: { ...logo, content: 'I slept over it: yes.', scheduled_delivery_timestamp: tomorrow },
  });
  await guide.call(`DELETE /scheduled_messages/${later}`, { as: ada });
  guide.say('Does what Bo wrote match a search? The words that were found are marked.');
  await guide.call('GET /messages/matches_narrow', {
    as: ada,
    parameters: { msg_ids: [id], narrow: [{ operator: 'search', operand: 'round' }] },
    expect: { messages: { [id]: { match_subject: 'logo' } } },
  });
  guide.say('Ada follows the topic.');
  await guide.call('POST /user_topics', {
    as: ada,
    parameters: { stream_id: channel.id, topic: 'logo', visibility_policy: 3 },
  });
  guide.say('And has nothing left to read.');
  await guide.call('POST /mark_all_as_read', { as: ada, expect: { complete: true } });
}

/** Reads the queue of Ada until the message is there. */
async function expectMessage(guide: Guide, team: Team, messageId: number): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const { events } = await guide.call('GET /events', {
      as: team.ada,
      parameters: { queue_id: team.queueId, last_event_id: team.lastEventId },
    });
    team.lastEventId = events.at(-1)?.id ?? team.lastEventId;
    if (events.some(({ message }: { message?: { id: number } }) => message?.id === messageId)) return;
  }
  assert.fail(`The event of message ${messageId} did not come`);
}
