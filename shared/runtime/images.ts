import type Vips from 'wasm-vips';
import { BadImage } from '#shared/domain/errors.ts';
import type { Images, Picture, PictureShape } from './services.ts';

type Library = typeof Vips;
type Image = InstanceType<Library['Image']>;

/** What browsers show, and nothing that contains text or script. */
const LOADERS = ['Png', 'Jpeg', 'Nsgif', 'Webp'];
/** What a picture may be before it is decoded. */
const MAX_SIDE = 10_000;
const MAX_PIXELS = 40_000_000;
const MAX_FRAMES = 500;
/** Cameras say by a number how they were held; from this one on, upright is across. */
const FIRST_ON_ITS_SIDE = 5;
const TRANSPARENT = [0, 0, 0, 0];

/** The library is loaded at the first picture, from where the environment of the function says. */
let loading: Promise<Library> | undefined;

/** Pictures by libvips, as WebAssembly: the same file on every platform, and a box that a hostile picture stays in. */
export const vipsImages: Images = {
  shrink: (bytes, shapes) =>
    look(bytes, (vips, head, frames, keep) => {
      const isWebp = head.getString('vips-loader').startsWith('webp');
      return shapes.map((shape) => {
        const isAnimated = frames > 1 && shape.isAnimated === true;
        const image = resize(vips, bytes, shape, isAnimated, keep);
        const animated = isWebp ? 'webp' : 'gif';
        return write(image, isAnimated ? animated : shape.isSmall ? 'webp' : 'png');
      });
    }),
  measure: (bytes) =>
    look(bytes, (_vips, head) => {
      const { width, height } = head;
      const isOnItsSide =
        head.getTypeof('orientation') !== 0 && head.getInt('orientation') >= FIRST_ON_ITS_SIDE;
      return isOnItsSide ? { width: height, height: width } : { width, height };
    }),
};

type Look<Result> = (vips: Library, head: Image, frames: number, keep: Keep) => Result;

/** Opens a picture, and closes whatever was opened of it. @throws BadImage */
async function look<Result>(bytes: Uint8Array, see: Look<Result>): Promise<Result> {
  loading ??= load();
  const vips = await loading;
  const open: { delete(): void }[] = [];
  const keep = <One extends { delete(): void }>(one: One): One => {
    open.push(one);
    return one;
  };
  try {
    const head = keep(vips.Image.newFromBuffer(bytes));
    const frames = head.getTypeof('n-pages') === 0 ? 1 : head.getInt('n-pages');
    checkSize(head.width, head.height, frames);
    return see(vips, head, frames, keep);
  } catch (failure) {
    if (failure instanceof BadImage) throw failure;
    throw new BadImage('Invalid image format');
  } finally {
    for (const one of open.reverse()) one.delete();
  }
}

async function load(): Promise<Library> {
  const module = (await import(process.env.IMAGE_LIBRARY ?? 'wasm-vips')) as { default: typeof Vips };
  const silent = () => {};
  const preRun = ({ ENV }: { ENV: Record<string, string> }) => {
    ENV.VIPS_WARNING = '0';
  };
  const vips = await module.default({ dynamicLibraries: [], print: silent, printErr: silent, preRun });
  vips.concurrency(1);
  vips.Cache.max(0);
  vips.operationBlock('VipsForeignLoad', true);
  for (const loader of LOADERS) vips.operationBlock(`VipsForeignLoad${loader}`, false);
  return vips;
}

/** @throws BadImage for what would take too long or too much memory to decode */
function checkSize(width: number, height: number, frames: number): void {
  const isTooLarge =
    width > MAX_SIDE || height > MAX_SIDE || frames > MAX_FRAMES || width * height * frames > MAX_PIXELS;
  if (isTooLarge) throw new BadImage('Image size exceeds limit');
}

type Keep = <One extends { delete(): void }>(one: One) => One;

function resize(
  vips: Library,
  bytes: Uint8Array,
  { width, height, fit }: PictureShape,
  isAnimated: boolean,
  keep: Keep,
): Image {
  const options = {
    height,
    fail_on: vips.FailOn.error,
    option_string: isAnimated ? '[n=-1]' : '',
    ...(fit === 'cover' && { crop: vips.Interesting.centre }),
    ...(fit === 'inside' && { size: vips.Size.down }),
  };
  const image = keep(vips.Image.thumbnailBuffer(bytes, width, options));
  if (fit !== 'pad') return image;
  const opaque = image.hasAlpha() ? image : keep(image.addalpha());
  const frameHeight = isAnimated ? image.pageHeight : image.height;
  const frames = Array.from({ length: image.height / frameHeight }, (_, index) => {
    const frame = keep(opaque.crop(0, index * frameHeight, image.width, frameHeight));
    const { centre } = vips.CompassDirection;
    return keep(
      frame.gravity(centre, width, height, { extend: vips.Extend.background, background: TRANSPARENT }),
    );
  });
  const [first] = frames;
  if (first && frames.length === 1) return first;
  const joined = keep(vips.Image.arrayjoin(frames, { across: 1 }));
  joined.setInt('page-height', height);
  return joined;
}

function write(image: Image, format: Picture['format']): Picture {
  const bytes =
    format === 'png'
      ? image.pngsaveBuffer({ keep: 'none', compression: 9 })
      : format === 'gif'
        ? image.gifsaveBuffer({ keep: 'none' })
        : image.webpsaveBuffer({ keep: 'none', Q: 90 });
  return { bytes: Uint8Array.from(bytes), format };
}
