/** A version of a file, or the mark of its removal, which has no bytes. */
interface Version {
  key: string;
  id: string;
  at: string;
  bytes: Buffer | undefined;
  type: string | undefined;
}

export interface FakeCall {
  method: string;
  url: URL;
  body: Buffer;
  headers: { range?: string | undefined; 'content-type'?: string | undefined };
}

export interface FakeReply {
  status: number;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

/** A bucket of S3 that keeps versions, and lists few of them at once. */
export class FakeVersions {
  /** The newest of a key come first. */
  #versions: Version[] = [];
  readonly #perPage: number;
  #ids = 0;

  constructor(perPage = 2) {
    this.#perPage = perPage;
  }

  /** A version that is newer than those before it. */
  add(
    key: string,
    bytes: Buffer | undefined,
    {
      at = new Date().toISOString(),
      id = `v${++this.#ids}`,
      type,
    }: Partial<Omit<Version, 'key' | 'bytes'>> = {},
  ): void {
    this.#versions.unshift({ key, id, at, bytes, type });
    this.#versions.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
  }

  /** The keys and ids of all versions and marks that are left. */
  list(): string[] {
    return this.#versions.map(({ key, id }) => `${key} ${id}`);
  }

  /** The current contents: texts by their names, and types of them. */
  files(): Record<string, [text: string, type: string | undefined]> {
    return Object.fromEntries(this.#newest().map(({ key, bytes, type }) => [key, [`${bytes}`, type]]));
  }

  answer({ method, url, body, headers }: FakeCall): FakeReply {
    const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
    const { searchParams } = url;
    if (searchParams.has('versions')) return this.#listVersions(searchParams);
    if (searchParams.has('list-type')) return this.#listKeys(searchParams);
    if (method === 'PUT') return this.#put(key, body, headers['content-type']);
    if (method === 'DELETE') return this.#remove(key, searchParams.get('versionId'));
    return this.#read(key, searchParams.get('versionId'), headers.range);
  }

  #newest(): (Version & { bytes: Buffer })[] {
    const seen = new Set<string>();
    return this.#versions.filter((version): version is Version & { bytes: Buffer } => {
      const isNewest = !seen.has(version.key);
      seen.add(version.key);
      return isNewest && version.bytes !== undefined;
    });
  }

  #listVersions(asked: URLSearchParams): FakeReply {
    const [key, id] = [asked.get('key-marker') ?? '', asked.get('version-id-marker')];
    if (asked.has('key-marker') && key === '')
      return { status: 400, body: '<Error><Code>InvalidArgument</Code></Error>' };
    const after = id ? this.list().indexOf(`${key} ${id}`) + 1 : 0;
    // The reference of S3 leaves open whether the key of a marker is listed itself.
    const rest = this.#versions.slice(after).filter((version) => id || version.key >= key);
    const page = rest.slice(0, this.#perPage);
    const last = page.at(-1);
    const entries = page.map((version) => {
      const tag = version.bytes ? 'Version' : 'DeleteMarker';
      const size = version.bytes ? `<Size>${version.bytes.length}</Size>` : '';
      return `<${tag}><Key>${version.key}</Key><VersionId>${version.id}</VersionId><LastModified>${version.at}</LastModified>${size}</${tag}>`;
    });
    const next =
      last && rest.length > page.length
        ? `<IsTruncated>true</IsTruncated><NextKeyMarker>${last.key}</NextKeyMarker><NextVersionIdMarker>${last.id}</NextVersionIdMarker>`
        : '<IsTruncated>false</IsTruncated>';
    return { status: 200, body: `<ListVersionsResult>${next}${entries.join('')}</ListVersionsResult>` };
  }

  #listKeys(asked: URLSearchParams): FakeReply {
    const [prefix, token] = [asked.get('prefix') ?? '', asked.get('continuation-token') ?? ''];
    const rest = this.#newest().filter(({ key }) => key.startsWith(prefix) && key > token);
    const page = rest.slice(0, this.#perPage);
    const entries = page.map(
      ({ key, bytes }) => `<Contents><Key>${key}</Key><Size>${bytes.length}</Size></Contents>`,
    );
    const next =
      rest.length > page.length
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${page.at(-1)?.key}</NextContinuationToken>`
        : '<IsTruncated>false</IsTruncated>';
    return { status: 200, body: `<ListBucketResult>${next}${entries.join('')}</ListBucketResult>` };
  }

  #read(key: string, id: string | null, range = ''): FakeReply {
    const found = id
      ? this.#versions.find((version) => version.key === key && version.id === id)
      : this.#newest().find((version) => version.key === key);
    if (!found?.bytes) return { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(range) ?? [];
    if (!(Number(from) < found.bytes.length))
      return { status: 416, body: '<Error><Code>InvalidRange</Code></Error>' };
    return { status: 206, body: found.bytes.subarray(Number(from), Number(to) + 1) };
  }

  #put(key: string, bytes: Buffer, type: string | undefined): FakeReply {
    this.add(key, bytes, { type });
    return { status: 200, headers: { etag: '"tag"' } };
  }

  #remove(key: string, id: string | null): FakeReply {
    if (id) this.#versions = this.#versions.filter((version) => version.key !== key || version.id !== id);
    else this.add(key, undefined);
    return { status: 204 };
  }
}
