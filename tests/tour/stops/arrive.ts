import { randomBytes } from 'node:crypto';
import type { Guide, Person } from '../guide.ts';

/** The people of the tour and the channel in which they talk. */
export interface Team {
  owner: Person;
  ada: Person;
  bo: Person;
  /** The part that distinguishes this tour's names from the names of earlier ones. */
  mark: string;
  channel: { id: number; name: string };
  /** Ada's queue of events. */
  queueId: string;
  lastEventId: number;
}

/** The owner makes two accounts, a channel appears, and a client starts from its snapshot. */
export async function arrive(guide: Guide, owner: Person): Promise<Team> {
  const mark = randomBytes(3).toString('hex');
  guide.chapter('Arriving');
  guide.say('Before it signs in, a client requests the server settings.');
  await guide.call('GET /server_settings', {});
  guide.say('The owner makes accounts for Ada and Bo, who exchange their passwords for API keys.');
  const ada = await join(guide, owner, `Ada ${mark}`);
  const bo = await join(guide, owner, `Bo ${mark}`);
  guide.say('Ada subscribes herself and Bo to a channel. It did not exist, so it does now.');
  const name = `design-${mark}`;
  await guide.call('POST /users/me/subscriptions', {
    as: ada,
    parameters: {
      subscriptions: [{ name, description: 'Where things get their shape' }],
      principals: [ada.userId, bo.userId],
    },
    expect: { subscribed: { [ada.userId]: [name], [bo.userId]: [name] } },
  });
  const { stream_id: id } = await guide.call('GET /get_stream_id', { as: ada, parameters: { stream: name } });
  guide.say('Her client registers: a queue of events, and all that there is to know so far.');
  const snapshot = await guide.call('POST /register', {
    as: ada,
    parameters: {
      apply_markdown: true,
      client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
    },
    expect: { idle_queue_timeout_secs: 600, user_id: ada.userId },
  });
  const { queue_id: queueId, last_event_id: lastEventId } = snapshot;
  return { owner, ada, bo, mark, channel: { id, name }, queueId, lastEventId };
}

async function join(guide: Guide, owner: Person, name: string): Promise<Person> {
  const email = `${name.toLowerCase().replace(' ', '.')}@example.com`;
  const password = randomBytes(12).toString('base64url');
  await guide.call('POST /users', { as: owner, parameters: { email, password, full_name: name } });
  const { api_key: apiKey, user_id: userId } = await guide.call('POST /fetch_api_key', {
    parameters: { username: email, password },
  });
  return { name, email, apiKey, userId };
}
