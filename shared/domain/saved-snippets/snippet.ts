/** A text that a user saves to send it repeatedly. */
export interface SavedSnippet {
  snippetId: number;
  userId: number;
  title: string;
  content: string;
  createdAtSeconds: number;
  /** Increases with every change. */
  revision: number;
}

export const MAX_TITLE_LENGTH = 60;

/** The record of the reference. */
export const toSnippetRecord = ({ snippetId, title, content, createdAtSeconds }: SavedSnippet) => ({
  id: snippetId,
  title,
  content,
  date_created: createdAtSeconds,
});
