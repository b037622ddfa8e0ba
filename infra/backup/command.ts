import { MISUSED, Misuse } from '../command-line.ts';
import { StartFailure } from '../local/start-failure.ts';
import { BackupFailure } from './archive/format.ts';

/** Runs a command of operators and prints its answer. A failure that explains itself is printed without its name. */
export async function runCommand(run: (args: string[]) => Promise<string>): Promise<void> {
  try {
    console.log(await run(process.argv.slice(2)));
  } catch (failure) {
    const { name, message } = failure as Error;
    const isMisuse = failure instanceof Misuse;
    const explains = isMisuse || failure instanceof BackupFailure || failure instanceof StartFailure;
    console.error(explains ? message : `${name}: ${message}`);
    process.exitCode = isMisuse ? MISUSED : 1;
  }
}
