import { InvalidJson } from './errors.ts';
import type { BodyKind, Delivery, Integration } from './integration.ts';
import { Payload } from './payload.ts';

/** A request of a sender, as it came. */
export interface Sent {
  body: Uint8Array;
  header(name: string): string | undefined;
  query: Map<string, string>;
  form: Map<string, string>;
}

/** The payload of a request and its options. @throws InvalidJson */
export function decodeDelivery(integration: Integration, sent: Sent): Delivery {
  const { options = {} } = integration;
  const raw = new TextDecoder().decode(sent.body);
  const option = (name: string): string | undefined =>
    sent.query.get(name) ?? sent.form.get(name) ?? options[name]?.fallback;
  return {
    payload: new Payload(payloadOf(integration.body, raw, sent)),
    raw,
    header: (name) => sent.header(name.toLowerCase()),
    option,
    isOn: (name) => ['true', '1'].includes(option(name) ?? ''),
    isTitled: sent.query.has('topic') || sent.form.has('topic'),
  };
}

function payloadOf(kind: BodyKind, raw: string, { form, query, header }: Sent): unknown {
  const isJson = header('content-type')?.toLowerCase().includes('json') === true;
  const field = form.get('payload') ?? query.get('payload');
  switch (kind) {
    case 'json':
      return parse(raw);
    case 'form':
      return Object.fromEntries(form);
    case 'payloadField':
      return parse(field ?? '');
    case 'either':
      return isJson || field === undefined ? parse(raw) : parse(field);
    case 'formOrJson':
      return form.size > 0 && !isJson ? Object.fromEntries(form) : parse(raw);
    case 'text':
      return raw;
  }
}

/** No sender nests deeper, and programs that walk through deeper values run out of stack. */
const MAX_DEPTH = 200;

/** How deep lists and objects are nested in a JSON text. */
function depthOf(text: string): number {
  let [depth, deepest, isInText] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isInText && character === '\\') at++;
    else if (character === '"') isInText = !isInText;
    else if (isInText) continue;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return deepest;
}

function parse(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) throw new InvalidJson();
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidJson();
  }
}
