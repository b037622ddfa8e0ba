import {
  GetParameterCommand,
  ParameterAlreadyExists,
  ParameterNotFound,
  PutParameterCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { bootstrapOrganization } from '#functions/bootstrap.ts';
import { beginConversations } from '#shared/actions/organization/begin-conversations.ts';
import { completeBlockSummaries } from '#shared/api/auth/complete-accounts.ts';
import { issueApiKey } from '#shared/api/auth/issue-api-key.ts';
import { API_PREFIX } from '#shared/api/route.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { defaultConfig } from '#shared/runtime/config.ts';
import { randomIds } from '#shared/runtime/ids.ts';
import type { Services } from '#shared/runtime/services.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';
import { MISUSED, Misuse, parseCommandLine } from '../command-line.ts';
import { newSecret } from '../local/secret.ts';
import { names } from './names.ts';

const HELP = `Usage: npm run bootstrap:organization -- --name <name> --owner-email <address> [options]

Creates the organization and its owner in a deployed stack, and prints the owner's API key. Safe to run again: it then
only updates the organization's address.

Options:
  --name <name>             name of the organization
  --owner-email <address>   e-mail address of its owner
  --owner-name <name>       full name of the owner (Owner)
  --language <language>     its default language: en, de, ja or ar (en)
  --owner-may-change-emails lets the owner change e-mail addresses of others, also in a later run
  --reactivate              reactivates an organization that an owner deactivated
  --stage <stage>           the deployment (prod)
  --table <name>            its table (team-chat-<stage>)
  --url <address>           its address for clients (the address of the stack)
  --help                    print this text

Environment variables:
  OWNER_PASSWORD            password of the owner (none: sign in by API key)
  AWS_REGION, AWS_PROFILE   and others that the AWS SDK reads

The first run creates the secret of API keys as an encrypted parameter. It is never printed.

Example:
  npm run bootstrap:organization -- --name Kiln --owner-email owner@example.com --stage prod`;

/** The languages of the texts that a new organization begins with. */
const LANGUAGES = ['en', 'de', 'ja', 'ar'];

/** The stage is not there to have an organization. */
class NotDeployed extends Error {}

interface Options {
  name: string;
  ownerEmail: string;
  ownerFullName: string | undefined;
  language: string | undefined;
  ownerMayChangeEmails: boolean;
  reactivates: boolean;
  stage: string;
  table: string;
  url: string | undefined;
}

function readOptions(args: string[]): Options | 'help' {
  const string = { type: 'string' } as const;
  const { values } = parseCommandLine(args, {
    name: string,
    'owner-email': string,
    'owner-name': string,
    language: string,
    'owner-may-change-emails': { type: 'boolean', default: false },
    reactivate: { type: 'boolean', default: false },
    stage: { ...string, default: 'prod' },
    table: string,
    url: string,
    help: { type: 'boolean' },
  });
  if (values.help) return 'help';
  const { name, 'owner-email': ownerEmail, stage, url } = values;
  if (!name?.trim()) throw new Misuse('--name is missing; see --help.');
  if (!ownerEmail?.trim()) throw new Misuse('--owner-email is missing; see --help.');
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new Misuse('--url must be an http or https address.');
  const table = values.table ?? names(stage).table;
  const ownerMayChangeEmails = values['owner-may-change-emails'];
  const { 'owner-name': ownerFullName, reactivate: reactivates, language } = values;
  if (language !== undefined && !LANGUAGES.includes(language))
    throw new Misuse(`--language must be one of ${LANGUAGES.join(', ')}.`);
  return { name, ownerEmail, ownerFullName, language, ownerMayChangeEmails, reactivates, stage, table, url };
}

async function findParameter(ssm: SSMClient, name: string): Promise<string | undefined> {
  try {
    const reply = await ssm.send(new GetParameterCommand({ Name: name, WithDecryption: true }));
    return reply.Parameter?.Value;
  } catch (failure) {
    if (failure instanceof ParameterNotFound) return undefined;
    throw failure;
  }
}

/** The secret from which API keys are derived; never overwritten, because that would invalidate all keys. */
async function findOrCreateSecret(ssm: SSMClient, name: string): Promise<string> {
  const existing = await findParameter(ssm, name);
  if (existing) return existing;
  const secret = newSecret();
  try {
    await ssm.send(new PutParameterCommand({ Name: name, Type: 'SecureString', Value: secret }));
    return secret;
  } catch (failure) {
    const other = failure instanceof ParameterAlreadyExists ? await findParameter(ssm, name) : undefined;
    if (other) return other;
    throw failure;
  }
}

function servicesFor(tableName: string, secret: string): Services {
  const unused = async () => {
    throw new Error('A new organization schedules nothing, sends no mail and has no files');
  };
  return {
    table: new DynamoTable({ tableName }),
    scheduler: { put: unused, remove: unused },
    // The sweep publishes the jobs of the first channel.
    bus: { publish: async () => undefined, wakeNotifier: unused },
    mail: { send: unused },
    images: { shrink: unused },
    outside: { call: unused },
    files: {
      put: unused,
      putPieces: unused,
      find: unused,
      remove: unused,
      clear: unused,
      downloadUrl: unused,
    },
    apiDocument: unused,
    clock: systemClock,
    ids: randomIds,
    secret: async () => secret,
    config: defaultConfig,
  };
}

async function run(args: string[]): Promise<string> {
  const options = readOptions(args);
  if (options === 'help') return HELP;
  const { name, ownerEmail, ownerFullName, language, ownerMayChangeEmails, reactivates, stage, table } =
    options;
  const ownerPassword = process.env.OWNER_PASSWORD;
  const ssm = new SSMClient();
  const { urlParameter, secretParameter } = names(stage);
  const url = (options.url ?? (await findParameter(ssm, urlParameter)))?.replace(/\/+$/, '');
  if (!url)
    throw new NotDeployed(`The stage ${stage} is not deployed in this account and region, or give --url.`);
  const secret = await findOrCreateSecret(ssm, secretParameter);
  const services = servicesFor(table, secret);
  const { owner, created } = await bootstrapOrganization(services, {
    organizationName: name,
    url,
    ownerEmail,
    ...(ownerPassword && { ownerPassword }),
    ...(ownerFullName && { ownerFullName }),
    ...(language !== undefined && { language }),
    ownerMayChangeEmails,
    reactivates,
  });
  if (created) await beginConversations(services, owner.userId);
  else await completeBlockSummaries(services);
  const apiKey = await issueApiKey(services, owner);
  return `${created ? 'Created the organization.' : 'The organization exists already.'}
Owner:   ${owner.email}
API key: ${apiKey}
Try:     curl -sS -u '${owner.email}:${apiKey}' '${url}${API_PREFIX}/users/me'`;
}

try {
  console.log(await run(process.argv.slice(2)));
} catch (failure) {
  const { message, name } = failure as Error;
  const isMisuse = failure instanceof Misuse;
  console.error(isMisuse || failure instanceof NotDeployed ? message : `${name}: ${message}`);
  process.exitCode = isMisuse ? MISUSED : 1;
}
