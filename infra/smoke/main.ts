import { readCommandLine, refuseCall } from '../command-line.ts';
import { Caller } from './caller.ts';
import { smoke } from './smoke.ts';

const HELP = `Usage: npm run smoke -- <url> [options]

Checks a deployment from outside, in about two minutes. Without an account it checks only the public parts.
The account keeps a few messages to itself; files and queues are removed.

Options:
  --email <address>     an account of the organization
  --api-key <key>       its API key; in the variable API_KEY other users of the machine do not see it
  --schedule-ahead <n>  how many seconds ahead a message is scheduled (70)
  --help                print this text

Example:
  npm run smoke -- https://chat.example.com --email owner@example.com`;

/** The sweep runs jobs that the bus lost, but not sooner than after two minutes. */
const JOB_SECONDS = 60;

const { values, positionals } = readCommandLine(HELP, {
  mostWords: 1,
  options: {
    email: { type: 'string' },
    'api-key': { type: 'string' },
    'schedule-ahead': { type: 'string', default: '70' },
  },
});
const [url = ''] = positionals;
const { email, 'api-key': apiKey = process.env.API_KEY, 'schedule-ahead': ahead } = values;
if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
  refuseCall('The http or https address of the deployment is missing; see --help.');
if (!/^[1-9]\d{0,3}$/.test(ahead)) refuseCall('--schedule-ahead is a number of seconds.');

async function run(): Promise<boolean> {
  const account = email && apiKey ? { email, apiKey } : undefined;
  const counts = { ok: 0, failed: 0, 'left out': 0 };
  const options = { scheduleAheadSeconds: Number(ahead), jobSeconds: JOB_SECONDS };
  for await (const finding of smoke(new Caller(url, account), options)) {
    const { check, outcome, seconds, reason } = finding;
    counts[outcome] += 1;
    console.log(`${outcome.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s  ${check.what}`);
    if (outcome !== 'ok') console.log(`${' '.repeat(19)}It would prove: ${check.proves}.`);
    if (reason) console.log(`${' '.repeat(19)}${reason}`);
  }
  console.log(`${counts.ok} ok, ${counts.failed} failed, ${counts['left out']} left out`);
  return counts.failed === 0;
}

process.exitCode = (await run()) ? 0 : 1;
