import type { Guide, Person } from './guide.ts';
import { administrate } from './stops/administrate.ts';
import { arrive } from './stops/arrive.ts';
import { converse } from './stops/converse.ts';
import { keepOrder } from './stops/keep-order.ts';
import { leave } from './stops/leave.ts';
import { ownThings } from './stops/own-things.ts';
import { reachDevices } from './stops/reach-devices.ts';

/** Everything of the reference, as a day of a team. Leaves its results behind, under names of its own. */
export async function tour(guide: Guide, owner: Person): Promise<void> {
  const team = await arrive(guide, owner);
  await converse(guide, team);
  await ownThings(guide, team);
  await keepOrder(guide, team);
  await administrate(guide, team);
  await reachDevices(guide, team);
  await leave(guide, team);
}
