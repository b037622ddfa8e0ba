import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { qualityOf } from '#shared/api/envelope.ts';
import { MethodNotAllowed } from '#shared/domain/errors.ts';
import { failure } from '../envelope.ts';
import type { HttpEvent, HttpReply } from '../http.ts';
import { contentSecurityPolicy, type Elsewhere } from './content-security-policy.ts';

/** A file in the build's `manifest.json`. */
interface ListedFile {
  /** Relative to the folder. */
  path: string;
  contentType: string;
  /** Whether compressed versions with `.br` and `.gz` exist. */
  isCompressed: boolean;
}

/** One version of a file. */
interface ServedFile {
  bytes: Buffer;
  contentType: string;
  encoding: 'br' | 'gzip' | undefined;
  /** Changes with the contents. */
  tag: string;
}

interface Build {
  madeAtMs: number;
  /** By path relative to the root of the service. */
  files: Map<string, ListedFile>;
}

const METHODS = ['GET', 'HEAD'];
/**
 * Addresses that all open the client's single page, which reads the address itself. Mails and desktop clients
 * contain them.
 */
const PAGES = /^\/(?:(?:login|register)\/?|join\/(?:[^/]+\/?)?|accounts\/.+)?$/;
const PAGE = 'index.html';
/** The service worker, which a browser compares with the one that it has. */
const WORKER = '/sw.js';
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";
const ICON = /^assets\/icon-[^/]+\.svg$/;
/** The build's file names with content hashes. */
const HASHED = /-[A-Z0-9]{8}\.[a-z0-9]+$/;
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;
/** Clients request a sound with any extension that they know, and rely on the answer's media type. */
const SOUND = /^(\/static\/audio\/notification_sounds\/\w+)\.(?:ogg|mp3)$/;
const ROBOTS = 'User-agent: *\nDisallow: /\n';

/** The hosts whose pages browsers trust without TLS. */
const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i;

const YEAR = 'public, max-age=31536000, immutable';
const SOON = 'no-cache';
const everyReply = { 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'same-origin' };

/** The built web client in a folder: one page, and the files that it loads. */
export class WebClient {
  readonly #folder: string;
  readonly #policy: string;
  readonly #served = new Map<string, ServedFile>();
  #build: Build | undefined;

  constructor(folder: string, elsewhere: Elsewhere = {}) {
    this.#folder = folder;
    this.#policy = contentSecurityPolicy(elsewhere);
  }

  /**
   * Answers requests for the page, its files, and the files that browsers request of every host; undefined
   * for all others.
   */
  answer(event: HttpEvent): HttpReply | undefined {
    const { rawPath, headers } = event;
    const file = this.#find(rawPath, headers['accept-encoding']);
    if (!file) return undefined;
    if (!METHODS.includes(event.requestContext.http.method)) return failure(new MethodNotAllowed(METHODS));
    const tag = `W/"${file.tag}"`;
    const isKnown = headers['if-none-match']?.split(',').some((part) => part.trim() === tag);
    return {
      statusCode: isKnown ? 304 : 200,
      headers: {
        ...everyReply,
        ...(PAGES.test(rawPath) && this.#pageHeaders(event)),
        ...(rawPath === WORKER && { 'Content-Security-Policy': WORKER_POLICY }),
        'Content-Type': file.contentType,
        'Cache-Control': HASHED.test(rawPath) ? YEAR : SOON,
        ...(file.encoding && { 'Content-Encoding': file.encoding }),
        Vary: 'Accept-Encoding',
        ETag: tag,
      },
      body: isKnown ? '' : file.bytes.toString('base64'),
      isBase64Encoded: !isKnown,
    };
  }

  #pageHeaders({ headers }: HttpEvent): Record<string, string> {
    const isTrustworthy = headers['x-forwarded-proto'] !== 'http' || LOOPBACK.test(headers.host ?? '');
    return {
      'Content-Security-Policy': this.#policy,
      // The address of a page may contain a key.
      'Referrer-Policy': 'same-origin',
      // On other pages browsers ignore it, and complain in their console.
      ...(isTrustworthy && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    };
  }

  #find(path: string, acceptEncoding: string | undefined): ServedFile | undefined {
    if (path === '/robots.txt') return served(Buffer.from(ROBOTS), 'text/plain; charset=utf-8');
    const files = this.#listed();
    const listed =
      files?.get(path.replace(SOUND, '$1.wav')) ?? (path === '/favicon.ico' ? iconOf(files) : undefined);
    const file = PAGES.test(path) ? files?.get(`/${PAGE}`) : listed;
    if (!file || path === `/${PAGE}`) return undefined;
    return this.#read(file, acceptEncoding);
  }

  #read({ path, contentType, isCompressed }: ListedFile, acceptEncoding: string | undefined): ServedFile {
    const encoding = isCompressed
      ? ENCODINGS.find(({ name }) => (qualityOf(name, acceptEncoding) ?? 0) > 0)
      : undefined;
    const name = `${path}${encoding?.ending ?? ''}`;
    const known = this.#served.get(name);
    if (known) return known;
    const file = served(readFileSync(join(this.#folder, name)), contentType, encoding?.name);
    this.#served.set(name, file);
    return file;
  }

  /** The files in the folder, also after a new build has replaced it; undefined without a build. */
  #listed(): Map<string, ListedFile> | undefined {
    const path = join(this.#folder, 'manifest.json');
    const madeAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (madeAtMs === undefined) return undefined;
    if (this.#build?.madeAtMs !== madeAtMs) {
      const files = JSON.parse(readFileSync(path, 'utf8')) as ListedFile[];
      this.#build = { madeAtMs, files: new Map(files.map((file) => [`/${file.path}`, file])) };
      this.#served.clear();
    }
    return this.#build.files;
  }
}

const iconOf = (files: Map<string, ListedFile> | undefined): ListedFile | undefined =>
  [...(files?.values() ?? [])].find(({ path }) => ICON.test(path));

const served = (bytes: Buffer, contentType: string, encoding?: ServedFile['encoding']): ServedFile => ({
  bytes,
  contentType,
  encoding,
  tag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
});
