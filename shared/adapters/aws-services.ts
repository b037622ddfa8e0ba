import { systemClock } from '#shared/runtime/clock.ts';
import { type Config, MIN_JWT_KEY_LENGTH, readConfig } from '#shared/runtime/config.ts';
import { randomIds } from '#shared/runtime/ids.ts';
import type { Relay } from '#shared/runtime/relay.ts';
import type { Bus, FileStore, Mail, Scheduler, Services } from '#shared/runtime/services.ts';
import { DynamoTable } from '#shared/table/dynamo-table.ts';

let services: Services | undefined;

/**
 * The services of a Lambda function, created at the first request and reused. Unused ones are never loaded:
 * scheduler, bus, mail, files and secret are separate modules.
 */
export function awsServices(): Services {
  if (services) return services;
  const config = readConfig(process.env);
  const used = { read: 0, write: 0 };
  services = {
    table: new DynamoTable({
      tableName: setting('TABLE_NAME'),
      meter: ({ read, write }) => {
        used.read += read;
        used.write += write;
      },
    }),
    consumed: () => used,
    scheduler: lazyScheduler(),
    bus: lazyBus(),
    mail: lazyMail(),
    files: lazyFiles(),
    images: {
      shrink: async (bytes, shapes) => (await import('./images.ts')).vipsImages.shrink(bytes, shapes),
    },
    outside: { call: async (request) => (await loadOutside()).call(request) },
    clock: systemClock,
    ids: randomIds,
    secret: once(() => readParameter('SECRET_PARAMETER')),
    apiDocument: once(async () => {
      const { readFile } = await import('node:fs/promises');
      return readFile(`${setting('LAMBDA_TASK_ROOT')}/openapi.json`, 'utf8');
    }),
    config,
    ...lateRelay(config),
    ...managedSecrets(),
    ...(process.env.GIF_KEY_PARAMETER && { gifKey: once(() => readParameter('GIF_KEY_PARAMETER')) }),
    ...secretParameters(),
  };
  return services;
}

function lazyScheduler(): Scheduler {
  const load = once(async () => {
    const { createAwsScheduler } = await import('./aws-scheduler.ts');
    return createAwsScheduler({
      groupName: setting('SCHEDULE_GROUP'),
      targetArn: setting('DELIVERY_FUNCTION_ARN'),
      roleArn: setting('SCHEDULER_ROLE_ARN'),
      deadLetterArn: setting('SCHEDULE_DEAD_LETTER_ARN'),
      clock: systemClock,
    });
  });
  return {
    put: async (...asked) => (await load()).put(...asked),
    remove: async (...asked) => (await load()).remove(...asked),
  };
}

function lazyBus(): Bus {
  const load = once(async () => {
    const { createAwsBus } = await import('./aws-bus.ts');
    return createAwsBus(setting('BUS_NAME'));
  });
  return {
    publish: async (...asked) => (await load()).publish(...asked),
    wakeNotifier: async (...asked) => (await load()).wakeNotifier(...asked),
  };
}

/** Every function knows whether there is a relay; functions that may call it can also read its key. */
function lateRelay({ relayTimeoutMs }: Config): { relay?: Relay } {
  const url = process.env.PUSH_RELAY_URL;
  if (!url) return {};
  const key = once(() => readParameter('PUSH_RELAY_KEY_PARAMETER'));
  const load = once(async () => {
    const { createRelay } = await import('./http-relay.ts');
    return createRelay({ url, user: setting('PUSH_RELAY_USER'), key, timeoutMs: relayTimeoutMs });
  });
  return {
    relay: {
      register: async (...asked) => (await load()).register(...asked),
      notify: async (...asked) => (await load()).notify(...asked),
    },
  };
}

function lazyMail(): Mail {
  const load = once(async () => {
    const { createAwsMail } = await import('./aws-mail.ts');
    return createAwsMail({
      sender: setting('MAIL_SENDER'),
      configurationSet: process.env.MAIL_CONFIGURATION,
    });
  });
  return { send: async (...asked) => (await load()).send(...asked) };
}

function lazyFiles(): FileStore {
  const load = once(async () => {
    const [{ createAwsFiles }, { placeOf }] = [await import('./aws-files.ts'), await loadPlaces()];
    return createAwsFiles({ bucket: setting('FILES_BUCKET'), ...placeOf('S3') });
  });
  return {
    put: async (...asked) => (await load()).put(...asked),
    putPieces: async (...asked) => (await load()).putPieces(...asked),
    find: async (...asked) => (await load()).find(...asked),
    remove: async (...asked) => (await load()).remove(...asked),
    clear: async (...asked) => (await load()).clear(...asked),
    downloadUrl: async (...asked) => (await load()).downloadUrl(...asked),
  };
}

const loadOutside = once(async () => {
  const [{ createAwsOutside }, { placeOf }] = [await import('./outside/aws-outside.ts'), await loadPlaces()];
  const functionName = setting('OUTSIDE_FUNCTION');
  return createAwsOutside({ functionName, ...placeOf('LAMBDA') });
});

/** The secrets shared with the distribution and with the video call server, if there are these. */
function managedSecrets(): Partial<Services> {
  const { ORIGIN_SECRET_NAME, CALLS_SECRET_NAME } = process.env;
  return {
    ...(ORIGIN_SECRET_NAME && { originSecret: once(() => readManaged(ORIGIN_SECRET_NAME)) }),
    ...(CALLS_SECRET_NAME && { callsSecret: once(() => readManaged(CALLS_SECRET_NAME)) }),
  };
}

/** The key of JSON web tokens and the secret of the Zoom app, in the functions that use them. */
function secretParameters(): Partial<Services> {
  const { JWT_KEY_PARAMETER, ZOOM_SECRET_PARAMETER } = process.env;
  return {
    ...(JWT_KEY_PARAMETER && { jwtKey: once(readJwtKey) }),
    ...(ZOOM_SECRET_PARAMETER && { zoomSecret: once(() => readParameter('ZOOM_SECRET_PARAMETER')) }),
  };
}

async function readJwtKey(): Promise<string> {
  const key = await readParameter('JWT_KEY_PARAMETER');
  if (key.length >= MIN_JWT_KEY_LENGTH) return key;
  throw new Error(
    `The parameter ${setting('JWT_KEY_PARAMETER')} must have at least ${MIN_JWT_KEY_LENGTH} characters`,
  );
}

async function readManaged(name: string): Promise<string> {
  const [{ readManagedSecret }, { placeOf }] = [await import('./aws-secret.ts'), await loadPlaces()];
  return readManagedSecret({ name, ...placeOf('SECRETS_MANAGER') });
}

/** Reads the secret parameter named by the environment variable. */
async function readParameter(variable: string): Promise<string> {
  const [{ readSecretParameter }, { placeOf }] = [await import('./aws-secret.ts'), await loadPlaces()];
  return readSecretParameter({ name: setting(variable), ...placeOf('SSM') });
}

const loadPlaces = () => import('./aws-endpoint.ts');

/** Caches a result, but not a failure: the next request tries again. */
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make().catch((failure) => {
      made = undefined;
      throw failure;
    });
    return made;
  };
}

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}
