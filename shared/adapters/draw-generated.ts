import { crc32, deflateSync } from 'node:zlib';
import type { GeneratedPicture } from '#shared/domain/pictures/generated.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const LIGHT = [240, 240, 240];
const BITS_PER_PIXEL = 1;
const INDEXED = 3;

/** The picture as a two-colour PNG of some hundred bytes. */
export function drawGenerated({ size, colour, rows }: GeneratedPicture): Uint8Array {
  const field = size / (rows.length + 1);
  const isSet = (x: number, y: number): boolean => {
    const [column, row] = [x, y].map((at) => Math.floor((at - field / 2) / field)) as [number, number];
    return rows[row]?.[column] ?? false;
  };
  const bytesPerRow = 1 + Math.ceil(size / 8);
  const pixels = Buffer.alloc(bytesPerRow * size);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const at = y * bytesPerRow + 1 + (x >> 3);
      if (isSet(x, y)) pixels[at] = (pixels[at] ?? 0) | (0x80 >> (x & 7));
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([BITS_PER_PIXEL, INDEXED], 8);
  const palette = Buffer.from([...LIGHT, ...colour]);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
