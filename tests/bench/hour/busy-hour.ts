import type { Random } from '#tests/simulation/random.ts';
import {
  countClients,
  type Organization,
  type Person,
  type Room,
  registerParams,
  TOPICS,
} from './organization.ts';

/** How often people of an organization of 200 do each kind of thing in a busy hour. */
export const busyHour = {
  'channel message': 400,
  'direct message': 200,
  'typing notice, start or stop': 1_200,
  'marking messages as read': 1_200,
  reaction: 150,
  star: 20,
  'new draft': 100,
  'edited draft': 100,
  'deleted draft': 100,
  status: 10,
  'followed topic': 20,
  'page of 50 messages': 600,
  register: 60,
} as const;

/** Each client reports each minute, except while its person is away, once an hour. */
const AWAY_MINUTES = 3;
const REPORT = 'presence report';

type Chance = keyof typeof busyHour;
export type Kind = Chance | typeof REPORT;
export const kinds: Kind[] = [...(Object.keys(busyHour) as Chance[]), REPORT];

/** The actions of an organization of this size, with as many for each person as in one of 200. */
export const timesAnHour = (kind: Kind, people: number): number =>
  kind === REPORT ? countClients(people) * (60 - AWAY_MINUTES) : (busyHour[kind] * people) / 200;

interface Said {
  messageId: number;
  room?: Room;
}

type Action = (person: Person) => Promise<unknown>;

const REMEMBERED = 200;
const EMOJI = ['octopus', 'heart', 'tada', 'smile', 'rocket', '+1'];
/** 200 characters. */
const TEXT = 'Lorem ipsum dolor sit amet, consetetur. '.repeat(5).trim().padEnd(200, '.');

/** Executes people's actions, each type of them through HTTP. */
export function createActions(
  { rooms, present }: Organization,
  random: Random,
  nowSeconds: () => number,
): Record<Kind, Action> {
  const said: Said[] = rooms.map((room) => ({ messageId: room.firstMessageId, room }));
  const reactions = new Set<string>();
  const drafts = new Map<Kind, { person: Person; draftId: number }[]>();
  const roomOf = ({ rooms: own }: Person): Room => random.pick(own);
  const topic = (): string => `topic ${random.between(1, TOPICS)}`;
  const friendOf = (person: Person): number => random.pick(present.filter((one) => one !== person)).userId;
  const heard = (person: Person): number[] =>
    said.filter(({ room }) => room && person.rooms.includes(room)).map(({ messageId }) => messageId);
  const say = async (person: Person, params: Record<string, unknown>, room?: Room) => {
    const { id } = await person.client.call('POST', '/messages', { ...params, content: TEXT });
    said.push({ messageId: id, ...(room && { room }) });
    if (said.length > REMEMBERED) said.shift();
  };
  const flag = (person: Person, name: string, messages: number[]) =>
    person.client.call('POST', '/messages/flags', { messages, op: 'add', flag: name });
  const keep = (kind: Kind, person: Person, draftId: number) =>
    drafts.set(kind, [...(drafts.get(kind) ?? []), { person, draftId }]);
  return {
    'channel message': (person) => {
      const room = roomOf(person);
      return say(person, { type: 'channel', to: room.channelId, topic: topic() }, room);
    },
    'direct message': (person) => say(person, { type: 'direct', to: [friendOf(person)] }),
    'typing notice, start or stop': (person) => {
      const op = random.pick(['start', 'stop']);
      const place = random.chance(2 / 3)
        ? { type: 'channel', stream_id: roomOf(person).channelId, topic: topic() }
        : { type: 'direct', to: [friendOf(person)] };
      return person.client.call('POST', '/typing', { op, ...place });
    },
    'marking messages as read': (person) => flag(person, 'read', heard(person).slice(-5)),
    reaction: (person) => {
      const [messageId, emoji] = drawReaction(reactions, random, person, heard(person).slice(-10));
      return person.client.call('POST', `/messages/${messageId}/reactions`, { emoji_name: emoji });
    },
    star: (person) => flag(person, 'starred', heard(person).slice(-1)),
    'new draft': async (person) => {
      const to = [roomOf(person).channelId];
      const draft = { type: 'stream', to, topic: topic(), content: TEXT };
      const { ids } = await person.client.call('POST', '/drafts', { drafts: [draft] });
      keep('edited draft', person, ids[0]);
    },
    'edited draft': async () => {
      const { person, draftId } = take(drafts, 'edited draft');
      const to = [roomOf(person).channelId];
      const draft = { type: 'stream', to, topic: topic(), content: `${TEXT} And more.` };
      await person.client.call('PATCH', `/drafts/${draftId}`, { draft });
      keep('deleted draft', person, draftId);
    },
    'deleted draft': async () => {
      const { person, draftId } = take(drafts, 'deleted draft');
      await person.client.call('DELETE', `/drafts/${draftId}`);
    },
    [REPORT]: ({ client }) =>
      client.call('POST', '/users/me/presence', {
        status: 'active',
        new_user_input: true,
        slim_presence: true,
        last_update_id: nowSeconds() - 60,
      }),
    status: ({ client }) => client.call('POST', '/users/me/status', { status_text: 'In a meeting' }),
    'followed topic': (person) =>
      person.client.call('POST', '/user_topics', {
        stream_id: roomOf(person).channelId,
        topic: `topic ${random.between(1, TOPICS)} ${random.between(1, 1_000)}`,
        visibility_policy: 3,
      }),
    'page of 50 messages': ({ client }) =>
      client.call('GET', '/messages', {
        anchor: 'newest',
        num_before: 50,
        num_after: 0,
        narrow: [
          { operator: 'channel', operand: rooms[0]?.channelId },
          { operator: 'topic', operand: `topic ${random.between(1, 19)}` },
        ],
      }),
    register: ({ client }) => client.call('POST', '/register', registerParams),
  };
}

