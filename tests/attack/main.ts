import type { Attack } from './attack.ts';
import { endlessUploads } from './endless-uploads.ts';
import { lostSubscriptions } from './lost-subscriptions.ts';
import { manyChannels } from './many-channels.ts';
import { slowTexts } from './slow-texts.ts';
import { storm } from './storm.ts';
import { strangers } from './strangers.ts';
import { startTarget } from './target.ts';
import { tinyPictures } from './tiny-pictures.ts';
import { waitingPolls } from './waiting-polls.ts';

/**
 * `npm run attack`: tries what a hostile account, or a stranger, has done to services like this one, against a service of
 * its own on this computer. Each attempt is bounded. Ends with 1 if one achieved anything. `npm run attack -- name`
 * tries only that.
 */
const attacks: Attack[] = [
  lostSubscriptions,
  tinyPictures,
  manyChannels,
  waitingPolls,
  slowTexts,
  storm,
  strangers,
  endlessUploads,
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !attacks.some((attack) => attack.name === name));
if (unknown.length > 0)
  throw new Error(`There is no attack ${unknown}, only ${attacks.map(({ name }) => name).join(', ')}`);
for (const { name, attempt, run } of attacks) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const target = await startTarget();
  console.log(`\n${name}: ${attempt}`);
  const { seen, achieved } = await run(target);
  await target.stop();
  console.log(`  seen      ${seen}`);
  console.log(`  achieved  ${achieved.length === 0 ? 'nothing' : achieved.join('; ')}`);
  if (achieved.length > 0) process.exitCode = 1;
}
