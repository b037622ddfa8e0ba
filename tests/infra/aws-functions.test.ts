import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { SWEEP_FAILURE_WORDS } from '#infra/aws/alarms.ts';
import { listFunctions } from '#infra/aws/functions.ts';
import { describeApi } from '#shared/api/openapi.ts';
import { ROOT } from './aws-fixture.ts';

const functions = listFunctions();
const document = describeApi(endpoints, { title: 'Team Chat Service' });
const described = Object.values(document.paths).flatMap((methods) => Object.entries(methods));

describe('an operation', () => {
  it.each(functions.endpoints)(
    'has one name everywhere: $operation',
    async ({ operation, endpoint, file, name }) => {
      expect(basename(file)).toBe(`${name}.ts`);
      expect(name).toMatch(/^[a-z]+(-[a-z0-9]+)*$/);
      const module = await import(join(ROOT, file));
      expect(module[operation]).toBe(endpoint);
      expect(module.handler).toBeTypeOf('function');
      const names = described.map(([, { operationId }]) => operationId).filter((one) => one === operation);
      expect(names).toEqual([operation]);
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

describe('the API document', () => {
  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  it('puts parameters where they may stand', () => {
    for (const [method, { parameters, requestBody }] of described) {
      if (method === 'get' || method === 'delete') expect(requestBody).toBeUndefined();
      else for (const one of parameters) expect(one.in).toBe('path');
      for (const one of parameters) expect(one.schema ?? one.content).toBeDefined();
    }
  });

  it('tells every parameter, result member and error code', () => {
    for (const [, { operationId, parameters, requestBody, responses }] of described) {
      const endpoint = functions.endpoints.find(({ operation }) => operation === operationId)!.endpoint;
      const form = Object.values(requestBody?.content ?? {})[0]?.schema.properties ?? {};
      const names = [...parameters.map(({ name }) => name), ...Object.keys(form as object)];
      expect(names.sort()).toEqual(Object.keys(endpoint.params).sort());
      expect(responses[200] ?? responses[302]).toBeDefined();
      for (const errorClass of endpoint.errors) {
        const { status, code } = new errorClass(['']);
        const { enum: codes } = (
          responses[status]!.content!['application/json']!.schema as unknown as CodeSchema
        ).properties.code;
        expect(codes).toContain(code);
      }
    }
  });
});

interface CodeSchema {
  properties: { code: { enum: string[] } };
}

describe('the sweep', () => {
  it('reports what stays undone in the words that the alarm counts', () => {
    expect(readFileSync(join(ROOT, 'functions/workers/sweep.ts'), 'utf8')).toContain(SWEEP_FAILURE_WORDS);
  });
});