/** No user reacts twice in the same way. */
function drawReaction(
  past: Set<string>,
  random: Random,
  { userId }: Person,
  messageIds: number[],
): [messageId: number, emoji: string] {
  for (;;) {
    const drawn: [number, string] = [random.pick(messageIds), random.pick(EMOJI)];
    const reaction = [userId, ...drawn].join(' ');
    if (!past.has(reaction)) {
      past.add(reaction);
      return drawn;
    }
  }
}

function take<One>(waiting: Map<Kind, One[]>, kind: Kind): One {
  const one = waiting.get(kind)?.shift();
  if (one === undefined) throw new Error(`Nothing waits to be a ${kind}`);
  return one;
}

/** Something that is done, after so long. Of reports it is known whose they are. */
interface Planned {
  atMs: number;
  kind: Kind;
  by?: Person;
}

/** The actions of these minutes of the hour, by time. */
export const planHour = (
  random: Random,
  span: { minutes: number; people: number },
  clients: Person[],
): Planned[] =>
  [...planActions(random, span), ...planReports(span.minutes, clients)].sort((a, b) => a.atMs - b.atMs);

/** The clients report one after the other. */
function planReports(minutes: number, clients: Person[]): Planned[] {
  const people = [...new Set(clients)];
  // Seven has no factor in common with an hour, so that neighbors are away at other times.
  const isAway = (person: Person, minute: number) =>
    (minute + 7 * people.indexOf(person)) % 60 < AWAY_MINUTES;
  return Array.from({ length: minutes }, (_, minute) =>
    clients
      .map(
        (by, index) =>
          ({ atMs: Math.floor((minute + index / clients.length) * 60_000), kind: REPORT, by }) as const,
      )
      .filter(({ by }) => !isAway(by, minute)),
  ).flat();
}

/** Drafts are made before they are changed. */
function planActions(random: Random, { minutes, people }: { minutes: number; people: number }): Planned[] {
  const lengthMs = minutes * 60_000;
  const shares: Partial<Record<Kind, [from: number, to: number]>> = {
    'new draft': [0, 0.3],
    'edited draft': [0.35, 0.6],
    'deleted draft': [0.65, 1],
    reaction: [0.2, 1],
    star: [0.2, 1],
    'marking messages as read': [0.1, 1],
  };
  return (Object.keys(busyHour) as Chance[]).flatMap((kind) => {
    const [from, to] = shares[kind] ?? [0, 1];
    const count = Math.max(1, Math.round((timesAnHour(kind, people) * minutes) / 60));
    return Array.from({ length: count }, () => ({
      atMs: Math.floor(lengthMs * (from + (to - from) * random.fraction())),
      kind,
    }));
  });
}
