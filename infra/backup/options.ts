import { Misuse, parseCommandLine, readNumber } from '../command-line.ts';
import { readOptions } from '../local/options.ts';
import { BackupFailure } from './archive/format.ts';

const string = { type: 'string' } as const;
const boolean = { type: 'boolean', default: false } as const;

/** What both commands take. */
export interface PlaceOptions {
  /** A deployed stage; absent for the local service. */
  stage: string | undefined;
  table: string | undefined;
  bucket: string | undefined;
  withoutSecret: boolean;
  passphrase: string | undefined;
  unitsPerSecond: number | undefined;
}

const placeOptions = {
  stage: string,
  table: string,
  bucket: string,
  'without-secret': boolean,
  'units-per-second': string,
  help: { type: 'boolean' },
} as const;

/** Functions notice within 10 s that the organization is closed, and work for at most a minute; exports longer. */
const SETTLE_SECONDS = '75';
const SHORTEST_PASSPHRASE = 12;

/** @throws Misuse with the name of the wrong option */
export function readBackupOptions(args: string[], environment: NodeJS.ProcessEnv) {
  const { values } = parseCommandLine(args, { ...placeOptions, to: string, at: string });
  if (values.help) return 'help';
  const place = readPlace(values, environment);
  if (!values.to) throw new Misuse('--to is missing: the file that becomes the archive.');
  const at = values.at === undefined ? undefined : new Date(values.at);
  if (at && (Number.isNaN(at.getTime()) || !/T.*(Z|[+-]\d\d:?\d\d)$/.test(values.at ?? '')))
    throw new Misuse('--at is a time with its zone, such as 2026-05-04T10:00:00Z.');
  if (at && !place.stage)
    throw new Misuse('--at takes --stage: only a deployed stage remembers earlier times.');
  if (!place.withoutSecret && place.passphrase === undefined)
    throw new Misuse(
      'BACKUP_PASSPHRASE is missing: it seals the secret of API keys. Set it, or leave the secret out by --without-secret.',
    );
  return { ...place, passphrase: place.withoutSecret ? undefined : place.passphrase, to: values.to, at };
}

/** @throws Misuse with the name of the wrong option */
export function readRestoreOptions(args: string[], environment: NodeJS.ProcessEnv) {
  const { values } = parseCommandLine(args, {
    ...placeOptions,
    from: string,
    replace: boolean,
    'keep-queues': boolean,
    'schedules-only': boolean,
    'settle-seconds': { ...string, default: SETTLE_SECONDS },
  });
  if (values.help) return 'help';
  const place = readPlace(values, environment);
  const schedulesOnly = values['schedules-only'];
  if (schedulesOnly && !place.stage) throw new Misuse('--schedules-only takes --stage.');
  if (!schedulesOnly && !values.from) throw new Misuse('--from is missing: the archive.');
  return {
    ...place,
    archive: values.from ?? '',
    replaces: values.replace,
    keepsQueues: values['keep-queues'],
    schedulesOnly,
    settleSeconds: readNumber('--settle-seconds', values['settle-seconds']),
  };
}

/**
 * The data folder of the local service, as `npm start` reads it.
 * @throws BackupFailure if it has none
 */
export function readLocalPlace(environment: NodeJS.ProcessEnv) {
  const { dataDir, dynamodbEndpoint } = readOptions(environment);
  if (!dataDir)
    throw new BackupFailure(
      'A service that keeps its data in memory has no backups; name a folder by DATA_DIR.',
    );
  return { dataDir, dynamodbEndpoint };
}

function readPlace(
  values: {
    stage?: string;
    table?: string;
    bucket?: string;
    'without-secret': boolean;
    'units-per-second'?: string;
  },
  environment: NodeJS.ProcessEnv,
): PlaceOptions {
  const { stage, table, bucket, 'without-secret': withoutSecret, 'units-per-second': units } = values;
  const passphrase = environment.BACKUP_PASSPHRASE || undefined;
  if (passphrase !== undefined && passphrase.length < SHORTEST_PASSPHRASE)
    throw new Misuse(`BACKUP_PASSPHRASE has fewer than ${SHORTEST_PASSPHRASE} characters.`);
  if (!stage && (table || bucket)) throw new Misuse('--table and --bucket take --stage.');
  const unitsPerSecond = units === undefined ? undefined : readNumber('--units-per-second', units);
  return { stage, table, bucket, withoutSecret, passphrase, unitsPerSecond };
}
