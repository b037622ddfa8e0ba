import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { saveSettings } from '#web/net/own-settings.ts';
import { useServer } from '#web/net/store.ts';
import { Toggle } from '#web/parts/form.tsx';
import type { UserSettings } from '#web/state/wire-people.ts';

/** Personal settings for which an organization may choose defaults for new people. */
export type Defaults = Omit<UserSettings, 'default_language' | 'available_notification_sounds'>;

/** Whose settings a form shows. */
interface Kept {
  settings: Defaults;
  save: (changes: Record<string, unknown>) => Promise<unknown>;
  isFixed: boolean;
}

/** The settings of new people; without it forms show the viewer's own. */
export const OthersSettings = createContext<Kept | undefined>(undefined);

/** The settings that the forms around here show and keep. */
export function useSettings(): Kept & { isOwn: boolean } {
  const others = useContext(OthersSettings);
  const own = useServer(({ user_settings }) => user_settings);
  return others
    ? { ...others, isOwn: false }
    : { settings: own, save: saveSettings, isFixed: false, isOwn: true };
}

type Switch = {
  [Name in keyof Defaults]: Defaults[Name] extends boolean ? Name : never;
}[keyof Defaults];

/** Settings that are on or off. */
export function Switches({ list }: { list: readonly (readonly [name: Switch, label: string])[] }) {
  const { settings, save, isFixed } = useSettings();
  return (
    <>
      {list.map(([name, label]) => (
        <Toggle
          key={name}
          label={label}
          value={Boolean(settings[name])}
          isFixed={isFixed}
          save={(value) => save({ [name]: value })}
        />
      ))}
    </>
  );
}
