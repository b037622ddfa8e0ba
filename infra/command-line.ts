import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** A call of a command that it cannot follow. The message alone explains it. */
export class Misuse extends Error {}

/** Of a process whose command was called wrongly, and did nothing. */
export const MISUSED = 2;

/**
 * The options and words of a command line.
 * @throws Misuse for an option that the command does not know, and for more words than it takes
 */
export function parseCommandLine<const Options extends ParseArgsOptionsConfig>(
  args: string[],
  options: Options,
  mostWords = 0,
) {
  const parse = () => parseArgs({ args, options, allowPositionals: true, allowNegative: true, tokens: true });
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse();
  } catch (failure) {
    throw new Misuse(`${(failure as Error).message.split('. ')[0]}; see --help.`);
  }
  const surplus = parsed.positionals[mostWords];
  if (surplus !== undefined) throw new Misuse(`Unexpected argument '${surplus}'; see --help.`);
  return parsed;
}

/**
 * The arguments of this process's command. The process ends here, before it has done anything, after `--help` and
 * if the arguments are invalid.
 */
export function readCommandLine<const Options extends ParseArgsOptionsConfig>(
  help: string,
  { options, mostWords }: { options?: Options; mostWords?: number } = {},
) {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help);
    process.exit(0);
  }
  return orRefuse(() => parseCommandLine(args, options ?? ({} as Options), mostWords));
}

/** The arguments of a command. Ends the process if they cannot be read. */
export function orRefuse<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (failure) {
    if (!(failure instanceof Misuse)) throw failure;
    refuseCall(failure.message);
  }
}

/** The whole number that an option was given. @throws Misuse for anything else, and for less than one */
export function readNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new Misuse(`${name} is a number from 1 on.`);
  return Number(text);
}

/** Ends the process of a command that was called wrongly. */
export function refuseCall(reason: string): never {
  console.error(reason);
  process.exit(MISUSED);
}
