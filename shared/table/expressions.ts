import type { Condition, Item, Query, Write } from './table.ts';

/** Collects names and values of a DynamoDB expression as placeholders. */
class Placeholders {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, unknown> = {};
  #count = 0;

  name(attribute: string): string {
    const placeholder = `#${attribute}`;
    this.names[placeholder] = attribute;
    return placeholder;
  }

  value(value: unknown): string {
    const placeholder = `:v${this.#count++}`;
    this.values[placeholder] = value;
    return placeholder;
  }

  toRequest() {
    return {
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
    };
  }
}

function conditionText(condition: Condition, use: Placeholders): string {
  const parts: string[] = [];
  if (condition.exists === true) parts.push(`attribute_exists(${use.name('pk')})`);
  if (condition.exists === false) parts.push(`attribute_not_exists(${use.name('pk')})`);
  for (const [attribute, value] of Object.entries(condition.equals ?? {}))
    parts.push(`${use.name(attribute)} = ${use.value(value)}`);
  for (const [attribute, value] of Object.entries(condition.differs ?? {}))
    parts.push(
      `(attribute_not_exists(${use.name(attribute)}) OR ${use.name(attribute)} <> ${use.value(value)})`,
    );
  for (const [attribute, value] of Object.entries(condition.belowOrAbsent ?? {}))
    parts.push(
      `(attribute_not_exists(${use.name(attribute)}) OR ${use.name(attribute)} < ${use.value(value)})`,
    );
  for (const [attribute, value] of Object.entries(condition.above ?? {}))
    parts.push(`${use.name(attribute)} > ${use.value(value)}`);
  for (const attribute of condition.absent ?? []) parts.push(`attribute_not_exists(${use.name(attribute)})`);
  return parts.join(' AND ');
}

function updateText(write: Extract<Write, { kind: 'update' }>, use: Placeholders): string {
  const clause = (verb: string, entries: [string, unknown][], joiner: string): string[] =>
    entries.length === 0
      ? []
      : [
          `${verb} ${entries.map(([name, value]) => `${use.name(name)}${joiner}${use.value(value)}`).join(', ')}`,
        ];
  const removed = (write.remove ?? []).map((name) => use.name(name));
  return [
    ...clause('SET', definedEntries(write.set), ' = '),
    ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
    ...clause('ADD', Object.entries(write.add ?? {}), ' '),
    ...clause('DELETE', Object.entries(write.take ?? {}), ' '),
  ].join(' ');
}

const definedEntries = (item: Item | undefined): [string, unknown][] =>
  Object.entries(item ?? {}).filter(([, value]) => value !== undefined);

/** The parameters of a write request, without the table name. */
export function writeRequest(write: Write) {
  const use = new Placeholders();
  const update = write.kind === 'update' ? { UpdateExpression: updateText(write, use) } : {};
  const condition = write.condition
    ? {
        ConditionExpression: conditionText(write.condition, use),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      }
    : {};
  const target = write.kind === 'put' ? { Item: write.item } : { Key: write.key };
  return { ...target, ...update, ...condition, ...use.toRequest() };
}

/** Key condition and projection of a query, as request parameters. */
export function queryRequest(query: Query, partitionKey: string, sortKey: string) {
  const use = new Placeholders();
  const parts = [`${use.name(partitionKey)} = ${use.value(query.partition)}`];
  if (query.prefix !== undefined) parts.push(`begins_with(${use.name(sortKey)}, ${use.value(query.prefix)})`);
  else if (query.from !== undefined && query.to !== undefined)
    parts.push(`${use.name(sortKey)} BETWEEN ${use.value(query.from)} AND ${use.value(query.to)}`);
  else if (query.from !== undefined) parts.push(`${use.name(sortKey)} >= ${use.value(query.from)}`);
  else if (query.to !== undefined) parts.push(`${use.name(sortKey)} <= ${use.value(query.to)}`);
  const projection = query.attributes?.map((attribute) => use.name(attribute)).join(', ');
  return {
    KeyConditionExpression: parts.join(' AND '),
    ...(projection && { ProjectionExpression: projection }),
    ...use.toRequest(),
  };
}
