import { signal } from '@preact/signals';
import { readTone, type SkinTone } from '#web/state/emoji-tones.ts';
import { keep, readKept } from './device.ts';

const NAME = 'emoji skin tone';

/** The skin tone that people on this device write with. */
export const skinTone = signal<SkinTone>(readTone(readKept(NAME)));

export function chooseSkinTone(tone: SkinTone): void {
  skinTone.value = tone;
  keep(NAME, String(tone));
}
