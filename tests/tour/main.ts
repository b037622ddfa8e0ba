import { startService } from '#infra/local/start.ts';
import { Guide, type Person } from './guide.ts';
import { tour } from './tour.ts';

/**
 * `npm run tour [-- URL EMAIL KEY]`: walks through the API of a running service as an owner of it, or through one that
 * is started for the tour. Ends with status 1 at the first reply that is not as it should be.
 */
const [url, email, apiKey, ...more] = process.argv.slice(2);
if (more.length > 0 || (url !== undefined && apiKey === undefined)) {
  console.error('npm run tour [-- URL EMAIL KEY]');
  process.exit(2);
}

const service = url === undefined ? await startService({ port: 0 }) : undefined;
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
