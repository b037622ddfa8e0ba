import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Component } from './sbom.ts';

const FOLDER = join(import.meta.dirname, '../../node_modules/wasm-vips');
/** A row of its table of notices: library, and licence, perhaps as a link. */
const ROW = /^\| (\S+) +\| (.+?) +\|$/gm;
const LINK = /\[([^\]]*)\]\([^)]*\)/g;
const SPDX: Record<string, string> = {
  LGPLv3: 'LGPL-3.0-or-later',
  'MIT License': 'MIT',
  'BSD 3-Clause': 'BSD-3-Clause',
  'BSD 2-Clause': 'BSD-2-Clause',
  'New BSD License': 'BSD-3-Clause',
  'zlib License': 'Zlib',
  'libpng License': 'libpng-2.0',
  'libtiff License (BSD-like)': 'libtiff',
};

/**
 * The libraries that are compiled into `wasm-vips`, with licences of their own (libvips, GLib, libheif and libexif
 * are under the LGPL), as its notices and its list of versions name them. The lock file does not know them.
 */
export function listBundledParts(): Component[] {
  const notices = readFileSync(join(FOLDER, 'THIRD-PARTY-NOTICES.md'), 'utf8');
  const versions = JSON.parse(readFileSync(join(FOLDER, 'versions.json'), 'utf8')) as Record<string, string>;
  const rows = [...notices.matchAll(ROW)].filter(([, name]) => name !== 'Library');
  return rows.map(([, name = '', text = '']) => {
    const license = text.replaceAll(LINK, '$1').trim();
    const version = versions[name] ?? versions[name.replace(/^lib/, '')];
    const id = SPDX[license];
    return {
      'bom-ref': `wasm-vips/${name}`,
      type: 'library',
      name,
      ...(version !== undefined && { version }),
      licenses: [{ license: id === undefined ? { name: license } : { id } }],
    };
  });
}
