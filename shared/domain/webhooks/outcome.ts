import { type ServiceInterface, serviceInterfaces } from './service.ts';

/** The result of a call of a bot's server. */
export type WebhookOutcome =
  | { kind: 'nothing' }
  | { kind: 'reply'; content: string }
  | ({ kind: 'failure' } & WebhookFailure);

export interface WebhookFailure {
  /** Completes `Failure! ` in the conversation. */
  shown: string;
  /** Markdown for the owner of the bot. */
  explained: string;
}

/** A failed call, and the message that it was about. */
export interface WebhookReport extends WebhookFailure {
  botId: number;
  messageId: number;
}

const NOTHING: WebhookOutcome = { kind: 'nothing' };
const PROXY_REFUSAL = 407;
/** Longer texts of servers are cut in notices. */
const MAX_QUOTED = 1_000;

/** Reads the answer of a bot's server. */
export function readWebhookAnswer(used: ServiceInterface, status: number, body: string): WebhookOutcome {
  const text = clean(body);
  if (status < 200 || status > 299) return refusal(status, text);
  const answer = parse(text);
  if (answer === undefined) return unusable('Invalid JSON in response', text);
  if (answer === '') return NOTHING;
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    return unusable('Invalid response format', text);
  const content = contentOf(used, answer as Record<string, unknown>);
  return content.trim() === '' ? NOTHING : { kind: 'reply', content };
}

function contentOf(used: ServiceInterface, answer: Record<string, unknown>): string {
  const texts =
    used === serviceInterfaces.slack
      ? [answer.text]
      : answer.response_not_required === true
        ? []
        : [answer.response_string, answer.content];
  const given = texts.find((text) => text !== undefined && text !== null);
  return given === undefined ? '' : clean(String(given));
}

/** Messages have no null bytes and no halves of characters. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed();

function refusal(status: number, text: string): WebhookOutcome {
  return {
    kind: 'failure',
    shown: `Third party responded with ${status}`,
    explained: [
      `The server answered with status code *${status}*.`,
      ...(status === PROXY_REFUSAL
        ? ['The address of the webhook is in a private network, or in one that may not be called.']
        : []),
      ...quoted(text),
    ].join('\n'),
  };
}

const unusable = (error: string, text: string): WebhookOutcome => ({
  kind: 'failure',
  shown: error,
  explained: [`The answer of the server cannot be used: ${error}.`, ...quoted(text)].join('\n'),
});

/** The outcomes of calls that got no answer. */
export const failures = {
  refused: {
    kind: 'failure',
    shown: 'The address of the webhook is not allowed.',
    explained: 'The address of the webhook is in a private network, or in one that may not be called.',
  },
  timeout: {
    kind: 'failure',
    shown: 'Bot is unavailable',
    explained: 'Request timed out after 10 seconds.',
  },
  unreachable: {
    kind: 'failure',
    shown: 'Bot is unavailable',
    explained: 'A connection error occurred. Is my bot server down?',
  },
  badAnswer: {
    kind: 'failure',
    shown: 'The answer of the server cannot be read.',
    explained: 'The answer of the server cannot be read: it is broken, or its headers are too long.',
  },
} as const satisfies Record<string, WebhookOutcome>;

export const SLACK_DIRECT = "Failure! Slack outgoing webhooks don't support direct messages.";

function quoted(text: string): string[] {
  if (text.trim() === '') return [];
  const fence = '`'.repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map(({ length }) => length + 1)));
  return ['It contains:', fence, text.slice(0, MAX_QUOTED), fence];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
