import { describe, expect, test } from 'vitest';
import { shortErrors } from '#infra/less-of-the-sdk.ts';

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
