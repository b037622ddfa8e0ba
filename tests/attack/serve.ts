import { randomUUID } from 'node:crypto';
import { startService } from '#infra/local/start.ts';
import { defaultConfig } from '#shared/runtime/config.ts';
import { QUOTA_MEBIBYTES } from './quota.ts';

/**
 * The service under attack, in a process of its own: with the limits of production, all data in memory, at an address
 * of this computer. Sends its address to the parent process, and its resource usage on request.
 */
const ownerPassword = randomUUID();
const service = await startService({
  port: 0,
  ownerPassword,
  requestsPerMinute: defaultConfig.requestLimits.user.requests,
  config: { uploadQuotas: { ...defaultConfig.uploadQuotas, accountPerDay: QUOTA_MEBIBYTES } },
});
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuSeconds: (user + system) / 1e6, megabytes: process.memoryUsage.rss() / 2 ** 20 });
});
process.on('disconnect', () => void service.stop().then(() => process.exit(0)));
const { url, owner } = service;
process.send?.({ url, owner: { ...owner, password: ownerPassword } });
