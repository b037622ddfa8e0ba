import { escapeHtml } from '#shared/domain/html-text.ts';
import type { Message } from '#shared/domain/messages/message.ts';
import { highlight } from './highlight.ts';
import type { SearchQuery } from './query.ts';

/** The highlighted HTML and topic of a search result. */
export interface MatchRecord {
  match_content: string;
  match_subject: string;
}

/** Without queries nothing is highlighted. Direct messages have no topic. */
export function toMatchRecord(message: Message, queries: SearchQuery[]): MatchRecord {
  const topic = message.kind === 'channel' ? escapeHtml(message.topic) : '';
  if (queries.length === 0) return { match_content: message.html, match_subject: topic };
  return { match_content: highlight(message.html, queries), match_subject: highlight(topic, queries) };
}
