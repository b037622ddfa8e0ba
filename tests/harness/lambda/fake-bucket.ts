import type { FileStore } from '#shared/runtime/services.ts';
import type { FakeAnswer, FakeRequest } from './fake-aws.ts';

/** S3 with one bucket, which is the first part of the path; files may come in parts. */
export class FakeBucket {
  readonly #files: FileStore | undefined;
  readonly #parts = new Map<string, Buffer[]>();

  constructor(files: FileStore | undefined) {
    this.#files = files;
  }

  async answer(request: FakeRequest): Promise<FakeAnswer> {
    const { method, url, body } = request;
    const name = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
    if (method === 'GET') {
      const file = await this.#files?.find(name);
      return file ? { status: 200, body: file } : { status: 404 };
    }
    if (method === 'DELETE') {
      await this.#files?.remove(name);
      return { status: 204 };
    }
    return url.searchParams.has('uploads') || url.searchParams.has('uploadId')
      ? this.#takeParts(name, request)
      : this.#put(name, body);
  }

  async #put(name: string, bytes: Buffer): Promise<FakeAnswer> {
    await this.#files?.put(name, bytes);
    return { status: 200, headers: { etag: '"tag"' } };
  }

  async #takeParts(name: string, { method, url, body }: FakeRequest): Promise<FakeAnswer> {
    if (url.searchParams.has('uploads')) {
      const id = String(this.#parts.size + 1);
      this.#parts.set(id, []);
      return { status: 200, body: `<UploadId>${id}</UploadId>` };
    }
    const parts = this.#parts.get(url.searchParams.get('uploadId') ?? '') ?? [];
    if (method === 'PUT') {
      parts[Number(url.searchParams.get('partNumber')) - 1] = body;
      return { status: 200, headers: { etag: '"tag"' } };
    }
    await this.#put(name, Buffer.concat(parts));
    return { status: 200, body: '<ETag>"tag"</ETag>' };
  }
}
