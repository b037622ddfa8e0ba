import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { shortErrors } from '#infra/less-of-the-sdk.ts';
import { lessOfXss } from '#infra/less-of-xss.ts';

const BASE = 'import { ServiceException as __BaseException } from "./ServiceException";';
const classNamed = (name: string, fault: string, more = '') => `export class ${name} extends __BaseException {
  name = "${name}";
  $fault = "${fault}";${more}
  constructor(opts) {
    super({ name: "${name}", $fault: "${fault}", ...opts });
    Object.setPrototypeOf(this, ${name}.prototype);
  }
}`;

describe('error classes of the SDK', () => {
  test('keep their names, faults and whether a call is made again', () => {
    const short = shortErrors(
      [BASE, classNamed('Busy', 'server', '\n  $retryable = {};'), classNamed('Wrong', 'client')].join('\n'),
    );
    expect(short).toMatch(/import \{ ServiceException as Base \} from '\.\/ServiceException';/);
    expect(short.match(/^ *export const .*$/gm)?.map((line) => line.trim())).toEqual([
      "export const Busy = declare('Busy', 'server', {});",
      "export const Wrong = declare('Wrong', 'client');",
    ]);
  });

  test.each([
    ['has no base', classNamed('Wrong', 'client')],
    ['has no class', BASE],
  ])('stop the build where a file %s', (_, source) => {
    expect(() => shortErrors(source)).toThrow('declares its errors in another way now');
  });
});

test("the sanitizer's own list of elements stops the build where it is written in another way", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'team-chat-less-'));
  const file = join(folder, 'xss/lib/default.js');
  mkdirSync(join(folder, 'xss/lib'), { recursive: true });
  const bundle = async (source: string): Promise<string> => {
    writeFileSync(file, source);
    const { outputFiles } = await build({
      entryPoints: [file],
      bundle: true,
      write: false,
      logLevel: 'silent',
      plugins: [lessOfXss],
    });
    return outputFiles[0]?.text ?? '';
  };
  try {
    const known =
      'function getDefaultWhiteList() {\n  return { marquee: [] };\n}\nconsole.log(getDefaultWhiteList());';
    expect(await bundle(known)).not.toContain('marquee');
    await expect(bundle('const getDefaultWhiteList = () => ({ marquee: [] });')).rejects.toThrow(
      'The library writes its list of elements in another way now',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
