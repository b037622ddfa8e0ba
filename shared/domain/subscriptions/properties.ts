import type { Change } from '#shared/domain/change.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import type { LogEvent } from '#shared/events/catalogue.ts';
import { channelKeys } from '#shared/table/keys/channels.ts';
import type { Subscription } from './subscription.ts';

/** The properties that a user may set on a subscription, and where they are stored. */
const booleans = {
  is_muted: 'isMuted',
  in_home_view: 'isMuted',
  pin_to_top: 'isPinned',
  desktop_notifications: 'desktopNotifications',
  audible_notifications: 'audibleNotifications',
  push_notifications: 'pushNotifications',
  email_notifications: 'emailNotifications',
  wildcard_mentions_notify: 'wildcardMentionsNotify',
} as const;
type BooleanProperty = keyof typeof booleans;

const isBooleanProperty = (name: string): name is BooleanProperty => Object.hasOwn(booleans, name);

/** One property of one subscription, as a client sends it. */
export interface PropertyRequest {
  channelId: number;
  property: string;
  value: unknown;
}

/** A parsed request. */
export type PropertyEdit = { channelId: number } & (
  | { property: 'color'; value: string }
  | { property: Exclude<BooleanProperty, 'in_home_view'>; value: boolean }
);

const COLOR = /^#[0-9a-f]{6}$/i;

/** @throws BadRequest for unknown properties and invalid values */
export function readPropertyEdit({ channelId, property, value }: PropertyRequest): PropertyEdit {
  if (property === 'color') {
    if (typeof value !== 'string') throw new BadRequest('color is not a string');
    if (!COLOR.test(value)) throw new BadRequest('color is not a valid hex color code');
    return { channelId, property, value: value.toLowerCase() };
  }
  if (!isBooleanProperty(property)) throw new BadRequest(`Unknown subscription property: ${property}`);
  if (typeof value !== 'boolean') throw new BadRequest(`${property} is not a boolean`);
  return property === 'in_home_view'
    ? { channelId, property: 'is_muted', value: !value }
    : { channelId, property, value };
}

/** Changes properties of a user's subscriptions; undefined when nothing changes. */
export function propertiesChange(subscriptions: Subscription[], edits: PropertyEdit[]): Change | undefined {
  const parts = subscriptions.map((subscription) => ({
    subscription,
    news: listNews(
      subscription,
      edits.filter(({ channelId }) => channelId === subscription.channelId),
    ),
  }));
  const changed = parts.filter(({ news }) => news.length > 0);
  if (changed.length === 0) return undefined;
  return {
    writes: changed.map(({ subscription, news }) => ({
      kind: 'update',
      key: channelKeys.subscription(subscription.userId, subscription.channelId),
      set: Object.fromEntries(news.map(({ property, value }) => [attributeOf(property), value])),
      condition: { equals: { intervals: subscription.intervals } },
    })),
    events: changed.flatMap(({ subscription, news }) => news.flatMap((edit) => eventsOf(subscription, edit))),
  };
}

/** The last edit of each property that changes it. */
function listNews(subscription: Subscription, edits: PropertyEdit[]): PropertyEdit[] {
  const last = new Map(edits.map((edit) => [edit.property, edit]));
  return [...last.values()].filter(({ property, value }) => subscription[attributeOf(property)] !== value);
}

const attributeOf = (property: PropertyEdit['property']) =>
  property === 'color' ? property : booleans[property];

/** Older clients use the opposite of muting and get that event first. */
function eventsOf({ userId, channelId }: Subscription, { property, value }: PropertyEdit): LogEvent[] {
  const event = (name: string, given: unknown): LogEvent => ({
    audience: { kind: 'users', userIds: [userId] },
    payload: { type: 'subscription', op: 'update', stream_id: channelId, property: name, value: given },
  });
  return [...(property === 'is_muted' ? [event('in_home_view', !value)] : []), event(property, value)];
}
