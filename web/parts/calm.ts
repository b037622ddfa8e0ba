import { effect, untracked } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

/**
 * A value that is read from signals: at once after a quiet time, and at most once in `everyMs` while they change often, so
 * that an expensive view leaves the page time for its viewer. `read` runs at each change, so it only collects.
 */
export function useCalm<Value>(read: () => Value, everyMs: number): Value {
  const [value, setValue] = useState(() => untracked(read));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let readAtMs = performance.now();
    const update = (): void => {
      timer = undefined;
      readAtMs = performance.now();
      setValue(read);
    };
    const stop = effect(() => {
      read();
      timer ??= setTimeout(update, Math.max(0, readAtMs + everyMs - performance.now()));
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  return value;
}
