import { LeanClient } from './lean-client.ts';
import { OWNER } from './running.ts';

const PEOPLE = 154;
const CHANNELS = 25;
const MEMBERS_WITH_KEYS = 10;
const API = '/api/v1';

/** The clients of a bench: they are subscribed to the same channels. */
export interface Team {
  owner: LeanClient;
  /** Some of the people beside the owner. */
  members: LeanClient[];
  channel: string;
}

/** Fills an organization: 155 people with the owner, all of them in each of 25 channels. */
export async function makeTeam(port: number): Promise<Team> {
  const owner = await signIn(port, OWNER);
  const ids: number[] = [];
  const members: LeanClient[] = [];
  for (let n = 0; n < PEOPLE; n++) {
    const account = { email: `person-${n}@example.com`, password: `a password of ${n}` };
    const { user_id } = await owner.call('POST', `${API}/users`, { ...account, full_name: `Person ${n}` });
    ids.push(user_id);
    if (n < MEMBERS_WITH_KEYS) members.push(await signIn(port, account));
  }
  const subscriptions = Array.from({ length: CHANNELS }, (_, n) => ({ name: `channel ${n}` }));
  await owner.call('POST', `${API}/users/me/subscriptions`, { subscriptions });
  for (let n = 0; n < ids.length; n += 100)
    await owner.call('POST', `${API}/users/me/subscriptions`, {
      subscriptions,
      principals: ids.slice(n, n + 100),
    });
  return { owner, members, channel: 'channel 0' };
}

/** The owner's client, of an organization that another start has filled. */
export async function signIn(
  port: number,
  { email, password }: { email: string; password: string },
): Promise<LeanClient> {
  const anyone = new LeanClient(port);
  const { api_key } = await anyone.call('POST', `${API}/fetch_api_key`, { username: email, password });
  anyone.close();
  return new LeanClient(port, { email, key: api_key });
}
