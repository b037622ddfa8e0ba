import { orRefuse, readCommandLine, readNumber, refuseCall } from '#infra/command-line.ts';
import { type Area, areas } from './areas.ts';

const HELP = `Usage: npm run mutants [-- options]

Breaks a copy of the service, in one way after another, and demands that something notices: in each way that
tests/simulation/mutants names, before the simulation, or at random places, before the tests that cover each. Ends with
status 1 where nothing noticed.

Options for those of the list:
  --only <text>      those whose names contain the text
  --seeds <n>        so many runs of each at most (60)
  --workers <n>      in so many processes (one for each core)

Options for random places:
  --random <n>       so many places
  --seed <n>         which places these are (1)
  --area <name>      only those in ${Object.keys(areas).join(', ')}
  --from <n>         goes on with the one of this number, where an earlier run was stopped (1)
  --tests <n>        so many files of tests for each (60)
  --limit <seconds>  and for so long (600)
  --id <id>          tries this one again
  --learn            runs all tests once, and keeps which of them come to which changes, for later draws and sweeps

Options for all places of a part:
  --sweep <paths>    of the sources whose paths begin so, with commas between them; goes on where a sweep was stopped
  --operator <names> only those by these operators, with commas between them

Options:
  --help             print this text

Example:
  npm run mutants -- --random 60 --seed 1`;

const string = { type: 'string' } as const;
const OF_THE_LIST = { only: string, seeds: string, workers: string };
const OF_RANDOM_PLACES = {
  random: string,
  seed: string,
  area: string,
  from: string,
  tests: string,
  limit: string,
  id: string,
  learn: { type: 'boolean' },
  sweep: string,
  operator: string,
} as const;

/** What `npm run mutants` was given. The process ends here where that is of two kinds. */
export function readMutantOptions() {
  const { values } = readCommandLine(HELP, { options: { ...OF_THE_LIST, ...OF_RANDOM_PLACES } });
  const isRandom =
    values.random !== undefined ||
    values.id !== undefined ||
    values.learn === true ||
    values.sweep !== undefined;
  const others = Object.keys(isRandom ? OF_THE_LIST : OF_RANDOM_PLACES);
  const stray = Object.keys(values).find((name) => others.includes(name));
  if (stray !== undefined)
    refuseCall(
      isRandom
        ? `--${stray} is for mutants of the list, without --random, --id and --learn; --help tells more.`
        : `--${stray} takes --random, --id or --learn; --help tells more.`,
    );
  if (values.learn === true && Object.keys(values).length > 1)
    refuseCall('--learn takes no other option; --help tells more.');
  const { only, id, area, sweep, operator } = values;
  if (area !== undefined && !isArea(area))
    refuseCall(`There is no area ${area}; there are ${Object.keys(areas).join(', ')}.`);
  const numbers = orRefuse(() => ({
    seeds: numberOf('seeds', values.seeds),
    workers: numberOf('workers', values.workers),
    random: numberOf('random', values.random),
    seed: numberOf('seed', values.seed),
    from: numberOf('from', values.from),
    tests: numberOf('tests', values.tests),
    limit: numberOf('limit', values.limit),
  }));
  return { isRandom, isLearning: values.learn === true, only, id, area, sweep, operator, ...numbers };
}

const isArea = (name: string): name is Area => Object.hasOwn(areas, name);

const numberOf = (name: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : readNumber(`--${name}`, text);
