import { checkTopic } from '#shared/domain/messages/topic.ts';
import { placeOfUnfit } from '#shared/domain/names.ts';
import { AnomalousWebhookPayload, MissingHttpEventHeader, UnsupportedWebhookEventType } from './errors.ts';
import type { Delivery, Integration, Note } from './integration.ts';
import { fitsPattern } from './pattern.ts';
import { UnexpectedPayload } from './payload.ts';
import { line, neutral } from './words.ts';

/** More messages of one request are summed up in one. */
const MAX_NOTES = 20;

/** Which events the address wants; patterns as shells have them. */
export interface EventFilter {
  only?: string[] | undefined;
  except?: string[] | undefined;
}

export interface Reading {
  /** The names of the events of the delivery. */
  events: string[];
  notes: Note[];
}

/**
 * The messages of a delivery, at most 20. Mentions in them notify no one.
 * @throws MissingHttpEventHeader, UnsupportedWebhookEventType, AnomalousWebhookPayload
 */
export function readDelivery(integration: Integration, delivery: Delivery, filter: EventFilter): Reading {
  const { eventHeader, displayName } = integration;
  if (eventHeader !== undefined && !delivery.header(eventHeader))
    throw new MissingHttpEventHeader(eventHeader);
  try {
    const parts = (integration.parts?.(delivery) ?? [delivery]).map((part) =>
      readPart(integration, part, filter),
    );
    const notes = parts.flatMap((part) => part.notes).filter(({ content }) => content.trim() !== '');
    return {
      events: [...new Set(parts.flatMap(({ event }) => event ?? []))],
      notes: summed(notes).map(integration.hasOwnMentions ? storable : harmless),
    };
  } catch (failure) {
    if (failure instanceof UnexpectedPayload) throw new AnomalousWebhookPayload(displayName);
    throw failure;
  }
}

/** One part of a delivery: its event, and its notes. */
function readPart(
  { eventOf, events = {}, ignored = [], says, displayName }: Integration,
  delivery: Delivery,
  filter: EventFilter,
): { event: string | undefined; notes: Note[] } {
  if (!eventOf) return { event: undefined, notes: toNotes(says?.(delivery)) };
  const event = eventOf(delivery);
  if (event === undefined) throw new UnexpectedPayload('event');
  if (ignored.includes(event)) return { event, notes: [] };
  const toNote = Object.hasOwn(events, event) ? events[event] : undefined;
  if (!toNote) throw new UnsupportedWebhookEventType(displayName, line(event, 100));
  return { event, notes: isWanted(event, filter) ? toNotes(toNote(delivery)) : [] };
}

const toNotes = (said: Note | Note[] | undefined): Note[] =>
  said === undefined ? [] : Array.isArray(said) ? said : [said];

const isWanted = (event: string, { only, except = [] }: EventFilter): boolean =>
  (only === undefined || only.some((pattern) => fitsPattern(pattern, event))) &&
  !except.some((pattern) => fitsPattern(pattern, event));

function summed(notes: Note[]): Note[] {
  if (notes.length <= MAX_NOTES) return notes;
  const shown = notes.slice(0, MAX_NOTES - 1);
  const rest = notes.length - shown.length;
  const topic = shown.at(-1)?.topic ?? '';
  return [...shown, { topic, content: `… and ${rest} more events in the same delivery.` }];
}

/** A topic of one line that may be stored. */
const storable = ({ topic, content }: Note): Note => ({
  topic: checkTopic(fitTopic(topic)),
  content: content.toWellFormed().replaceAll('\0', ''),
});

/** The same without mentions. */
const harmless = ({ topic, content }: Note): Note => storable({ topic, content: neutral(content) });

/** The topic of a sender, without what no topic may have. */
export const fitTopic = (input: string): string => {
  const flat = line(input.toWellFormed());
  return placeOfUnfit(flat) === 0
    ? flat
    : [...flat].filter((character) => placeOfUnfit(character) === 0).join('');
};
