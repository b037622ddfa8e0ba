import { readCommandLine, refuseCall } from '#infra/command-line.ts';
import type { Service } from '#infra/local/start.ts';
import { Guide, type Person } from './guide.ts';
import { tour } from './tour.ts';

const HELP = `Usage: npm run tour [-- <url> <email> <key>]

Calls the API step by step and prints each request with its reply, of a running service or of one that is started for the
tour. Ends with status 1 at the first wrong reply.

Arguments:
  <url>    address of the service
  <email>  e-mail address of an owner
  <key>    the API key of the owner

Options:
  --help   print this text

Example:
  npm run tour -- http://127.0.0.1:9991 owner@example.com 59C0nI79HEXQnB7sbfFGQ2uhg9NjSGRJ`;

const { positionals } = readCommandLine(HELP, { mostWords: 3 });
const [url, email, apiKey] = positionals;
if (url !== undefined && apiKey === undefined)
  refuseCall('A tour of a running service takes its address, an e-mail address and a key; see --help.');

const service = url === undefined ? await startOwn() : undefined;
const owner = { email: email ?? service?.owner.email ?? '', apiKey: apiKey ?? service?.owner.apiKey ?? '' };
try {
  const guide = new Guide((url ?? service?.url ?? '').replace(/\/$/, ''), console.log);
  const first: Person = { ...owner, name: 'the owner', userId: 0 };
  const { user_id: userId } = await guide.call('GET /users/me', { as: first, expect: { is_owner: true } });
  await tour(guide, { ...first, userId });
  console.log(`\nThe tour made ${guide.called.length} requests, and every reply was as it should be.`);
} catch (surprise) {
  console.error(`\nA surprise: ${surprise instanceof Error ? surprise.message : String(surprise)}`);
  process.exitCode = 1;
} finally {
  await service?.stop();
}

/** Loaded on demand, because the service is much code. */
async function startOwn(): Promise<Service> {
  const { startService } = await import('#infra/local/start.ts');
  return startService({ port: 0 });
}
