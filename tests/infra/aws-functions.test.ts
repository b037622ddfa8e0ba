import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { SWEEP_FAILURE_WORDS } from '#infra/aws/alarms.ts';
import { listFunctions } from '#infra/aws/functions.ts';
import { ROOT } from './aws-fixture.ts';

const functions = listFunctions();

describe('an operation', () => {
  it.each(functions.endpoints)(
    'has one name everywhere: $operation',
    async ({ operation, endpoint, file, name }) => {
      expect(basename(file)).toBe(`${name}.ts`);
      expect(name).toMatch(/^[a-z]+(-[a-z0-9]+)*$/);
      const module = await import(join(ROOT, file));
      expect(module[operation]).toBe(endpoint);
      expect(module.handler).toBeTypeOf('function');
    },
  );

  it('without a file is refused', () => {
    const [first] = Object.values(endpoints);
    expect(() => listFunctions({ ...endpoints, inventDream: first! })).toThrow('inventDream has no file');
  });

  it('whose file is not in the registry is refused', () => {
    const [[left = ''] = [], ...others] = Object.entries(endpoints);
    expect(() => listFunctions(Object.fromEntries(others))).toThrow(/exports a handler but is not in/);
    expect(left).not.toBe('');
  });
});

describe('the sweep', () => {
  it('reports what stays undone in the words that the alarm counts', () => {
    expect(readFileSync(join(ROOT, 'functions/workers/sweep.ts'), 'utf8')).toContain(SWEEP_FAILURE_WORDS);
  });
});
