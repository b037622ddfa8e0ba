import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measurePoller } from '../poller.ts';
import { toCompactJson } from '../report.ts';
import { startBenchService } from '../service.ts';
import { type Measured, type MeasuredTeam, toIdleClient, toMeasuredTeam } from './costs.ts';
import { type HourOptions, type Sample, sampleHour } from './hour.ts';
import { toLedger } from './ledger.ts';
import { deriveWaiting, toWaiting, type Waiting } from './waiting.ts';

const KEPT = join(import.meta.dirname, 'measured.json');

/** The teams of the page. The larger they are, the more happens within a minute. */
const TEAMS: (HourOptions & { people: number })[] = [
  { people: 5, minutes: 30, watched: 4 },
  { people: 50, minutes: 12, watched: 5 },
  { people: 500, minutes: 3, watched: 5 },
  { people: 5_000, minutes: 1, watched: 3 },
];

/** Quick enough to be lived through by each run of the tests. */
export const CHECK = { people: 200, minutes: 1, watched: 2 };

const IDLE = { people: 5, minutes: 60, watched: 4, isIdle: true };

/** Takes some minutes. */
export async function measureCosts(): Promise<Measured> {
  const teams: MeasuredTeam[] = [];
  const check = await measureTeam(CHECK);
  for (const team of TEAMS) teams.push(await measureTeam(team, check));
  const [first] = teams as [MeasuredTeam];
  return {
    teams,
    check,
    idleClient: toIdleClient(toLedger(await sampleTeam(IDLE)), first),
    idleWaiting: { clients: IDLE.watched, waiting: await measureWaiting(IDLE) },
    poller: await measurePoller(),
  };
}

/** The hour of a team: with a function for each poll, and, unless it is large, again with polls that share a process. */
async function measureTeam(
  team: HourOptions & { people: number },
  like?: MeasuredTeam,
): Promise<MeasuredTeam> {
  const sample = await sampleTeam(team);
  const measured = toMeasuredTeam(toLedger(sample), team.people);
  const textsOfAnswer = sample.polls.texts / sample.polls.answered;
  const waiting =
    like && team.people > like.people
      ? deriveWaiting(measured, like, textsOfAnswer)
      : await measureWaiting(team);
  return { ...measured, waiting };
}

const measureWaiting = async (team: HourOptions): Promise<Waiting> =>
  toWaiting(await sampleTeam({ ...team, isShared: true }));

/** Some minutes of a team's hour, the same each time. */
export async function sampleTeam(options: HourOptions): Promise<Sample> {
  const service = await startBenchService({ requestsPerMinute: 200 });
  try {
    return await sampleHour(service, options);
  } finally {
    await service.stop();
  }
}

/** The last measurement. */
export const readMeasured = (): Measured => JSON.parse(readFileSync(KEPT, 'utf8'));

export const keepMeasured = (measured: Measured): void => writeFileSync(KEPT, toCompactJson(measured));
