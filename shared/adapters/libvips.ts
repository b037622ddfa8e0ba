import type Vips from 'wasm-vips';
import { BadImage } from '#shared/domain/errors.ts';
import {
  decodedSize,
  fitInto,
  type PictureHead,
  type PictureShape,
  requireLookable,
} from '#shared/domain/pictures/fit.ts';
import type { Picture, ShrunkPicture } from '#shared/runtime/services.ts';

type Library = typeof Vips;
type Image = InstanceType<Library['Image']>;
type Keep = <One extends { delete(): void }>(handle: One) => One;

/** Formats that browsers show, except formats that contain text or scripts. */
const LOADERS = ['Png', 'Jpeg', 'Nsgif', 'Webp'];
/** Orientations from this one on swap width and height. */
const FIRST_ON_ITS_SIDE = 5;
const TRANSPARENT = [0, 0, 0, 0];
/** In pages of 64 KiB: 768 MiB. More than the largest allowed picture needs is refused. */
const MAX_MEMORY_PAGES = 12_288;

/** Loads libvips with limited memory. Called once, in a dedicated thread. */
export async function loadLibrary(): Promise<Library> {
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    constructor(limits: { initial: number; maximum?: number; shared?: boolean }) {
      super({ ...limits, maximum: MAX_MEMORY_PAGES });
    }
  };
  const { default: start } = await import('wasm-vips');
  const silent = () => {};
  const preRun = ({ ENV }: { ENV: Record<string, string> }) => {
    ENV.VIPS_WARNING = '0';
  };
  const vips = await start({ dynamicLibraries: [], print: silent, printErr: silent, preRun });
  vips.concurrency(1);
  vips.Cache.max(0);
  vips.operationBlock('VipsForeignLoad', true);
  for (const loader of LOADERS) vips.operationBlock(`VipsForeignLoad${loader}`, false);
  return vips;
}

/**
 * The picture in all shapes, decoded once.
 * @throws BadImage from its header, and any error for a broken file
 */
export function shrinkBy(vips: Library, bytes: Uint8Array, shapes: PictureShape[]): ShrunkPicture {
  const open: { delete(): void }[] = [];
  const keep: Keep = (handle) => {
    open.push(handle);
    return handle;
  };
  try {
    const image = keep(vips.Image.newFromBuffer(bytes));
    const head = readHead(image);
    requireLookable(head);
    const isWebp = image.getString('vips-loader').startsWith('webp');
    const isAnimated = head.frames > 1 && shapes.some((shape) => shape.isAnimated);
    const frames = decode(vips, bytes, head, { shapes, isAnimated }, keep);
    const pictures = shapes.map((shape): Picture => {
      const moves = isAnimated && shape.isAnimated === true;
      const shown = moves ? frames : frames.slice(0, 1);
      const fitted = shown.map((frame) => fitFrame(vips, frame, shape, keep));
      const format = moves ? (isWebp ? 'webp' : 'gif') : shape.isSmall ? 'webp' : 'png';
      return { bytes: write(join(vips, fitted, keep), format), format };
    });
    return { width: head.width, height: head.height, pictures };
  } finally {
    for (const picture of open.reverse()) picture.delete();
  }
}

function readHead(image: Image): PictureHead {
  const { width, height } = image;
  const frames = image.getTypeof('n-pages') === 0 ? 1 : image.getInt('n-pages');
  const isOnItsSide =
    image.getTypeof('orientation') !== 0 && image.getInt('orientation') >= FIRST_ON_ITS_SIDE;
  return isOnItsSide ? { width: height, height: width, frames } : { width, height, frames };
}

interface Wish {
  shapes: PictureShape[];
  isAnimated: boolean;
}

function decode(
  vips: Library,
  bytes: Uint8Array,
  head: PictureHead,
  { shapes, isAnimated }: Wish,
  keep: Keep,
): Image[] {
  const { width, height } = decodedSize(head, shapes);
  const options = {
    height,
    size: vips.Size.force,
    fail_on: vips.FailOn.error,
    option_string: isAnimated ? '[n=-1]' : '',
  };
  const lazy = keep(vips.Image.thumbnailBuffer(bytes, width, options));
  // Converts grey pictures to colour, so that all are alike from here on.
  const decoded = keep(keep(lazy.colourspace(vips.Interpretation.srgb)).copyMemory());
  if (!isAnimated) return [decoded];
  const { pageHeight } = decoded;
  if (pageHeight !== height) throw new BadImage('Invalid image format');
  return Array.from({ length: decoded.height / height }, (_, index) =>
    keep(decoded.crop(0, index * height, width, height)),
  );
}

function fitFrame(vips: Library, frame: Image, shape: PictureShape, keep: Keep): Image {
  const { window, scaled } = fitInto(frame, shape);
  const cut = keep(frame.crop(window.left, window.top, window.width, window.height));
  const options = { height: scaled.height, size: vips.Size.force };
  const image = keep(cut.thumbnailImage(scaled.width, options));
  if (shape.fit !== 'pad') return image;
  const opaque = image.hasAlpha() ? image : keep(image.addalpha());
  const { centre } = vips.CompassDirection;
  const around = { extend: vips.Extend.background, background: TRANSPARENT };
  return keep(opaque.gravity(centre, shape.width, shape.height, around));
}

function join(vips: Library, frames: Image[], keep: Keep): Image {
  const [first] = frames;
  if (first && frames.length === 1) return first;
  const joined = keep(vips.Image.arrayjoin(frames, { across: 1 }));
  joined.setInt('page-height', first?.height ?? 1);
  return joined;
}

function write(image: Image, format: Picture['format']): Uint8Array {
  const bytes =
    format === 'png'
      ? image.pngsaveBuffer({ keep: 'none', compression: 9 })
      : format === 'gif'
        ? image.gifsaveBuffer({ keep: 'none' })
        : image.webpsaveBuffer({ keep: 'none', Q: 90 });
  return Uint8Array.from(bytes);
}
