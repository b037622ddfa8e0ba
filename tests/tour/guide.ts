import assert from 'node:assert/strict';

/** An account of the service and how its requests sign in. */
export interface Person {
  name: string;
  email: string;
  apiKey: string;
  userId: number;
}

export type Parameters = Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: a reply has the shape of its operation
export type Body = any;

/** A file to upload. */
export interface Upload {
  name: string;
  mediaType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface Call {
  /** The caller; no user in particular if absent. */
  as?: Person | undefined;
  parameters?: Parameters;
  file?: Upload;
  /** The expected fields of the reply; any success if absent. */
  expect?: object;
  status?: number;
}

const SHOWN_CHARACTERS = 160;

/** Walks through the service: makes each request, shows it and its reply, and stops at the first surprise. */
export class Guide {
  readonly url: string;
  readonly #print: (line: string) => void;
  /** Method and path of every request, in their order. */
  readonly called: string[] = [];

  constructor(url: string, print: (line: string) => void) {
    this.url = url;
    this.#print = print;
  }

  /** A new part of the tour. */
  chapter(title: string): void {
    this.#print(`\n${title}\n${'─'.repeat(title.length)}`);
  }

  /** The subject of the next request. */
  say(text: string): void {
    this.#print(`\n  ${text}`);
  }

  /**
   * Makes a request and returns the body of its reply. @throws AssertionError if the reply is not the expected one
   */
  async call(route: string, { as, parameters = {}, file, expect = {}, status = 200 }: Call): Promise<Body> {
    const [method = '', path = ''] = route.split(' ');
    this.called.push(route);
    this.#print(`  → ${route}${as ? `  as ${as.name}` : ''}${showParameters(parameters)}`);
    const response = await fetch(this.#address(method, path, parameters), {
      method,
      headers: as ? { Authorization: `Basic ${btoa(`${as.email}:${as.apiKey}`)}` } : {},
      ...(method !== 'GET' && { body: file ? toMultipart(parameters, file) : toForm(parameters) }),
    });
    const body = (await response.json()) as Body;
    this.#print(`  ← ${response.status} ${shorten(JSON.stringify(body))}`);
    assert.equal(response.status, status, `${route} answered ${response.status}: ${JSON.stringify(body)}`);
    assert.partialDeepStrictEqual(body, { result: status === 200 ? 'success' : 'error', ...expect }, route);
    return body;
  }

  #address(method: string, path: string, parameters: Parameters): string {
    const query = method === 'GET' ? `?${toForm(parameters)}` : '';
    return `${this.url}/api/v1${path}${query}`;
  }
}

/** Plain text is sent unchanged, everything else as JSON. */
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const toForm = (parameters: Parameters): URLSearchParams =>
  new URLSearchParams(
    Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, toText(value)])),
  );

function toMultipart(parameters: Parameters, { name, mediaType, bytes }: Upload): FormData {
  const form = new FormData();
  for (const [parameter, value] of Object.entries(parameters)) form.set(parameter, toText(value));
  form.set('file', new Blob([bytes], { type: mediaType }), name);
  return form;
}

const showParameters = (parameters: Parameters): string =>
  Object.entries(parameters)
    .map(([name, value]) => `\n      ${name} = ${shorten(toText(value))}`)
    .join('');

const shorten = (text: string): string =>
  text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
