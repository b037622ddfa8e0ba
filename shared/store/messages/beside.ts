import type { Message } from '#shared/domain/messages/message.ts';
import { mapConcurrently } from '#shared/runtime/concurrency.ts';
import { leadingId } from '#shared/table/keys/key.ts';
import { besideRange, messagePartitions } from '#shared/table/keys/log.ts';
import type { Item, Table } from '#shared/table/table.ts';

/** Data stored next to messages: the message's attribute that announces it, and its storage place. */
const places = {
  reactionsIn: messagePartitions.reactionsIn,
  submessagesIn: messagePartitions.submessagesIn,
};
type Sign = keyof typeof places;

type Located = { messageId: number } & { [Name in Sign]?: Message[Name] | undefined };

export interface BesideOptions {
  among?: Located[];
  consistent?: boolean;
}

/** Adjacent messages with data in one place. */
interface Run {
  place: string;
  from: number;
  to: number;
}

/**
 * Reactions or submessages by message. If `among` holds all messages of the range, the data of neighbours is
 * read in one query and costs its size. Otherwise each message with data costs at least half a read unit.
 */
export async function listBeside(
  table: Table,
  sign: Sign,
  messages: Located[],
  { among = [], consistent = false }: BesideOptions,
): Promise<Map<number, Item[]>> {
  const runs = findRuns(sign, messages, among);
  const pages = await mapConcurrently(runs, ({ place, from, to }) =>
    table.list({ partition: places[sign](place), ...besideRange(from, to), consistent }),
  );
  return Map.groupBy(pages.flat(), ({ sk }) => leadingId(String(sk)));
}

/** Neighbours in one place form a run if no other message lies between them. */
function findRuns(sign: Sign, messages: Located[], among: Located[]): Run[] {
  const wanted = new Set(messages.map(({ messageId }) => messageId));
  const isStretch = among.length > 0;
  const known = (isStretch ? among : messages).filter((message) => message[sign] !== undefined);
  return [...Map.groupBy(known, (message) => message[sign] ?? '')].flatMap(([place, group]) => {
    const runs: Run[] = [];
    let open: Run | undefined;
    for (const { messageId } of group.sort((a, b) => a.messageId - b.messageId)) {
      if (!wanted.has(messageId)) open = undefined;
      else if (open && isStretch) open.to = messageId;
      else {
        open = { place, from: messageId, to: messageId };
        runs.push(open);
      }
    }
    return runs;
  });
}
