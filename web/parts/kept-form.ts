import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { forgetKept, keep, readKept } from '#web/net/device.ts';
import { people, server } from '#web/net/store.ts';

interface Kept {
  fields: Record<string, string>;
  userIds: number[];
}

const EMPTY: Kept = { fields: {}, userIds: [] };

function read(key: string): Kept {
  try {
    const { fields, userIds }: Kept = JSON.parse(readKept(key) ?? 'null') ?? EMPTY;
    return { fields, userIds: userIds.filter((id) => people.value.has(id)) };
  } catch {
    return EMPTY;
  }
}

/**
 * Keeps on this device what is entered into the form of a page, until it is sent: the page may be left and loaded again. Gives
 * the properties of an element around the form, the chosen people, and what ends the keeping.
 */
export function useKeptForm(name: string) {
  const key = `form ${name} ${server.value.user_id}`;
  const element = useRef<HTMLDivElement>(null);
  const [userIds, setUserIds] = useState(() => read(key).userIds);
  const form = (): HTMLFormElement | null => element.current?.querySelector('form') ?? null;
  const note = (chosen: number[]): void => {
    const entered = form();
    if (!entered) return;
    const fields = Object.fromEntries(
      [...new FormData(entered)].filter((field): field is [string, string] => typeof field[1] === 'string'),
    );
    keep(key, JSON.stringify({ fields, userIds: chosen } satisfies Kept));
  };
  useLayoutEffect(() => {
    for (const [field, value] of Object.entries(read(key).fields)) {
      const control = form()?.elements.namedItem(field);
      if (control && 'value' in control) control.value = value;
    }
  }, []);
  return {
    around: { ref: element, onInput: () => note(userIds), onChange: () => note(userIds) },
    userIds,
    setUserIds: (chosen: number[]): void => {
      setUserIds(chosen);
      note(chosen);
    },
    end: () => forgetKept(key),
  };
}
