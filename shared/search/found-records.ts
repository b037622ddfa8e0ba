import { asShown } from '#shared/domain/messages/access.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { type MessageStyle, toMessageRecord } from '#shared/domain/messages/record.ts';
import { showTopic } from '#shared/domain/messages/topic.ts';
import type { MatchRecord } from '#shared/domain/search/match-record.ts';
import type { FoundMessage, Search } from '#shared/search/message-search.ts';
import { withHistory } from '#shared/store/messages/message-history.ts';
import { asShownToCaller } from '#shared/store/users/identities.ts';

/** The records of found messages with their flags, with present names and addresses. */
export async function describeFound(
  found: FoundMessage[],
  search: Search,
  style: MessageStyle,
): Promise<FoundRecord[]> {
  const { table } = search;
  const known = await withHistory(
    table,
    search.caller,
    found.map(({ message }) => message),
  );
  const messages = await asShownToCaller(table, search.caller, known);
  return found.map((hit, index) =>
    toRecord({ ...hit, message: messages[index] ?? hit.message }, search, style),
  );
}

type FoundRecord = ReturnType<typeof toRecord>;

const toRecord = ({ message, flags, match }: FoundMessage, { views }: Search, style: MessageStyle) => ({
  ...toMessageRecord(asShown(message, viewOf(message, views)), style),
  flags,
  ...(match && toMatch(match, message, style)),
});

/** The subject is the message's topic, including the display name of the empty topic. */
const toMatch = (match: MatchRecord, message: Message, { allowsEmptyTopic }: MessageStyle): MatchRecord => ({
  ...match,
  match_subject: message.kind === 'channel' ? showTopic(match.match_subject, allowsEmptyTopic) : '',
});

const viewOf = (message: Message, views: Search['views']) =>
  message.kind === 'channel' ? views.get(message.channelId) : undefined;
