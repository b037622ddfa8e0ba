import { enableCompileCache } from 'node:module';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import { DOCUMENTATION_PATH } from './documentation.ts';
import { help, readOptions } from './options.ts';
import { writeOwnerFile } from './owner-file.ts';
import type { Service } from './start.ts';
import { StartFailure } from './start-failure.ts';

/** `npm start`: the whole service on this computer. */
const FORCED_EXIT_MS = 3_000;

async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    console.log(help);
    return;
  }
  if (args.length > 0) throw new StartFailure(`Unknown argument ${args[0]}; --help tells what there is.`);
  const { dataDir, ...options } = readOptions(process.env);
  // The service is much code: loaded only when it is to start, and compiled once for all starts.
  enableCompileCache();
  const { startService } = await import('./start.ts');
  const service = await startService({
    ...options,
    dataDir,
    onEngineLost: () => exitWith(new StartFailure('The embedded DynamoDB ended, and the service with it.')),
  });
  endOnSignals(service);
  const { url, owner } = service;
  const ownerFile = dataDir && (await writeOwnerFile(dataDir, { ...owner, url }));
  console.log(describe(service, ownerFile));
}

function describe({ url, owner, services }: Service, ownerFile: string | undefined): string {
  const account = `${owner.email}:${owner.apiKey}`;
  const quoted = /^[\w.+@:-]+$/.test(account) ? account : `'${account.replaceAll("'", `'\\''`)}'`;
  return `Team Chat listens at ${url}/api/v1 and shows its API at ${url}${DOCUMENTATION_PATH}

  owner    ${owner.email}
  API key  ${owner.apiKey}
${ownerFile ? `  both in  ${ownerFile}\n` : ''}  mails    ${services.mail.folder}

Try it:
  curl -s -u ${quoted} ${url}/api/v1/users/me

Ctrl-C ends it.`;
}

function endOnSignals(service: Service): void {
  let isEnding = false;
  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), FORCED_EXIT_MS).unref();
    service.stop().then(() => process.exit(0), exitWith);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}

function exitWith(failure: unknown): void {
  const [reason] = (failure instanceof Error ? failure.message : String(failure)).split('\n');
  console.error(failure instanceof StartFailure ? failure.message : `The service failed: ${reason}`);
  process.exit(1);
}

/** On AWS a defect ends one Lambda environment; here one process serves everybody, so it is logged instead. */
process.on('uncaughtException', (failure) =>
  logLine('error', 'Nobody caught a failure', describeFailure(failure)),
);
process.on('unhandledRejection', (failure) =>
  logLine('error', 'Nobody caught a failure', describeFailure(failure)),
);

main(process.argv.slice(2)).catch(exitWith);
