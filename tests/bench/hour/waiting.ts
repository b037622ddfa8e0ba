import type { MeasuredLine, MeasuredTeam } from './costs.ts';
import type { Sample } from './hour.ts';

const HOUR_MS = 3_600_000;
/** A process that looks every 50 ms, for half a unit each. */
const DENSEST_LOOK_UNITS = 36_000;

/** The costs of waiting if processes hold the polls of many clients, and the costs of a socket. */
export interface Waiting {
  /** Entries of the log, in an hour. */
  entries: number;
  /** Polls of all clients that are answered with events, in an hour. */
  answered: number;
  /** Texts through sockets that bring all clients the same, in an hour. */
  texts: number;
  /** All polls of all clients, in an hour. */
  polls: number;
  /** The units of a poll, without looks at the log. */
  readUnits: number;
  writeUnits: number;
  bytes: number;
  /** The units of one process's looks, in an hour. */
  lookUnits: number;
}

/** The hour that a sample with shared polls represents. */
export function toWaiting({ polls, clients, entries, minutes }: Sample): Waiting {
  const scale = (HOUR_MS / polls.heldMs) * clients;
  const perHour = 60 / minutes;
  const rounded = (value: number): number => Number(value.toPrecision(5));
  return {
    entries: rounded(entries * perHour),
    answered: rounded(polls.answered * scale),
    texts: rounded(polls.texts * scale),
    polls: rounded(polls.count * scale),
    readUnits: rounded((polls.read - polls.lookUnits) / polls.count),
    writeUnits: rounded(polls.write / polls.count),
    bytes: Math.round(polls.bytes / polls.count),
    lookUnits: rounded(polls.lookUnits * perHour),
  };
}

/**
 * The same of a team that is too large to live through twice. Its polls relate to polls of functions as in a smaller
 * team and cost as much each; its processes look as often as they may. @param textsOfAnswer texts through sockets for
 * each answer of a poll, as its own clients had them
 */
export function deriveWaiting(
  { people, clients, lines }: Omit<MeasuredTeam, 'waiting'>,
  like: MeasuredTeam,
  textsOfAnswer: number,
): Waiting {
  const polling = findPolls(lines);
  const share = polling.timesAnHour / findPolls(like.lines).timesAnHour;
  const { waiting } = like;
  const unanswered = (waiting.polls - waiting.answered) / like.clients;
  const polls = Math.round(waiting.polls * share);
  const answered = Math.round(polls - unanswered * clients);
  return {
    ...waiting,
    polls,
    answered,
    texts: Math.round(answered * textsOfAnswer),
    entries: Math.round((waiting.entries * people) / like.people),
    bytes: polling.bytes,
    lookUnits: DENSEST_LOOK_UNITS,
  };
}

export function findPolls(lines: MeasuredLine[]): MeasuredLine {
  const polls = lines.find(({ what }) => what.startsWith('poll'));
  if (!polls) throw new Error('There are no polls among the lines');
  return polls;
}
