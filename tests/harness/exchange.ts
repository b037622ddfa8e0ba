import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** A request as tests make them. */
export interface Question {
  method?: string;
  headers?: Record<string, string>;
  body?: BodyInit;
}

/** The reply, its body whole and decompressed. */
export interface Exchanged {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

const connections = new Agent({ keepAlive: true });
/** The headers that `fetch` sends about itself. */
const USUAL = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };
const BODILESS = ['GET', 'HEAD'];

/**
 * Sends requests like `fetch`, and follows no redirection. A whole run sends nearly a hundred thousand, at a quarter
 * of the processor time that `fetch` takes.
 */
export async function exchange(
  url: string,
  { method = 'GET', ...question }: Question = {},
): Promise<Exchanged> {
  const { type, body } = await encode(question.body);
  const headers: Record<string, string | number> = { ...USUAL, ...(type && { 'content-type': type }) };
  if (body !== undefined || !BODILESS.includes(method)) headers['content-length'] = body?.length ?? 0;
  for (const [name, value] of Object.entries(question.headers ?? {})) headers[name.toLowerCase()] = value;
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent: connections, method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: toHeaders(answer.rawHeaders),
          bytes: decompress(Buffer.concat(parts), answer.headers['content-encoding']),
        }),
      );
    });
    asked.on('error', reject);
    asked.end(body, 'latin1');
  });
}

/** A body with the type that `fetch` gives it; a text has one byte for each character. */
async function encode(body: BodyInit | undefined): Promise<{ type?: string | null; body?: string | Buffer }> {
  if (body === undefined) return {};
  if (body instanceof URLSearchParams)
    return { type: 'application/x-www-form-urlencoded;charset=UTF-8', body: String(body) };
  const encoded = new Response(body);
  return { type: encoded.headers.get('content-type'), body: Buffer.from(await encoded.arrayBuffer()) };
}

function decompress(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (encoding === 'gzip') return gunzipSync(bytes);
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes;
}

function toHeaders(raw: string[]): Headers {
  const headers = new Headers();
  for (let n = 0; n < raw.length; n += 2) headers.append(raw[n] ?? '', raw[n + 1] ?? '');
  return headers;
}
