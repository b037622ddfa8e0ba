import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Vips from 'wasm-vips';
import { readCommandLine } from '../command-line.ts';

const WEB = join(import.meta.dirname, '..', '..', 'web');
const VIEW_BOX = 64;

/** Pictures that a device shows for the installed app; only a maskable one fills its square, as the device cuts it. */
const ICONS = [
  { name: 'app-192', size: 192, isMaskable: false },
  { name: 'app-512', size: 512, isMaskable: false },
  { name: 'app-maskable', size: 512, isMaskable: true },
  { name: 'app-apple', size: 180, isMaskable: true },
];

const HELP = `Usage: npm run draw:icons

Draws the PNG icons of the web client in web/icons from web/icon.svg. Run it after a change of that picture.

Options:
  --help  print this text

Example:
  npm run draw:icons`;

/** Draws each icon with the renderer that also reads pictures people upload. */
async function drawIcons(): Promise<void> {
  const vips = await Vips({ dynamicLibraries: ['vips-resvg.wasm'] });
  const round = await readFile(join(WEB, 'icon.svg'), 'utf8');
  const square = round.replace(/ rx="\d+"/, '');
  for (const { name, size, isMaskable } of ICONS) {
    const drawing = Buffer.from(isMaskable ? square : round);
    const picture = vips.Image.svgloadBuffer(drawing, { scale: size / VIEW_BOX });
    await writeFile(
      join(WEB, 'icons', `${name}.png`),
      picture.pngsaveBuffer({ compression: 9, palette: true }),
    );
    picture.delete();
  }
  vips.shutdown();
}

readCommandLine(HELP);
await drawIcons();
