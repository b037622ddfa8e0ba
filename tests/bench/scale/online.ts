import type { Measured, MeasuredLine, MeasuredTeam } from '../hour/costs.ts';
import type { Waiting } from '../hour/waiting.ts';

/** People for each client that is online, as in the teams that were measured. */
const PEOPLE_PER_CLIENT = 1 / 0.7;
/** No poll is answered more often than its process looks, which is every 50 ms. */
const MOST_ANSWERS_AN_HOUR = 20 * 3_600;

/**
 * The busy hour of an organization with so many clients online: between two measured teams along a straight line of
 * logarithms, and beyond the largest in proportion to the growth between the last two.
 */
export function organizationOnline({ teams }: Measured, clients: number): MeasuredTeam {
  const people = Math.round(clients * PEOPLE_PER_CLIENT);
  const upper = Math.max(
    1,
    teams.findIndex((team) => team.people >= people),
  );
  const isBeyond = people > (teams.at(-1)?.people ?? 0);
  const [below, above] = isBeyond ? teams.slice(-2) : [teams[upper - 1], teams[upper]];
  if (!below || !above) throw new Error('Two teams have to be measured');
  const share = Math.log(people / below.people) / Math.log(above.people / below.people);
  const between = (from: number, to: number): number =>
    from > 0 && to > 0 ? from * (to / from) ** share : to;
  const each = (of: (team: MeasuredTeam) => number): number => between(of(below), of(above));
  const byPerson = (of: (team: MeasuredTeam) => number): number =>
    people * between(of(below) / below.people, of(above) / above.people);
  const atMost = (count: number): number => Math.min(count, clients * MOST_ANSWERS_AN_HOUR);
  const lines = above.lines.map((line, index): MeasuredLine => {
    const lower = below.lines[index] ?? line;
    const isSweep = line.what === 'sweep';
    const timesAnHour = isSweep ? line.timesAnHour : byPerson((team) => team.lines[index]?.timesAnHour ?? 0);
    return {
      ...line,
      timesAnHour: line.what.startsWith('poll') ? atMost(timesAnHour) : timesAnHour,
      readUnits: between(lower.readUnits, line.readUnits),
      writeUnits: between(lower.writeUnits, line.writeUnits),
      gbSeconds: between(lower.gbSeconds, line.gbSeconds),
    };
  });
  const waiting: Waiting = {
    entries: byPerson((team) => team.waiting.entries),
    answered: atMost(byPerson((team) => team.waiting.answered)),
    texts: atMost(byPerson((team) => team.waiting.texts)),
    polls: atMost(byPerson((team) => team.waiting.polls)),
    readUnits: each((team) => team.waiting.readUnits),
    writeUnits: each((team) => team.waiting.writeUnits),
    bytes: each((team) => team.waiting.bytes),
    lookUnits: Math.min(
      MOST_ANSWERS_AN_HOUR,
      each((team) => team.waiting.lookUnits),
    ),
  };
  return { people, clients, messagesAnHour: byPerson((team) => team.messagesAnHour), lines, waiting };
}
