import { keepDraft, readDraft } from '#web/net/drafts.ts';
import { send } from '#web/net/sending.ts';
import { type Conversation, keyOfNarrow, narrowOf } from '#web/state/narrow.ts';

/** Holds the text of a message that is being written: the composer that is open, or else the draft. */
export interface Host {
  /** Adds a text at the end, as a quote. */
  add: (text: string) => void;
  /** Writes a text at the cursor, or at the end of a draft. */
  insert: (text: string) => void;
  replace: (before: string, after: string) => void;
  submit: () => void;
}

/** A composer that is open. */
export interface OpenHost extends Host {
  /** Uploads files and names them in the text. */
  take: (files: File[]) => void;
}

const composers = new Map<string, OpenHost>();

const keyOf = (conversation: Conversation): string => keyOfNarrow(narrowOf(conversation));

const draftOf = (conversation: Conversation): Host => ({
  add: (text) => keepDraft(conversation, joined(readDraft(conversation), text)),
  insert: (text) => keepDraft(conversation, readDraft(conversation) + text),
  replace: (before, after) =>
    keepDraft(
      conversation,
      readDraft(conversation).replace(before, () => after),
    ),
  submit: () => {
    send(conversation, readDraft(conversation).trimEnd());
    keepDraft(conversation, '');
  },
});

const joined = (before: string, text: string): string =>
  before === '' || before.endsWith('\n') ? before + text : `${before}\n${text}`;

export const hostOf = (conversation: Conversation): Host =>
  composers.get(keyOf(conversation)) ?? draftOf(conversation);

/** Notes the open composer of a conversation; returns what ends it. */
export function holdHost(conversation: Conversation, host: OpenHost): () => void {
  const key = keyOf(conversation);
  composers.set(key, host);
  return () => {
    if (composers.get(key) === host) composers.delete(key);
  };
}

/** The composer of the page; undefined on pages without one. */
export const openHost = (): OpenHost | undefined => [...composers.values()].at(-1);

/** Puts a text into the message that is written to a conversation, behind the words that it has already. */
export const putText = (conversation: Conversation, text: string): void => hostOf(conversation).add(text);
