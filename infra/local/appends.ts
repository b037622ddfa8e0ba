import { EventEmitter } from 'node:events';
import type { Services } from '#shared/runtime/services.ts';

type Appends = NonNullable<Services['appends']>;

/** Emits the entries that this process writes, each after the answer to its writer. */
export function openAppends(): Appends {
  const appends: Appends = new EventEmitter();
  const emit = appends.emit.bind(appends);
  appends.emit = (...entry) => {
    setImmediate(() => emit(...entry));
    return true;
  };
  return appends;
}
