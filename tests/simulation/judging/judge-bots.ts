import type { StoredMessage } from '#shared/domain/messages/message.ts';
import type { Account } from '#shared/domain/users/user.ts';
import type { LogEntry } from '#shared/store/log/log-entry.ts';

/** The messages of the service's bots, and how to recognize them. */
const SAYINGS = {
  opening: /^\*\*[\w ,-]+\*\* channel created by /,
  subscribed: /^@\*\*.*\*\* subscribed you to the /,
  grouped: /^@_\*\*.*\*\* added you to the group /,
  welcome: /^👋 Welcome to /u,
};
export type Saying = keyof typeof SAYINGS;

const BY_THEMSELVES = 'Internal';

/**
 * Each occasion causes one message of a bot, however often the job ran: as many messages as occasions of the types
 * that are `sure`, and at most as many of the others.
 */
export function judgeBots(log: LogEntry[], sure: Saying[]): string[] {
  const said = log.flatMap(({ message }) => (message?.client === BY_THEMSELVES ? sayingsIn(message) : []));
  const known = new Set<number>();
  const occasions = log.flatMap((entry) => occasionsIn(entry, known));
  return [...new Set([...said, ...occasions])].flatMap((name) => {
    const times = said.filter((one) => one === name).length;
    const most = occasions.filter((one) => one === name).length;
    const isSure = sure.includes(name.split(' ')[0] as Saying);
    const isRight = isSure ? times === most : times <= most;
    return isRight ? [] : [`Bots said "${name}" ${times} times on ${most} occasions`];
  });
}

const sayingsIn = (message: StoredMessage): string[] =>
  Object.entries(SAYINGS)
    .filter(([, pattern]) => pattern.test(message.content))
    .map(([saying]) => (message.kind === 'direct' ? `${saying} to ${hearerOf(message)}` : saying));

/** The users that a bot speaks to; the bot is among the recipients. */
const hearerOf = ({ senderId, recipients }: StoredMessage & { kind: 'direct' }): number | undefined =>
  recipients.find(({ id }) => id !== senderId)?.id;

/** `known` are the channels that there were before; each comes to be known to many at different times. */
function occasionsIn({ events }: LogEntry, known: Set<number>): string[] {
  const arrived = new Set<number>();
  const others = events.flatMap(({ payload }): string[] => {
    const { type, op } = payload;
    if (type === 'stream' && op === 'create') {
      const { streams = [] } = payload as { streams?: { stream_id: number }[] };
      const ids = streams.map(({ stream_id: id }) => id);
      const created = ids.filter((id) => !known.has(id));
      for (const id of created) known.add(id);
      return created.map(() => 'opening');
    }
    if (type === 'subscription' && op === 'add') for (const [userId] of payload.rows) arrived.add(userId);
    if (type === 'user_group' && op === 'add_members')
      return (payload.user_ids as number[]).map((id) => `grouped to ${id}`);
    if (type === 'user_group' && op === 'add')
      return (payload.group as { members: number[] }).members.map((id) => `grouped to ${id}`);
    if (type === 'realm_user' && op === 'add') {
      const { userId, isBot } = payload.user as Account;
      return isBot ? [] : [`welcome to ${userId}`];
    }
    return [];
  });
  return [...others, ...[...arrived].map((id) => `subscribed to ${id}`)];
}
