import {
  type Area,
  addedByAll,
  folders as allFolders,
  areaOfIndex,
  areas,
  writeAreas,
} from '#shared/table/areas.ts';
import { tableDefinition } from '#shared/table/definition.ts';
import { REQUESTS_PREFIX } from '#shared/table/keys/limits.ts';
import { organizationKeys } from '#shared/table/keys/organization.ts';
import type { FunctionUses } from './functions.ts';

/** A policy statement as data; tests check every call of the service against these. */
export interface Grant {
  effect: 'Allow' | 'Deny';
  actions: string[];
  resources: string[];
  conditions?: Record<string, Record<string, string | string[]>>;
}

/** The ARNs of the resources that functions use. */
export interface Places {
  table: string;
  logGroup: string;
  secretParameter: string;
  /** Absent without push notifications. */
  pushRelayKeyParameter?: string | undefined;
  /** Absent without a provider of GIFs. */
  gifKeyParameter?: string | undefined;
  /** Absent if no JSON web tokens are accepted. */
  jwtKeyParameter?: string | undefined;
  /** Absent without a Zoom app. */
  zoomSecretParameter?: string | undefined;
  /** Absent without a distribution before the API. */
  originSecret?: string | undefined;
  /** Absent without a server of video calls. */
  callsSecret?: string | undefined;
  filesBucket: string;
  bus: string;
  /** Absent without mail. */
  mailIdentity?: string | undefined;
  mailConfiguration?: string | undefined;
  schedules: string;
  schedulerRole: string;
  tableStream: string;
  /** The stage of the WebSocket API; absent without the event socket. */
  connections?: string | undefined;
  outsideFunction: string;
  pusherFunction: string;
}

/** By these Lambda reads the stream for a function. */
const STREAM_ACTIONS = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(ofTable);
// No Scan: a request that needed one would read the whole organization. Only the worker that erases all of it has one.
const READ_ACTIONS = ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem'].map(ofTable);
const WRITE_ACTIONS = ['PutItem', 'UpdateItem', 'DeleteItem'].map(ofTable);
const ADD = ofTable('PutItem');
const GET_PARAMETER = 'ssm:GetParameter';
const GET_SECRET = 'secretsmanager:GetSecretValue';

/** The exact permissions for these uses. */
export function grantsFor(uses: FunctionUses, places: Places): Grant[] {
  return [
    allow(['logs:CreateLogStream', 'logs:PutLogEvents'], places.logGroup),
    ...tableGrants(uses, places.table),
    ...(uses.erases ? erasureGrants(places) : []),
    ...grantIfUsed(uses.secret, GET_PARAMETER, places.secretParameter),
    ...grantIfUsed(uses.relay, GET_PARAMETER, places.pushRelayKeyParameter),
    ...grantIfUsed(uses.gifs, GET_PARAMETER, places.gifKeyParameter),
    ...(uses.jsonWebTokens && places.jwtKeyParameter
      ? [allow([GET_PARAMETER], places.jwtKeyParameter, places.secretParameter)]
      : []),
    ...grantIfUsed(uses.zoom, GET_PARAMETER, places.zoomSecretParameter),
    ...grantIfUsed(uses.requestCounts, GET_SECRET, places.originSecret),
    ...grantIfUsed(uses.calls, GET_SECRET, places.callsSecret),
    ...fileGrants(uses, places.filesBucket),
    ...grantIfUsed(uses.bus, 'events:PutEvents', places.bus),
    ...(uses.mail ? mailGrants(places) : []),
    ...(uses.scheduler ? schedulerGrants(places) : []),
    ...(uses.stream ? [allow(STREAM_ACTIONS, places.tableStream)] : []),
    ...grantIfUsed(uses.outside, 'lambda:InvokeFunction', places.outsideFunction),
    ...grantIfUsed(uses.pusher, 'lambda:InvokeFunction', places.pusherFunction),
    ...(uses.connections && places.connections ? [connectionGrant(places.connections)] : []),
  ];
}

/** One action on a resource, if the function uses it and the deployment has it. */
const grantIfUsed = (isUsed: boolean | undefined, action: string, resource: string | undefined): Grant[] =>
  isUsed && resource ? [allow([action], resource)] : [];

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
 * Denies the areas that the function does not declare; what belongs to no area stays open, because a wrongly
 * denied call in production is worse than an extra grant. If AWS reports no keys for a part of a transaction,
 * nothing is denied; transactional reads, which the service does not use, are therefore denied completely.
 */
function denials(writes: boolean, reached: Set<Area>, actions: string[], table: string): Grant[] {
  const closed = Object.entries(areas)
    .filter(([area]) => !reached.has(area as Area))
    .flatMap(([, patterns]) => patterns);
  const addable = closed.filter(
    (pattern) =>
      (writes && addedByAll.includes(pattern)) ||
      (reached.has('newPasswords') && areas.passwords.some((password) => password === pattern)),
  );
  const shut = closed.filter((pattern) => !addable.includes(pattern));
  const readOnly = Object.entries(writeAreas)
    .filter(([area]) => writes && !reached.has(area as Area))
    .flatMap(([, patterns]) => patterns);
  return [
    ...(readOnly.length > 0 ? [deny(WRITE_ACTIONS, table, readOnly)] : []),
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

/** Writes to request counts only, for functions that otherwise only read. */
const countRequests = (table: string): Grant => ({
  ...allow([ofTable('UpdateItem')], table),
  conditions: {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${REQUESTS_PREFIX}*`] },
    // `ForAllValues` is also true without any value.
    Null: { 'dynamodb:LeadingKeys': 'false' },
  },
});

function fileGrants({ files, folders = [...allFolders] }: FunctionUses, bucket: string): Grant[] {
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
  // Without it S3 cannot distinguish a missing file from a forbidden one.
  return reads ? [...grants, allow(['s3:ListBucket'], bucket)] : grants;
}

/**
 * Deletes any item and any file, and gets to know only their keys. Of items it reads and changes only those beside the
 * organization, among which is the mark of its deletion.
 */
function erasureGrants({ table, filesBucket }: Places): Grant[] {
  const { partitionKey, sortKey } = tableDefinition;
  return [
    {
      ...allow([ofTable('Scan')], table),
      conditions: {
        StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
        'ForAllValues:StringEquals': { 'dynamodb:Attributes': [partitionKey, sortKey] },
        Null: { 'dynamodb:Attributes': 'false' },
      },
    },
    allow([ofTable('DeleteItem')], table),
    {
      ...allow(['GetItem', 'UpdateItem'].map(ofTable), table),
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [organizationKeys.closure().pk] },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    },
    allow(['s3:DeleteObject'], ...allFolders.map((folder) => `${filesBucket}/${folder}/*`)),
    {
      ...allow(['s3:ListBucket'], filesBucket),
      conditions: { StringEquals: { 's3:prefix': allFolders.map((folder) => `${folder}/`) } },
    },
  ];
}

const mailGrants = ({ mailIdentity, mailConfiguration }: Places): Grant[] =>
  mailIdentity && mailConfiguration ? [allow(['ses:SendEmail'], mailIdentity, mailConfiguration)] : [];

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

/** Posts to connections of this stage and ends them; it reads nothing about them. */
const connectionGrant = (stage: string): Grant =>
  allow(
    ['execute-api:ManageConnections'],
    ...['POST', 'DELETE'].map((method) => `${stage}/${method}/@connections/*`),
  );

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
