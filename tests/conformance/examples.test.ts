import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { endpoints } from '#functions/routes.ts';
import type { OperationExample } from '#infra/openapi/operation.ts';
import { EXAMPLES_FILE, readExamples } from '#infra/openapi/service-document.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { startTestService } from '#tests/harness/service.ts';
import { callSample, createWorldWithPhone, recordExample } from './recording.ts';
import { answersJson } from './requests.ts';
import { restoreCaller } from './world.ts';

const names = (Object.entries(endpoints) as [keyof typeof endpoints, AnyEndpoint][])
  .filter(([, endpoint]) => answersJson(endpoint))
  .map(([name]) => name);

/**
 * In this mode each operation is called in a world of its own, and the calls become the examples of the document.
 * Where only some are chosen by `-t`, the others stay.
 */
describe.runIf(process.env.MODE === 'record')('Recording', () => {
  const recorded: Record<string, OperationExample> = readExamples();
  afterAll(() => {
    const inOrder = names.filter((name) => recorded[name]).map((name) => [name, recorded[name]]);
    writeFileSync(EXAMPLES_FILE, `${JSON.stringify(Object.fromEntries(inOrder), null, 1)}\n`);
  });

  test.each(names)('%s', async (name) => {
    recorded[name] = await recordExample(name);
  });
});

describe.runIf(process.env.MODE !== 'record')('The examples of the document', async () => {
  const examples = readExamples();
  const service = await startTestService();
  const world = await createWorldWithPhone(service);

  test.each(names)('The example of %s has the fields of its parameters and reply', async (name) => {
    const { parameters, body } = await callSample(world, name);
    const shown = examples[name];
    expect(Object.keys(shown?.parameters ?? {})).toEqual(Object.keys(parameters));
    expect(Object.keys(shown?.reply ?? {}).sort()).toEqual(Object.keys(body).sort());
    await service.settle();
    await restoreCaller(world);
  });

  /** Replies with times, random names, keys, addresses of the service, and ids of earlier things. */
  const changeable: (keyof typeof endpoints)[] = [
    'registerPushDevice',
    'createInvitationLink',
    'uploadFile',
    'editBot',
    'listMessages',
    'registerQueue',
    'editUserGroup',
  ];

  test.each(changeable)(
    'A new recording of %s equals the example, at another time and in another order',
    async (name) => {
      expect(await recordExample(name)).toEqual(examples[name]);
    },
  );
});
