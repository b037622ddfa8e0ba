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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidJson();
  }
}
