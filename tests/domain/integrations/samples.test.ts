import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findIntegration, integrationSlugs } from '#shared/actions/integrations/registry.ts';
import { DeclaredError } from '#shared/domain/errors.ts';
import { decodeDelivery, type Sent } from '#shared/domain/integrations/decode.ts';
import type { Delivery, Integration, Note } from '#shared/domain/integrations/integration.ts';
import { Payload } from '#shared/domain/integrations/payload.ts';
import { type Reading, readDelivery } from '#shared/domain/integrations/read.ts';
import type { Sample } from './sample.ts';
import { samplesOf } from './samples.ts';

const integrations = await Promise.all(
  integrationSlugs.map(async (slug) => {
    const integration = (await findIntegration(slug)) as Integration;
    const { samples } = (await samplesOf[slug]?.()) ?? { samples: [] };
    return { slug, integration, samples };
  }),
);

/** The request of a sample, perhaps with another payload. */
function toSent({ headers = {}, query = {}, ...body }: Sample): Sent {
  const form = new Map(Object.entries(body.form ?? {}));
  const text =
    body.text ?? (body.form ? new URLSearchParams(body.form).toString() : JSON.stringify(body.payload));
  const type = body.form
    ? 'application/x-www-form-urlencoded'
    : body.text === undefined
      ? 'application/json'
      : 'text/plain';
  return {
    body: Buffer.from(text ?? ''),
    header: (name) => ({ 'content-type': type, ...headers })[name],
    query: new Map(Object.entries(query)),
    form,
  };
}

const read = (integration: Integration, sample: Sample): Reading =>
  readDelivery(integration, decodeDelivery(integration, toSent(sample)), {});

/** The messages of a sample, as a page for people. */
const shown = ({ name }: Sample, { events, notes }: Reading): string =>
  [
    `# ${name}${events.length > 0 ? ` (${events.join(', ')})` : ''}`,
    ...(notes.length > 0 ? notes.map(block) : ['nothing']),
  ].join('\n\n');

const block = ({ topic, content }: Note): string => `Topic: ${topic}\n\n${content}`;

describe.each(integrations)('The integration $slug', ({ slug, integration, samples }) => {
  test('Renders every sample like its page', async () => {
    expect(samples.length, 'samples').toBeGreaterThan(0);
    const page = samples.map((sample) => shown(sample, read(integration, sample))).join('\n\n---\n\n');
    await expect(`${page}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'said', `${slug}.md`));
  });

  test('Has a sample of every event', () => {
    const seen = new Set(samples.flatMap((sample) => read(integration, sample).events));
    expect(Object.keys(integration.events ?? {}).filter((event) => !seen.has(event))).toEqual([]);
    for (const { event, ...sample } of samples)
      if (event !== undefined) expect(read(integration, sample).events, sample.name).toContain(event);
  });

  test('Has short topics, bounded texts, and no mentions', () => {
    for (const sample of samples)
      for (const { topic, content } of read(integration, sample).notes) {
        expect([...topic].length, topic).toBeLessThanOrEqual(60);
        expect(content).not.toMatch(/@_?\*\*(all|everyone)/);
      }
  });

  test('Reads or refuses every hostile variant of its samples', () => {
    for (const sample of samples) {
      const delivery = decodeDelivery(integration, toSent(sample));
      for (const value of variantsOf(delivery.payload.value)) {
        const outcome = outcomeOf(integration, { ...delivery, payload: new Payload(value ?? null) });
        if (outcome !== 'read or refused') expect.fail(outcome);
      }
    }
  });
});

function outcomeOf(integration: Integration, delivery: Delivery): string {
  try {
    for (const { topic } of readDelivery(integration, delivery, {}).notes)
      if ([...topic].length > 60) return `long topic ${topic}`;
    return 'read or refused';
  } catch (failure) {
    if (failure instanceof DeclaredError && failure.status < 500) return 'read or refused';
    return `${failure} for ${JSON.stringify(delivery.payload.value)?.slice(0, 2000)}`;
  }
}

const HOSTILE: unknown[] = [
  null,
  0,
  '`*[](@**all**',
  {},
  [null],
  -1.5,
  '',
  { a: {} },
  true,
  '9'.repeat(400),
  [],
  'x',
];
/** A missing field, and some values that take turns. */
const TURNS = 3;
let turn = 0;
const hostileValues = (): unknown[] => [
  undefined,
  ...Array.from({ length: TURNS }, () => HOSTILE[turn++ % HOSTILE.length]),
];

/** The payload with one field at a time missing or of another kind, at every depth. */
function* variantsOf(value: unknown): Generator<unknown> {
  yield* hostileValues();
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value))
    for (const other of variantsOf(member))
      yield Array.isArray(value)
        ? value.map((one, index) => (String(index) === name ? other : one))
        : { ...value, [name]: other };
}

test('No integration fails on any JSON', () => {
  fc.assert(
    fc.property(fc.constantFrom(...integrations), fc.json(), ({ integration, samples: [first] }, text) => {
      const delivery = decodeDelivery(integration, toSent(first ?? { name: 'any', payload: {} }));
      expect(outcomeOf(integration, { ...delivery, payload: new Payload(JSON.parse(text)) })).toBe(
        'read or refused',
      );
    }),
    { numRuns: 500 },
  );
});
