import { BadRequest } from '#shared/domain/errors.ts';

/** Returns the error for a value of this name; undefined when it is valid. */
type Check = (value: unknown, name: string) => string | undefined;

const text: Check = (value, name) => (typeof value === 'string' ? undefined : `${name} is not a string`);
const integer: Check = (value, name) => (Number.isInteger(value) ? undefined : `${name} is not an integer`);
const yesOrNo: Check = (value, name) => (typeof value === 'boolean' ? undefined : `${name} is not a boolean`);
const upOrDown: Check = (value, name) =>
  integer(value, name) ?? (value === 1 || value === -1 ? undefined : `Invalid ${name}`);

interface Kind {
  fields: Record<string, Check>;
  /** The error for users other than the widget's author. */
  forAuthor?: string;
}

const kinds: Record<string, Record<string, Kind>> = {
  poll: {
    vote: { fields: { key: text, vote: upOrDown } },
    question: {
      fields: { question: text },
      forAuthor: "You can't edit a question unless you are the author.",
    },
    new_option: { fields: { option: text, idx: integer } },
  },
  todo: {
    new_task: { fields: { key: integer, task: text, desc: text, completed: yesOrNo } },
    strike: { fields: { key: text } },
    new_task_list_title: {
      fields: { title: text },
      forAuthor: "You can't edit the task list title unless you are the author.",
    },
  },
};

/** The parsed content of a submessage. @throws BadRequest for invalid JSON */
export function parseSubmessage(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new BadRequest('Invalid json for submessage');
  }
}

/**
 * Validates data for known widgets, so that clients understand it; unknown widgets accept anything.
 * @throws BadRequest
 */
export function requireWidgetData(widgetType: string | undefined, data: unknown, isAuthor: boolean): void {
  const known = Object.hasOwn(kinds, widgetType ?? '') ? kinds[widgetType ?? ''] : undefined;
  if (!known) return;
  const name = `${widgetType} data`;
  if (!isRecord(data)) throw new BadRequest(`${name} is not a dict`);
  refuse(checkField(data, 'type', text, name));
  const type = String(data.type);
  const kind = Object.hasOwn(known, type) ? known[type] : undefined;
  if (!kind) throw new BadRequest(`Unknown type for ${name}: ${type}`);
  if (kind.forAuthor && !isAuthor) throw new BadRequest(kind.forAuthor);
  for (const [field, check] of Object.entries(kind.fields)) refuse(checkField(data, field, check, name));
  const unexpected = Object.keys(data).filter(
    (field) => field !== 'type' && !Object.hasOwn(kind.fields, field),
  );
  if (unexpected.length > 0) throw new BadRequest(`Unexpected arguments: ${unexpected.join(', ')}`);
}

const checkField = (data: Record<string, unknown>, field: string, check: Check, name: string) =>
  Object.hasOwn(data, field)
    ? check(data[field], `${name}["${field}"]`)
    : `${field} key is missing from ${name}`;

function refuse(complaint: string | undefined): void {
  if (complaint !== undefined) throw new BadRequest(complaint);
}

/** The widget type, from the first submessage of its author. */
export function widgetTypeOf(content: string): string | undefined {
  const data = parseSubmessage(content);
  return isRecord(data) && typeof data.widget_type === 'string' ? data.widget_type : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
