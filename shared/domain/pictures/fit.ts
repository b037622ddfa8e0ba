import { BadImage } from '#shared/domain/errors.ts';

/** Width and height in pixels. */
export interface PixelSize {
  width: number;
  height: number;
}

/** The header data of a picture: displayed size and number of frames. */
export interface PictureHead extends PixelSize {
  frames: number;
}

/** A format to convert a picture into. */
export interface PictureShape extends PixelSize {
  /** `cover` crops, `pad` adds margins, `inside` does neither and never enlarges. */
  fit: 'cover' | 'pad' | 'inside';
  /** Keeps animation; otherwise only the first frame is used. */
  isAnimated?: true;
  /** Encodes still pictures as WebP, which is smaller than PNG. */
  isSmall?: true;
}

/** A part of a picture, and its target size. */
export interface Fit {
  window: PixelSize & { left: number; top: number };
  scaled: PixelSize;
}

const MAX_SIDE = 10_000;
const MAX_PIXELS = 40_000_000;
const MAX_FRAMES = 500;

/**
 * Rejects pictures that would need too much time or memory to decode, from the header alone.
 * @throws BadImage
 */
export function requireLookable({ width, height, frames }: PictureHead): void {
  const isTooLarge =
    width > MAX_SIDE || height > MAX_SIDE || frames > MAX_FRAMES || width * height * frames > MAX_PIXELS;
  if (isTooLarge) throw new BadImage('Image size exceeds limit');
}

/**
 * The size at which a picture is decoded once for all shapes: as small as the largest shape allows, and never
 * larger than the picture.
 */
export function decodedSize(picture: PixelSize, shapes: PictureShape[]): PixelSize {
  const scale = Math.min(1, Math.max(...shapes.map((shape) => scaleOf(picture, shape))));
  return scaledBy(picture, scale);
}

/**
 * Converts a decoded picture to a shape. It crops before it enlarges, so that no step has more pixels than
 * the decoded picture or the shape.
 */
export function fitInto(decoded: PixelSize, shape: PictureShape): Fit {
  const scale = scaleOf(decoded, shape);
  if (shape.fit !== 'cover') {
    const { width, height } = scaledBy(decoded, scale);
    const scaled = { width: Math.min(shape.width, width), height: Math.min(shape.height, height) };
    return { window: { left: 0, top: 0, width: decoded.width, height: decoded.height }, scaled };
  }
  const width = Math.min(decoded.width, atLeastOne(shape.width / scale));
  const height = Math.min(decoded.height, atLeastOne(shape.height / scale));
  const left = Math.floor((decoded.width - width) / 2);
  const top = Math.floor((decoded.height - height) / 2);
  return { window: { left, top, width, height }, scaled: { width: shape.width, height: shape.height } };
}

function scaleOf(picture: PixelSize, { width, height, fit }: PictureShape): number {
  const [across, down] = [width / picture.width, height / picture.height];
  if (fit === 'cover') return Math.max(across, down);
  return fit === 'pad' ? Math.min(across, down) : Math.min(across, down, 1);
}

const atLeastOne = (pixels: number): number => Math.max(1, Math.round(pixels));

const scaledBy = ({ width, height }: PixelSize, scale: number): PixelSize => ({
  width: atLeastOne(width * scale),
  height: atLeastOne(height * scale),
});
