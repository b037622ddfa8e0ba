import { makePicture } from './pictures.ts';
import { Receiver } from './receiver.ts';

/** The reply of the fake GIPHY and KLIPY to every search. */
export interface OfferedGif {
  id: string;
  title: string;
}

/** A server with the APIs of GIPHY and KLIPY, and their pictures, on this machine. */
export class GifProviderServer {
  readonly receiver = new Receiver();
  gifs: OfferedGif[] = [
    { id: 'a1', title: 'Cat high five' },
    { id: 'b2', title: 'Happy dance' },
  ];
  /** Of all answers of the APIs. */
  status = 200;

  get url(): string {
    return this.receiver.url;
  }

  /** The requests to the APIs. */
  get searches(): URL[] {
    return this.receiver.received
      .map(({ path }) => new URL(path, this.url))
      .filter(({ pathname }) => /^\/v\d\//.test(pathname));
  }

  async start(): Promise<this> {
    await this.receiver.start();
    const moving = await makePicture({
      width: 80,
      height: 60,
      kind: 'gif',
      colours: [
        [255, 0, 0],
        [0, 0, 255],
      ],
    });
    this.receiver.respond = ({ path }, response) => {
      const { pathname } = new URL(path, this.url);
      if (pathname.endsWith('.gif')) response.setHeader('content-type', 'image/gif').end(moving);
      else if (pathname.startsWith('/v1/')) this.#answer(response, this.#giphy(path));
      else if (pathname.startsWith('/v2/')) this.#answer(response, this.#klipy(path));
      else response.writeHead(404).end();
    };
    return this;
  }

  stop(): Promise<void> {
    return this.receiver.stop();
  }

  #answer(response: Parameters<Receiver['respond']>[1], body: object): void {
    response.writeHead(this.status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  #giphy(path: string): object {
    const offset = Number(new URL(path, this.url).searchParams.get('offset'));
    const picture = (id: string, form: string, width: number) => ({
      url: `${this.url}/media/${id}/${form}.gif`,
      width: String(width),
      height: String((width * 3) / 4),
    });
    return {
      data: this.gifs.map(({ id, title }) => ({
        id,
        title,
        images: {
          downsized: picture(id, 'downsized', 480),
          fixed_width_downsampled: picture(id, '200w_d', 200),
        },
      })),
      pagination: { total_count: 3 * this.gifs.length, count: this.gifs.length, offset },
    };
  }

  #klipy(path: string): object {
    const position = Number(new URL(path, this.url).searchParams.get('pos') ?? 0);
    const picture = (id: string, form: string, width: number) => ({
      url: `${this.url}/media/${id}/${form}.gif`,
      dims: [width, (width * 3) / 4],
    });
    return {
      results: this.gifs.map(({ id, title }) => ({
        id,
        content_description: title,
        media_formats: { mediumgif: picture(id, 'medium', 480), tinygif: picture(id, 'tiny', 200) },
      })),
      next: position < 2 ? String(position + 1) : '',
    };
  }
}
