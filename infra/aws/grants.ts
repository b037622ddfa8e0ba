import { type Area, addedByAll, areaOfIndex, areas, type Folder } from '#shared/table/areas.ts';
import { tableDefinition } from '#shared/table/definition.ts';
import { REQUESTS_PREFIX } from '#shared/table/keys.ts';
import type { FunctionUses } from './functions.ts';

/** A statement of a policy, as data: tests hold every call of the service against these. */
export interface Grant {
  effect: 'Allow' | 'Deny';
  actions: string[];
  resources: string[];
  conditions?: Record<string, Record<string, string | string[]>>;
}

/** The ARNs of what functions use. */
export interface Places {
  table: string;
  logGroup: string;
  secretParameter: string;
  /** Absent where devices are not notified. */
  pushRelayKeyParameter?: string | undefined;
  filesBucket: string;
  bus: string;
  /** Absent where no mail is sent. */
  mailIdentity?: string | undefined;
  schedules: string;
  schedulerRole: string;
}

// There is no Scan: a request that needed one would read the whole organization.
const READ_ACTIONS = ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem'].map(ofTable);
const WRITE_ACTIONS = ['PutItem', 'UpdateItem', 'DeleteItem'].map(ofTable);
const ADD = ofTable('PutItem');
const FOLDERS: Folder[] = ['exports', 'pictures', 'uploads'];

/** Exactly what a function may do that uses these parts of the service. */
export function grantsFor(uses: FunctionUses, places: Places): Grant[] {
  const { secretParameter, pushRelayKeyParameter, mailIdentity } = places;
  return [
    allow(['logs:CreateLogStream', 'logs:PutLogEvents'], places.logGroup),
    ...tableGrants(uses, places.table),
    ...(uses.secret ? [allow(['ssm:GetParameter'], secretParameter)] : []),
    ...(uses.relay && pushRelayKeyParameter ? [allow(['ssm:GetParameter'], pushRelayKeyParameter)] : []),
    ...fileGrants(uses, places.filesBucket),
    ...(uses.bus ? [allow(['events:PutEvents'], places.bus)] : []),
    ...(uses.mail && mailIdentity ? [allow(['ses:SendEmail'], mailIdentity)] : []),
    ...(uses.scheduler ? schedulerGrants(places) : []),
  ];
}

function tableGrants(uses: FunctionUses, table: string): Grant[] {
  const counts = uses.requestCounts && uses.table !== 'write' ? [countRequests(table)] : [];
  if (uses.table === 'none') return counts;
  const reached = new Set(uses.areas ?? []);
  const actions = uses.table === 'write' ? [...READ_ACTIONS, ...WRITE_ACTIONS] : READ_ACTIONS;
  const indexes = tableDefinition.indexes.filter(({ name }) => reached.has(areaOfIndex[name]));
  return [
    allow(actions, table),
    ...(indexes.length > 0
      ? [allow([ofTable('Query')], ...indexes.map(({ name }) => `${table}/index/${name}`))]
      : []),
    ...denials(uses.table === 'write', reached, actions, table),
    ...counts,
  ];
}

/**
 * What is not reached is denied, so that what no area names is open: a call that is denied in production is worse than
 * a grant too many. Where AWS names no keys for a part of a transaction nothing is denied either; the service
 * reads by no transactions, so those are.
 */
function denials(writes: boolean, reached: Set<Area>, actions: string[], table: string): Grant[] {
  const closed = Object.entries(areas)
    .filter(([area]) => !reached.has(area as Area))
    .flatMap(([, patterns]) => patterns);
  const addable = closed.filter(
    (pattern) =>
      (writes && addedByAll.includes(pattern)) ||
      (reached.has('newPasswords') && areas.passwords.some((one) => one === pattern)),
  );
  const shut = closed.filter((pattern) => !addable.includes(pattern));
  return [
    ...(shut.length > 0 ? [deny(actions, table, shut)] : []),
    ...(addable.length > 0
      ? [
          deny(
            actions.filter((action) => action !== ADD),
            table,
            addable,
          ),
        ]
      : []),
    {
      effect: 'Deny',
      actions: [ofTable('GetItem')],
      resources: [table],
      conditions: { StringEquals: { 'dynamodb:EnclosingOperation': 'TransactGetItems' } },
    },
  ];
}

/** Writes to the counts of requests and to nothing else, for functions that otherwise only read. */
const countRequests = (table: string): Grant => ({
  ...allow([ofTable('UpdateItem')], table),
  conditions: {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${REQUESTS_PREFIX}*`] },
    // For all of no values would hold too.
    Null: { 'dynamodb:LeadingKeys': 'false' },
  },
});

function fileGrants({ files, folders = FOLDERS }: FunctionUses, bucket: string): Grant[] {
  if (!files) return [];
  const reads = files !== 'write';
  const verbs = [
    ...(reads ? ['GetObject'] : []),
    ...(files === 'read' ? [] : ['PutObject', 'DeleteObject', 'AbortMultipartUpload']),
  ];
  const grants = [
    allow(
      verbs.map((verb) => `s3:${verb}`),
      ...folders.map((folder) => `${bucket}/${folder}/*`),
    ),
  ];
  // Without it S3 would not tell a file that is missing from one that may not be read.
  return reads ? [...grants, allow(['s3:ListBucket'], bucket)] : grants;
}

const schedulerGrants = ({ schedules, schedulerRole }: Places): Grant[] => [
  allow(
    ['Create', 'Update', 'Delete'].map((verb) => `scheduler:${verb}Schedule`),
    schedules,
  ),
  {
    ...allow(['iam:PassRole'], schedulerRole),
    conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
  },
];

function allow(actions: string[], ...resources: string[]): Grant {
  return { effect: 'Allow', actions, resources };
}

function deny(actions: string[], table: string, patterns: string[]): Grant {
  return {
    effect: 'Deny',
    actions,
    resources: [table],
    conditions: { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': patterns } },
  };
}

function ofTable(action: string): string {
  return `dynamodb:${action}`;
}
