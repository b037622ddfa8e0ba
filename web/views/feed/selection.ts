import { signal } from '@preact/signals';

/** The message that the keyboard acts on; undefined where none is selected. */
export const selectedId = signal<number | undefined>(undefined);

/** The lowest message in the window of the feed. */
export const shownId = signal<number | undefined>(undefined);

/** The message that is being edited in place. */
export const editingId = signal<number | undefined>(undefined);

/** Messages of which one line is shown. */
export const collapsed = signal<ReadonlySet<number>>(new Set());

export function toggleCollapsed(messageId: number): void {
  const next = new Set(collapsed.value);
  if (!next.delete(messageId)) next.add(messageId);
  collapsed.value = next;
}

/** Messages of muted people that the viewer wanted to see all the same. */
export const revealed = signal<ReadonlySet<number>>(new Set());

export function reveal(messageId: number): void {
  revealed.value = new Set(revealed.value).add(messageId);
}
