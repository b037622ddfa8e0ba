import { signal } from '@preact/signals';
import { type Edit, isChanged } from '#web/state/feed/edits.ts';
import { forgetKept, keep, readKept } from './device.ts';
import { server } from './store.ts';

/** Another one when an edit is begun, changed from not changed, or ends. */
export const editsChange = signal(Symbol());

const nameOf = (messageId: number): string => `edit ${server.value.user_id} ${messageId}`;

/** The edit of a message that was begun on this device; undefined if none was. */
export function readEdit(messageId: number): Edit | undefined {
  try {
    return JSON.parse(readKept(nameOf(messageId)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps an edit on this device until it is saved or discarded. */
export function keepEdit(messageId: number, edit: Edit): void {
  if (isChanged(edit)) keep(nameOf(messageId), JSON.stringify(edit));
  else forgetKept(nameOf(messageId));
}

export function forgetEdit(messageId: number): void {
  forgetKept(nameOf(messageId));
  editsChange.value = Symbol();
}
