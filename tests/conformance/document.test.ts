import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import { listFunctions } from '#infra/aws/functions.ts';
import { describeError } from '#infra/openapi/errors.ts';
import { describeService, printDocument } from '#infra/openapi/service-document.ts';
import { templateOf } from '#shared/api/route.ts';
import { BadRequest } from '#shared/domain/errors.ts';
import { answersJson } from './requests.ts';

const document = describeService();
const described = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
  ),
);

/** The findings of the linter; only intended ones are tolerated. */
async function lint(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // Credentials are optional for some and absent for others; a server may have any address.
      'security-defined': 'error',
      'no-server-example.com': 'off',
      'no-empty-servers': 'off',
      // The protocol has paths such as `/users/{user_id_or_email}` beside `/users/me`.
      'no-ambiguous-paths': 'off',
      // The protocol of resumable uploads begins at `/tus/`.
      'no-path-trailing-slash': 'off',
      // Some lead to another address, which is 302.
      'operation-2xx-response': 'off',
      'no-invalid-media-type-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'operation-description': 'error',
      'parameter-description': 'error',
      'tag-description': 'error',
    },
  });
  const problems = await lintFromString({ source, config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

describe('The API document', () => {
  it('Follows OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('Fails the validator if it is changed to be invalid', async () => {
    const { valid } = await new Validator().validate({
      ...structuredClone(document),
      paths: { '/x': { get: 1 } },
    });
    expect(valid).toBe(false);
  });

  it('Passes its linter', async () => {
    expect(await lint(JSON.stringify(document))).toEqual([]);
  });

  it('Fails the linter with an example that does not fit', async () => {
    const faulty = structuredClone(document);
    const { get } = faulty.paths['/api/v1/users'] ?? {};
    Object.assign(get?.responses[200]?.content?.['application/json'] ?? {}, { example: { result: 1 } });
    expect((await lint(JSON.stringify(faulty))).join()).toContain('no-invalid-media-type-examples');
  });

  it('Equals the file in docs; `npm run docs` writes it', () => {
    expect(readFileSync('docs/openapi.json', 'utf8')).toBe(printDocument(document));
  });

  it('Has every operation once', () => {
    const routes = Object.values(endpoints).map((one) => `${one.route.split(' ')[0]} ${templateOf(one)}`);
    expect(described.map(([route]) => route).sort()).toEqual(routes.sort());
  });

  it('Has an area for each folder of functions', () => {
    const areas = new Set(listFunctions().endpoints.map(({ file }) => file.split('/')[1]));
    expect(document.tags.map(({ name }) => name)).toEqual([...areas].sort());
  });

  it('Describes no error without an example of it', () => {
    class Unheard extends BadRequest {}
    expect(() => describeError(Unheard)).toThrow('infra/openapi/errors.ts has no sample of Unheard');
  });
});

describe.each(described)('%s', (_, operation) => {
  const endpoint = Object.entries(endpoints).find(([name]) => name === operation.operationId)![1];

  it('Puts parameters into allowed places', () => {
    const { parameters, requestBody } = operation;
    if (/^(GET|DELETE) /.test(endpoint.route)) expect(requestBody).toBeUndefined();
    else expect(parameters.filter((one) => one.in === 'query')).toEqual([]);
    for (const one of parameters) expect(one.schema ?? one.content).toBeDefined();
  });

  it('Describes every parameter, error and event', () => {
    const [form] = Object.values(operation.requestBody?.content ?? {});
    const properties = Object.keys((form?.schema.properties as object | undefined) ?? {});
    const asked = operation.parameters.filter((one) => one.in !== 'header');
    const names = [...asked.map(({ name }) => name), ...properties];
    expect(names.sort()).toEqual(Object.keys(endpoint.params).sort());
    for (const errorClass of endpoint.errors) {
      const { status, name } = describeError(errorClass);
      expect(operation.responses[status]?.content?.['application/json']?.examples).toHaveProperty(name);
    }
    expect(operation['x-events']).toEqual(endpoint.emits);
  });

  it('Describes idempotency keys if the operation accepts them, and nowhere else', () => {
    const headers = operation.parameters.flatMap((one) => (one.in === 'header' ? [one.name] : []));
    expect(headers).toEqual(endpoint.creates ? ['Idempotency-Key'] : []);
    const isTold = 'Idempotent-Replayed' in (operation.responses[200]?.headers ?? {});
    expect([isTold, '422' in operation.responses]).toEqual([headers.length > 0, headers.length > 0]);
  });

  it.runIf(answersJson(endpoint))('Has an example of each reply', () => {
    const shown = operation.responses[200]?.content?.['application/json'];
    const example = shown?.example ?? (shown?.examples?.Success as { value?: object } | undefined)?.value;
    expect(example).toMatchObject({ result: 'success' });
  });
});
