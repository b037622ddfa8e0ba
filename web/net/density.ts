import { signal } from '@preact/signals';
import { keep, readKept } from './device.ts';

export type Density = 'comfortable' | 'compact';

const NAME = 'density';

/** How close rows and messages stand on this device. */
export const density = signal<Density>(readKept(NAME) === 'compact' ? 'compact' : 'comfortable');

export async function setDensity(wanted: Density): Promise<void> {
  density.value = wanted;
  keep(NAME, wanted);
}
