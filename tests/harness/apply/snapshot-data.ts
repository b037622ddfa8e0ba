import type { ReceivedEvent } from '../client.ts';

// biome-ignore lint/suspicious/noExplicitAny: a snapshot is JSON of many shapes
export type SnapshotData = Record<string, any>;

/** What a client does with one event: it changes its state. */
export type Apply = (state: SnapshotData, event: ReceivedEvent) => void;

export const ascending = (a: number, b: number): number => a - b;
