import type { Payload } from './payload.ts';
import type { Signature } from './signature.ts';

/** One message that a delivery becomes. Blank content means that there is nothing to say. */
export interface Note {
  topic: string;
  content: string;
}

export type Said = Note | Note[] | undefined;

/** A delivery of a sender, as an integration reads it. */
export interface Delivery {
  payload: Payload;
  /** The body as text. */
  raw: string;
  /** A header, by its name in lower case. */
  header(name: string): string | undefined;
  /** The value of an option of the address, or its default. */
  option(name: string): string | undefined;
  isOn(option: string): boolean;
  /** The address names a topic, so that the text has to name the subject. */
  isTitled: boolean;
}

/** A parameter of the address, in addition to the parameters of every integration. */
export interface Option {
  kind: 'text' | 'boolean';
  /** Empty if clients have a control of their own for it. */
  label: string;
  fallback?: string;
}

/**
 * How the body becomes the payload. `either` is JSON, or JSON in the form field `payload`; `payloadField` only the
 * latter; `form` takes the fields of the form, and `text` the body as it is.
 */
export type BodyKind = 'json' | 'form' | 'payloadField' | 'either' | 'formOrJson' | 'text';

export type Category =
  | 'continuous-integration'
  | 'customer-support'
  | 'deployment'
  | 'financial'
  | 'meta-integration'
  | 'monitoring'
  | 'project-management'
  | 'version-control'
  | 'communication';

/** A sender of webhooks, declared by pure functions. */
export interface Integration {
  slug: string;
  displayName: string;
  /** The middle of the name of the sending program; the display name without spaces if absent. */
  clientName?: string;
  categories: Category[];
  /** How to set the address at the sender, in Markdown. */
  setup: string;
  body: BodyKind;
  /** Senders that can only give an address and a key by HTTP Basic. */
  usesBasic?: true;
  /** Senders that encode the parameters of the address twice. */
  encodesTwice?: true;
  /** A malformed body is no news for the bot's owner. */
  isQuietAboutBody?: true;
  /** The header that names the event. */
  eventHeader?: string;
  options?: Record<string, Option>;
  /** Configuration that the owner of a bot may store with it instead of in the address: by name, with a label. */
  configuration?: Record<string, string>;
  /** The owner of the bot writes the text, which may mention people; values are made harmless by the declaration. */
  hasOwnMentions?: true;
  signature?: Signature;
  /** Headers that name the delivery, best first. Two deliveries with one name become one message. */
  deliveryIds?: string[];
  /** Divides a payload into parts that are events of their own. */
  parts?(delivery: Delivery): Delivery[];
  /** The name of the event, for filters; absent if the integration has no events. @throws UnexpectedPayload */
  eventOf?(delivery: Delivery): string | undefined;
  /** What each event says. @throws UnexpectedPayload */
  events?: Record<string, (delivery: Delivery) => Said>;
  /** Events without a message: a success all the same. */
  ignored?: readonly string[];
  /** Further fields of the reply to a delivery. */
  replies?(delivery: Delivery, bot: Sender): Record<string, unknown>;
  /** Senders that expect `ok` and `error` in refusals. */
  refusesLikeSlack?: true;
  /** What an integration without events says. @throws UnexpectedPayload */
  says?(delivery: Delivery): Said;
}

/** The account whose key the sender has. */
export interface Sender {
  fullName: string;
  email: string;
  userId: number;
}

/** The name of the sending program, as messages have it. */
export const clientNameOf = ({ displayName, clientName }: Integration): string =>
  `Zulip${clientName ?? displayName.replaceAll(/[^A-Za-z0-9]/g, '')}Webhook`.slice(0, 30);

/** The same delivery with another payload, for parts of one request. */
export const withPayload = (delivery: Delivery, payload: Payload): Delivery => ({ ...delivery, payload });

/** Some senders encode the parameters of an address a second time. */
export function decodedAgain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
