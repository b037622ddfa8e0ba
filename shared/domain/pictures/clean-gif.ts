import { BadImage } from '#shared/domain/errors.ts';
import { type PixelSize, requireLookable } from './fit.ts';

/** An animation without everything that its frames do not need. */
export interface CleanGif extends PixelSize {
  bytes: Uint8Array;
  frames: number;
}

const SIGNATURE = /^GIF8[79]a$/;
const SCREEN_BYTES = 13;
const DESCRIPTOR_BYTES = 10;
const EXTENSION = 0x21;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
const IMAGE = 0x2c;
const END = 0x3b;
const HAS_COLOURS = 0x80;
const LOOP = /^(?:NETSCAPE2\.0|ANIMEXTS1\.0)$/;
const LARGEST_CODE_SIZE = 11;

/**
 * The animation of a GIF: screen, colours, frames and how often they repeat, each checked. Comments, metadata, unknown
 * extensions and bytes after the end are left out. Frames are not decoded.
 * @throws BadImage for other formats, broken files and larger pictures than may be decoded
 */
export function cleanGif(bytes: Uint8Array): CleanGif {
  const reader = new Reader(bytes);
  if (!SIGNATURE.test(reader.text(0, 6))) throw invalid();
  const screen = { width: reader.short(6), height: reader.short(8) };
  const kept = [reader.take(SCREEN_BYTES), reader.takeColours(reader.byte(10))];
  let control: Uint8Array[] = [];
  let frames = 0;
  for (let kind = reader.nextByte(); kind !== END; kind = reader.nextByte()) {
    if (kind === EXTENSION) {
      const extension = reader.takeExtension();
      if (extension.label === CONTROL) control = [extension.block];
      else if (isLoop(extension) && frames === 0) kept.push(extension.block);
    } else if (kind === IMAGE) {
      kept.push(...control, reader.takeFrame(screen));
      control = [];
      frames++;
      requireLookable({ ...screen, frames });
    } else throw invalid();
  }
  if (frames === 0) throw invalid();
  return { bytes: Buffer.concat([...kept, Uint8Array.of(END)]), frames, ...screen };
}

interface Extension {
  label: number;
  name: string;
  block: Uint8Array;
}

/** Whether an extension says how often the frames repeat. */
const isLoop = ({ label, name }: Extension): boolean => label === APPLICATION && LOOP.test(name);

const invalid = (): BadImage => new BadImage('Invalid image format');

/** Reads blocks one after the other. @throws BadImage at the end of the bytes */
class Reader {
  position = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(at: number): number {
    const value = this.#bytes[at];
    if (value === undefined) throw invalid();
    return value;
  }

  nextByte(): number {
    return this.byte(this.position);
  }

  short(at: number): number {
    return this.byte(at) + 256 * this.byte(at + 1);
  }

  text(from: number, to: number): string {
    return Buffer.from(this.#bytes.subarray(from, to)).toString('latin1');
  }

  take(length: number): Uint8Array {
    const end = this.position + length;
    if (end > this.#bytes.length) throw invalid();
    const taken = this.#bytes.subarray(this.position, end);
    this.position = end;
    return taken;
  }

  /** The table of colours that these flags announce. */
  takeColours(flags: number): Uint8Array {
    return this.take((flags & HAS_COLOURS) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  }

  takeExtension(): Extension {
    const start = this.position;
    const label = this.byte(start + 1);
    const name = this.text(start + 3, start + 14);
    this.take(2);
    this.#skipBlocks();
    return { label, name, block: this.#bytes.subarray(start, this.position) };
  }

  /** A frame, which must lie on the screen. */
  takeFrame({ width, height }: PixelSize): Uint8Array {
    const start = this.position;
    const right = this.short(start + 1) + this.short(start + 5);
    const bottom = this.short(start + 3) + this.short(start + 7);
    if (right > width || bottom > height) throw invalid();
    this.take(DESCRIPTOR_BYTES);
    this.takeColours(this.byte(start + DESCRIPTOR_BYTES - 1));
    const [codeSize = 0] = this.take(1);
    if (codeSize === 0 || codeSize > LARGEST_CODE_SIZE) throw invalid();
    this.#skipBlocks();
    return this.#bytes.subarray(start, this.position);
  }

  #skipBlocks(): void {
    for (;;) {
      const [length = 0] = this.take(1);
      if (length === 0) return;
      this.take(length);
    }
  }
}
