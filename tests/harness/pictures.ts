import Vips from 'wasm-vips';

const loading = Vips({ dynamicLibraries: [] });

export interface PictureOptions {
  width?: number;
  height?: number;
  kind?: 'png' | 'jpg' | 'gif' | 'webp' | 'tif';
  /** How a camera was held, as cameras say it. */
  orientation?: number;
  /** The colour of each frame. */
  colours?: [number, number, number][];
}

const RED: [number, number, number] = [255, 0, 0];

/** A picture in plain colours; of several it moves. */
export async function makePicture(options: PictureOptions = {}): Promise<Uint8Array> {
  const { width = 40, height = 30, kind = 'png', colours = [RED], orientation } = options;
  const vips = await loading;
  const frames = colours.map((colour) =>
    vips.Image.black(width, height, { bands: 3 }).add(colour).cast('uchar').copy({ interpretation: 'srgb' }),
  );
  const picture = vips.Image.arrayjoin(frames, { across: 1 });
  if (frames.length > 1) {
    picture.setInt('page-height', height);
    picture.setArrayInt(
      'delay',
      colours.map(() => 100),
    );
  }
  if (orientation !== undefined) picture.setInt('orientation', orientation);
  return Uint8Array.from(picture.writeToBuffer(`.${kind}`));
}

export interface LookedAt {
  kind: string;
  width: number;
  height: number;
  frames: number;
  /** The first frame's middle pixel: red, green, blue, and opacity. */
  middle: number[];
  /** The same at the upper left corner. */
  corner: number[];
}

/** The pixels of a picture. */
export async function lookAt(bytes: Uint8Array): Promise<LookedAt> {
  const vips = await loading;
  const picture = vips.Image.newFromBuffer(bytes);
  const kind = picture
    .getString('vips-loader')
    .replace(/(save|load).*/, '')
    .replace('nsgif', 'gif');
  const frames = picture.getTypeof('n-pages') === 0 ? 1 : picture.getInt('n-pages');
  const { width, height } = picture;
  return {
    kind,
    width,
    height,
    frames,
    middle: picture.getpoint(Math.floor(width / 2), Math.floor(height / 2)),
    corner: picture.getpoint(0, 0),
  };
}

/** A form with files, and perhaps parameters beside them. */
export function toForm(files: Uint8Array | Uint8Array[], params: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(params)) form.append(name, value);
  for (const [index, bytes] of [files].flat().entries())
    form.append(`file${index}`, new Blob([new Uint8Array(bytes)]), `picture${index}.png`);
  return form;
}
