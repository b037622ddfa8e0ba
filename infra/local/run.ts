import { DELETION_BEGAN } from '#shared/actions/organization/close-organization.ts';
import { describeFailure, logLine } from '#shared/runtime/log.ts';
import { MISUSED, readCommandLine } from '../command-line.ts';
import { hasData } from './data-folder.ts';
import { DOCUMENTATION_PATH } from './documentation.ts';
import { help, readOptions } from './options.ts';
import { describeMail } from './outbox.ts';
import { writeOwnerFile } from './owner-file.ts';
import { readServeOptions, serveHelp } from './serve-options.ts';
import { createSignInLink } from './sign-in-link.ts';
import { type Service, startService } from './start.ts';
import { SettingFailure, StartFailure } from './start-failure.ts';

export { printSignInLink } from './print-sign-in-link.ts';

/** How long requests under way may take after the signal to end. */
const GRACE_MS = 2_000;
const FORCED_EXIT_MS = 5_000;

/**
 * Runs the service by the settings of the environment until a signal ends it; prints its address once the web client is
 * built. Ends the process if it cannot start.
 */
export function run(webBuilt: Promise<void>): Promise<void> {
  logDefects();
  return start(webBuilt).catch(exitWith);
}

/** The same for a machine that others reach, which prints no key. */
export function serve(webBuilt: Promise<void>): Promise<void> {
  logDefects();
  return startServing(webBuilt).catch(exitWith);
}

function logDefects(): void {
  // On AWS a defect ends one Lambda environment; here one process serves all requests, so it is logged instead.
  process.on('uncaughtException', (failure) =>
    logLine('error', 'Uncaught failure', describeFailure(failure)),
  );
  process.on('unhandledRejection', (failure) =>
    logLine('error', 'Uncaught failure', describeFailure(failure)),
  );
}

async function start(webBuilt: Promise<void>): Promise<void> {
  readCommandLine(help);
  const { dataDir, ...options } = readOptions(process.env);
  const service = await startService({
    ...options,
    dataDir,
    beginsWithConversations: true,
    onMail: (message) => console.log(describeMail(message)),
    onTableLost: endLost,
  });
  endOnSignals(service);
  if (service.isDeleted) return warnDeleted();
  const { url, owner } = service;
  const ownerFile = dataDir && (await writeOwnerFile(dataDir, { ...owner, url }));
  const signInLink = await createSignInLink(service.services, url, owner.email);
  await webBuilt;
  console.log(describe(service, ownerFile, signInLink));
}

async function startServing(webBuilt: Promise<void>): Promise<void> {
  readCommandLine(serveHelp, { options: { serve: { type: 'boolean' } } });
  const { ownerEmail, ...options } = readServeOptions(process.env);
  const { dataDir, publicUrl, trustedProxies, smtpUrl } = options;
  if (ownerEmail === undefined && !hasData(dataDir))
    throw new StartFailure('OWNER_EMAIL must name the e-mail address of the owner at the first start.');
  const service = await startService({
    ...options,
    ownerEmail,
    beginsWithConversations: true,
    onTableLost: endLost,
  });
  endOnSignals(service);
  if (service.isDeleted) return warnDeleted();
  await writeOwnerFile(dataDir, { ...service.owner, url: publicUrl });
  await webBuilt;
  console.log(`Team Chat serves ${publicUrl} and listens at ${service.url}.`);
  if (smtpUrl === undefined) logLine('warn', 'No mails are sent, because SMTP_URL is not set');
  if (trustedProxies === 0 && publicUrl.startsWith('https:'))
    logLine('warn', 'Strangers share the limits of one address, because TRUSTED_PROXY is not set');
}

/** The service runs all the same, so that clients get an answer. */
const warnDeleted = (): void => logLine('warn', DELETION_BEGAN);

const endLost = ({ message }: Error): void =>
  exitWith(new StartFailure(`The disk failed, and the service ends: ${message}`));

function describe(
  { url, owner, services }: Service,
  ownerFile: string | undefined,
  signInLink: string,
): string {
  const account = `${owner.email}:${owner.apiKey}`;
  const quoted = /^[\w.+@:-]+$/.test(account) ? account : `'${account.replaceAll("'", `'\\''`)}'`;
  return `Team Chat listens at ${url}/api/v1 and shows its API at ${url}${DOCUMENTATION_PATH}

  owner    ${owner.email}
  API key  ${owner.apiKey}
${ownerFile ? `  both in  ${ownerFile}\n` : ''}  mails    ${services.mail.folder}

Sign in as the owner, once and within 15 minutes:
  ${signInLink}

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
    service.stop(GRACE_MS).then(() => process.exit(0), exitWith);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}

function exitWith(failure: unknown): void {
  const [reason] = (failure instanceof Error ? failure.message : String(failure)).split('\n');
  console.error(failure instanceof StartFailure ? failure.message : `The service failed: ${reason}`);
  process.exit(failure instanceof SettingFailure ? MISUSED : 1);
}
