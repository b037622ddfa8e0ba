import { orRefuse, readCommandLine, readNumber, refuseCall } from '#infra/command-line.ts';
import { type Area, areas } from './areas.ts';

const HELP = `Usage: npm run mutants [-- options]

Breaks a copy of the service. Without options, in each way that tests/simulation/mutants names: the simulation must notice
all of them, otherwise the status is 1. With --random, at random places: prints how many of them the fast tests catch.

Options for the named ways:
  --only <text>      those whose names contain the text
  --seeds <n>        the most runs of each (60)
  --workers <n>      number of processes (one for each core)

Options for random places:
  --random <n>       number of places
  --seed <n>         selects the places (1)
  --area <name>      only places in ${Object.keys(areas).join(', ')}
  --limit <seconds>  the longest time for the tests of one place (600)
  --id <id>          only this place

Options:
  --help             print this text

Example:
  npm run mutants -- --random 20 --seed 1`;

const string = { type: 'string' } as const;
const NAMED = { only: string, seeds: string, workers: string };
const RANDOM = { random: string, seed: string, area: string, limit: string, id: string };

/** Reads the options of `npm run mutants`, or prints why they are invalid and exits. */
export function readMutantOptions() {
  const { values } = readCommandLine(HELP, { options: { ...NAMED, ...RANDOM } });
  const isRandom = values.random !== undefined || values.id !== undefined;
  const others = Object.keys(isRandom ? NAMED : RANDOM);
  const stray = Object.keys(values).find((name) => others.includes(name));
  if (stray !== undefined)
    refuseCall(`--${stray} ${isRandom ? 'excludes' : 'requires'} --random or --id; --help explains more.`);
  const { only, id, area } = values;
  if (area !== undefined && !isArea(area))
    refuseCall(`There is no area ${area}; there are ${Object.keys(areas).join(', ')}.`);
  return orRefuse(() => ({
    only,
    id,
    area,
    seeds: numberOf('seeds', values.seeds),
    workers: numberOf('workers', values.workers),
    random: numberOf('random', values.random),
    seed: numberOf('seed', values.seed),
    limit: numberOf('limit', values.limit),
  }));
}

const isArea = (name: string): name is Area => Object.hasOwn(areas, name);

const numberOf = (name: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : readNumber(`--${name}`, text);
