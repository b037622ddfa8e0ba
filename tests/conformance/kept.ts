import type { World } from './world.ts';

const kept = new WeakMap<World, Map<string, Promise<unknown>>>();

/**
 * Creates something for a world when it is first needed: if calls leave it unchanged, it serves the next sample as
 * well.
 */
export function keep<Made>(world: World, name: string, make: () => Promise<Made>): Promise<Made> {
  const ofWorld = kept.get(world) ?? new Map<string, Promise<unknown>>();
  kept.set(world, ofWorld);
  const made = ofWorld.get(name) ?? make();
  ofWorld.set(name, made);
  return made as Promise<Made>;
}
