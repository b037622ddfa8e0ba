import { BadRequest } from '../errors.ts';
import type { UserSettings } from './user-settings.ts';

/** A setting that a command changes. */
interface ZcommandEffect {
  setting: keyof Pick<UserSettings, 'color_scheme' | 'fluid_layout_width'>;
  value: number | boolean;
  /** Describes the setting's value in the answer. */
  name: string;
  /** The command that changes back. */
  opposite: string;
}

const dark = { setting: 'color_scheme', value: 2, name: 'the dark theme', opposite: 'light' } as const;
const light = { setting: 'color_scheme', value: 3, name: 'the light theme', opposite: 'dark' } as const;

const effects = new Map<string, ZcommandEffect>([
  ['dark', dark],
  ['night', dark],
  ['light', light],
  ['day', light],
  [
    'fluid-width',
    { setting: 'fluid_layout_width', value: true, name: 'the fluid width', opposite: 'fixed-width' },
  ],
  [
    'fixed-width',
    { setting: 'fluid_layout_width', value: false, name: 'the fixed width', opposite: 'fluid-width' },
  ],
]);

/** The effect of a command; undefined for `/ping`. @throws BadRequest for all other texts */
export function readZcommand(text: string): ZcommandEffect | undefined {
  if (!text.startsWith('/')) throw new BadRequest('There should be a leading slash in the zcommand.');
  const name = text.slice(1);
  if (name === 'ping') return undefined;
  const effect = effects.get(name);
  if (!effect) throw new BadRequest(`No such command: ${name}`);
  return effect;
}
