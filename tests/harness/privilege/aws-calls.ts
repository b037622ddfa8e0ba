import type { Places } from '#infra/aws/grants.ts';
import type { Services } from '#shared/runtime/services.ts';
import type { Key } from '#shared/table/keys/key.ts';
import type { Query, Table, Write } from '#shared/table/table.ts';
import type { CallOfAws } from './iam.ts';

const ACCOUNT = 'eu-central-1:123456789012';

/** The ARNs of a deployment, as the policies name them. */
export const places: Places = {
  table: `arn:aws:dynamodb:${ACCOUNT}:table/team-chat-prod`,
  logGroup: `arn:aws:logs:${ACCOUNT}:log-group:/team-chat/prod/functions:*`,
  secretParameter: `arn:aws:ssm:${ACCOUNT}:parameter/team-chat/prod/api-key-secret`,
  pushRelayKeyParameter: `arn:aws:ssm:${ACCOUNT}:parameter/team-chat/prod/push-relay-key`,
  gifKeyParameter: `arn:aws:ssm:${ACCOUNT}:parameter/team-chat/prod/gif-key`,
  jwtKeyParameter: `arn:aws:ssm:${ACCOUNT}:parameter/team-chat/prod/jwt-key`,
  zoomSecretParameter: `arn:aws:ssm:${ACCOUNT}:parameter/team-chat/prod/zoom-secret`,
  filesBucket: 'arn:aws:s3:::team-chat-prod-123456789012-eu-central-1',
  bus: `arn:aws:events:${ACCOUNT}:event-bus/team-chat-prod`,
  mailConfiguration: `arn:aws:ses:${ACCOUNT}:configuration-set/team-chat-prod`,
  mailIdentity: `arn:aws:ses:${ACCOUNT}:identity/example.org`,
  schedules: `arn:aws:scheduler:${ACCOUNT}:schedule/team-chat-prod/*`,
  schedulerRole: 'arn:aws:iam::123456789012:role/schedules',
  tableStream: `arn:aws:dynamodb:${ACCOUNT}:table/team-chat-prod/stream/*`,
  outsideFunction: `arn:aws:lambda:${ACCOUNT}:function:team-chat-prod-call-outside`,
  pusherFunction: `arn:aws:lambda:${ACCOUNT}:function:team-chat-prod-push-events`,
  connections: `arn:aws:execute-api:${ACCOUNT}:sockets/live`,
};

export type Judge = (call: CallOfAws) => void;

const ofTable = (verb: string, partitions: string[], index?: string): CallOfAws => ({
  action: `dynamodb:${verb}`,
  resource: index ? `${places.table}/index/${index}` : places.table,
  context: { 'dynamodb:LeadingKeys': [...new Set(partitions)] },
});
const other = (action: string, resource: string, context: CallOfAws['context'] = {}): CallOfAws => ({
  action,
  resource,
  context,
});

const VERBS = { put: 'PutItem', update: 'UpdateItem', delete: 'DeleteItem', check: 'ConditionCheckItem' };
const writeCall = (write: Write): CallOfAws =>
  ofTable(VERBS[write.kind], [write.kind === 'put' ? write.item.pk : write.key.pk]);
const queryCall = ({ partition, index }: Query): CallOfAws => ofTable('Query', [partition], index);
const keyCall =
  (verb: string) =>
  (key: Key): CallOfAws =>
    ofTable(verb, [key.pk]);

/** The table, whose calls are judged before they happen: each part of a transaction and each key of a batch for itself. */
export function judgedTable(table: Table, judge: Judge): Table {
  return {
    find(key, options) {
      judge(keyCall('GetItem')(key));
      return table.find(key, options);
    },
    findMany(keys, options) {
      for (const key of keys) judge(keyCall('BatchGetItem')(key));
      return table.findMany(keys, options);
    },
    page(query) {
      judge(queryCall(query));
      return table.page(query);
    },
    list(query) {
      judge(queryCall(query));
      return table.list(query);
    },
    write(write, options) {
      judge(writeCall(write));
      return table.write(write, options);
    },
    scanKeys(after) {
      judge({
        action: 'dynamodb:Scan',
        resource: places.table,
        context: { 'dynamodb:Select': ['SPECIFIC_ATTRIBUTES'], 'dynamodb:Attributes': ['pk', 'sk'] },
      });
      return table.scanKeys(after);
    },
    increment(key, ...others) {
      judge(keyCall('UpdateItem')(key));
      return table.increment(key, ...others);
    },
    transact(writes, token) {
      for (const write of writes) judge(writeCall(write));
      return table.transact(writes, token);
    },
  };
}

type Calls = (...given: never[]) => CallOfAws[];

const file = (verb: string) => (name: string) => [other(`s3:${verb}`, `${places.filesBucket}/${name}`)];
const schedules = (...verbs: string[]) => [
  ...verbs.map((verb) => other(`scheduler:${verb}Schedule`, places.schedules.replace('*', 'one'))),
];
const pass = other('iam:PassRole', places.schedulerRole, {
  'iam:PassedToService': ['scheduler.amazonaws.com'],
});
const publish = () => [other('events:PutEvents', places.bus)];

/** The permissions that each method needs at AWS; it may need fewer. */
const callsOf: Partial<Record<keyof Services, Record<string, Calls>>> = {
  files: {
    put: file('PutObject'),
    putPieces: (name: string) => [...file('PutObject')(name), ...file('AbortMultipartUpload')(name)],
    find: (name: string) => [...file('GetObject')(name), other('s3:ListBucket', places.filesBucket)],
    remove: file('DeleteObject'),
    clear: (folder: string) => [
      other('s3:ListBucket', places.filesBucket, { 's3:prefix': [`${folder}/`] }),
      ...file('DeleteObject')(`${folder}/x`),
    ],
    downloadUrl: file('GetObject'),
  },
  bus: { publish, wakeNotifier: publish },
  outside: { call: () => [other('lambda:InvokeFunction', places.outsideFunction)] },
  mail: {
    send: () =>
      [places.mailIdentity, places.mailConfiguration].map((one) => other('ses:SendEmail', one ?? '')),
  },
  scheduler: {
    put: () => [...schedules('Create', 'Update'), pass],
    remove: () => schedules('Delete'),
  },
  relay: {
    register: () => [other('ssm:GetParameter', places.pushRelayKeyParameter ?? '')],
    notify: () => [other('ssm:GetParameter', places.pushRelayKeyParameter ?? '')],
  },
};

/** Has every call of the services judged before it happens. */
export function judgeCalls(services: Services, judge: Judge): void {
  services.table = judgedTable(services.table, judge);
  for (const [part, methods] of Object.entries(callsOf)) {
    const target = services[part as keyof Services] as object | undefined;
    if (target) Object.assign(services, { [part]: judged(target, methods, judge) });
  }
  const { secret } = services;
  services.secret = () => {
    judge(other('ssm:GetParameter', places.secretParameter));
    return secret();
  };
}

function judged(target: object, methods: Record<string, Calls>, judge: Judge): object {
  return new Proxy(target, {
    get(_target, name) {
      const method = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...given: never[]) => {
        for (const call of methods[String(name)]?.(...given) ?? []) judge(call);
        return method.apply(target, given);
      };
    },
  });
}
