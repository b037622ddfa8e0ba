import { t } from '#web/texts/texts.ts';
import { call } from './api.ts';
import { attempt } from './message-actions.ts';
import { randomId } from './random-id.ts';

/** Texts that the viewer saved for reuse; events update them in the state. */
export const saveSnippet = (title: string, content: string): Promise<unknown> =>
  call('POST', '/saved_snippets', { title, content }, { idempotencyKey: randomId() });

export const editSnippet = (id: number, title: string, content: string): Promise<unknown> =>
  call('PATCH', `/saved_snippets/${id}`, { title, content });

export const deleteSnippet = (id: number): Promise<boolean> =>
  attempt(t('actions.theSnippetWasNotDeleted'), () => call('DELETE', `/saved_snippets/${id}`));
