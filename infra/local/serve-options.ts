import { defaultConfig, readConfig } from '#shared/runtime/config.ts';
import { requestLimitsOf } from './local-config.ts';
import { readOptions } from './options.ts';
import type { ServiceOptions } from './start.ts';
import { SettingFailure } from './start-failure.ts';

export const serveHelp = `Usage: npm run serve

Runs the team chat service on a machine that others reach, behind a proxy that ends TLS. Prints no key and no sign-in
link: npm run sign-in-link prints one. docs/one-machine.md explains the set-up of a machine.

Environment variables:
  PUBLIC_URL         address by which people reach the service, as https://chat.example.org (required)
  TRUSTED_PROXY      number of proxies that append to X-Forwarded-For (0: strangers behind a proxy share one limit)
  SMTP_URL           server that sends mails, as smtps://user:password@mail.example.org (none: no mails are sent)
  MAIL_SENDER        sender of mails (Team Chat <noreply@the host of PUBLIC_URL>)
  DATA_DIR           folder that keeps the data (.data)
  PORT               port to listen on (9991)
  HOST               address to listen on (127.0.0.1)
  OWNER_EMAIL        e-mail address of the owner, required at the first start
  OWNER_PASSWORD     password of the owner, read at the first start (none: sign in by a link)
  ORGANIZATION_NAME  name of the organization, read at the first start (Team Chat)
  ORGANIZATION_LANGUAGE
                     its default language, read at the first start: en, de, ja or ar (en)
  REQUESTS_PER_MINUTE
                     requests of one account in a minute (200), half without credentials
  CONFIRMATIONS_PER_DAY
                     mails that strangers of one network may request within 24 hours (20)

npm start -- --help lists other settings.

Options:
  --help             print this text

Example:
  PUBLIC_URL=https://chat.example.org TRUSTED_PROXY=1 OWNER_EMAIL=ada@example.org npm run serve`;

/** The settings of `npm run serve`. */
export type ServeOptions = Pick<
  ServiceOptions,
  | 'config'
  | 'language'
  | 'trustedProxies'
  | 'smtpUrl'
  | 'ownerPassword'
  | 'relay'
  | 'reactivates'
  | 'ownerMayChangeEmails'
> & {
  port: number;
  host: string;
  publicUrl: string;
  dataDir: string;
  ownerEmail: string | undefined;
  organizationName: string;
};

const MAX_PROXIES = 9;

/** @throws StartFailure with the name of the invalid variable */
export function readServeOptions(environment: NodeJS.ProcessEnv): ServeOptions {
  const setting = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const { dataDir, devKeys, dynamodbEndpoint, showsUnits, requestsPerMinute, ...options } =
    readOptions(environment);
  if (devKeys) throw new SettingFailure('DEV_KEYS is for npm start alone: others reach this service.');
  if (dataDir === undefined)
    throw new SettingFailure('DATA_DIR must be a folder: a service that others use keeps its data.');
  if (dynamodbEndpoint !== undefined)
    throw new SettingFailure('DYNAMODB_ENDPOINT is for npm start alone: this service keeps its own file.');
  if (showsUnits) throw new SettingFailure('CONSUMED_UNITS is for npm start alone.');
  const publicUrl = readPublicUrl(setting('PUBLIC_URL'));
  const smtpUrl = readSmtpUrl(setting('SMTP_URL'));
  const { mailLimits } = readConfig(environment);
  const sender = setting('MAIL_SENDER') ?? `Team Chat <noreply@${new URL(publicUrl).hostname}>`;
  return {
    ...options,
    ownerEmail: setting('OWNER_EMAIL') && options.ownerEmail,
    dataDir,
    publicUrl,
    trustedProxies: readProxies(setting('TRUSTED_PROXY')),
    smtpUrl,
    config: {
      mailLimits,
      mailSender: smtpUrl === undefined ? undefined : sender,
      requestLimits: requestLimitsOf(requestsPerMinute ?? defaultConfig.requestLimits.user.requests),
    },
  };
}

function readPublicUrl(text: string | undefined): string {
  const url = text === undefined ? undefined : URL.parse(text);
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin)
    throw new SettingFailure(
      `PUBLIC_URL must be the address by which people reach the service, as https://chat.example.org, not ${JSON.stringify(text ?? '')}.`,
    );
  return url.origin;
}

/** The address holds a password, so an error does not repeat it. */
function readSmtpUrl(text: string | undefined): string | undefined {
  const url = text === undefined ? undefined : URL.parse(text);
  if (text !== undefined && !(url && /^smtps?:$/.test(url.protocol) && url.hostname !== ''))
    throw new SettingFailure('SMTP_URL must be an address such as smtps://user:password@mail.example.org.');
  return text;
}

function readProxies(text = '0'): number {
  if (!/^\d$/.test(text))
    throw new SettingFailure(
      `TRUSTED_PROXY must be a number of proxies from 0 to ${MAX_PROXIES}, not ${JSON.stringify(text)}.`,
    );
  return Number(text);
}
