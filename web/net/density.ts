import { signal } from '@preact/signals';
import { keep, readKept } from './device.ts';

export type Density = 'comfortable' | 'compact';

const NAME = 'density';

/** The spacing of rows and messages on this device. */
export const density = signal<Density>(readKept(NAME) === 'compact' ? 'compact' : 'comfortable');

export async function setDensity(wanted: Density): Promise<void> {
  density.value = wanted;
  keep(NAME, wanted);
}
