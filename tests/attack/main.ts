import { readCommandLine, refuseCall } from '#infra/command-line.ts';
import type { Attack } from './attack.ts';
import { endlessUploads } from './endless-uploads.ts';
import { heldBodies } from './held-bodies.ts';
import { heldSockets } from './held-sockets.ts';
import { hostileSenders } from './hostile-senders.ts';
import { lostSubscriptions } from './lost-subscriptions.ts';
import { manyChannels } from './many-channels.ts';
import { slowTexts } from './slow-texts.ts';
import { storm } from './storm.ts';
import { strangers } from './strangers.ts';
import { startTarget } from './target.ts';
import { tinyPictures } from './tiny-pictures.ts';
import { waitingPolls } from './waiting-polls.ts';

const attacks: Attack[] = [
  lostSubscriptions,
  tinyPictures,
  manyChannels,
  waitingPolls,
  slowTexts,
  storm,
  strangers,
  endlessUploads,
  heldBodies,
  heldSockets,
  hostileSenders,
];

const HELP = `Usage: npm run attack [-- <name>…]

Attacks a service of its own on this computer as hostile accounts and strangers would. Each attempt is bounded. Ends with
status 1 if one achieves anything.

Names:
${attacks.map(({ name, attempt }) => `  ${name.padEnd(18)}  ${attempt}`).join('\n')}

Options:
  --help              print this text

Example:
  npm run attack -- storm`;

const { positionals: asked } = readCommandLine(HELP, { mostWords: Number.POSITIVE_INFINITY });
const unknown = asked.find((name) => !attacks.some((attack) => attack.name === name));
if (unknown !== undefined) refuseCall(`There is no attack ${unknown}; --help lists them.`);
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
