import { clearFiles } from '#web/net/attachments.ts';
import { endDraft, keepDraft, readDraft } from '#web/net/drafts.ts';
import { send } from '#web/net/sending.ts';
import { joinFiles, messageWith, splitFiles } from '#web/state/attachments.ts';
import { type Conversation, keyOfNarrow, narrowOf } from '#web/state/narrow.ts';

/** Holds the text of a message that is being written: the composer that is open, or else the draft. */
export interface Host {
  /** Adds a text at the end, as a quote. */
  add: (text: string) => void;
  /** Writes a text at the cursor, or at the end of a draft. */
  insert: (text: string) => void;
  submit: () => void;
}

/** A composer that is open. */
export interface OpenHost extends Host {
  /** Attaches files to the message. */
  take: (files: File[]) => void;
}

const composers = new Map<string, OpenHost>();

const keyOf = (conversation: Conversation): string => keyOfNarrow(narrowOf(conversation));

const draftOf = (conversation: Conversation): Host => ({
  add: (content) => {
    const [draft, more] = [splitFiles(readDraft(conversation)), splitFiles(content)];
    keepDraft(conversation, joinFiles(joined(draft.text, more.text), [...draft.files, ...more.files]));
  },
  insert: (content) => {
    const { text, files } = splitFiles(readDraft(conversation));
    keepDraft(conversation, joinFiles(text + content, files));
  },
  submit: () => {
    const { text, files } = splitFiles(readDraft(conversation));
    send(conversation, messageWith(text.trimEnd(), files));
    endDraft(conversation);
    clearFiles(conversation);
  },
});

const joined = (before: string, text: string): string =>
  before === '' || text === '' || before.endsWith('\n') ? before + text : `${before}\n${text}`;

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
