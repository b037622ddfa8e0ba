import type { World } from '#tests/conformance/world.ts';

/** A fresh linkifier; there are few at a time, since every message is searched for all of them. */
const linkifierOf = async ({ caller, nextNumber }: World): Promise<number> => {
  const { body } = await caller.get('/realm/linkifiers');
  for (const { id } of body.linkifiers.slice(2)) await caller.delete(`/realm/filters/${id}`);
  return (await caller.post('/realm/filters', newLinkifier(nextNumber()))).body.id;
};
const newLinkifier = (number: number) => ({
  pattern: `S${number}-(?P<id>[0-9]+)`,
  url_template: 'https://example.com/{id}',
});
const newPlayground = ({ nextNumber }: World) => ({
  name: `sample ${nextNumber()}`,
  pygments_language: 'Python',
  url_template: 'https://example.com/?code={code}',
});

/** Samples of the operations on the text of messages. */
export const textSamples = {
  addAlertWords: ({ nextNumber }: World) => ({ alert_words: [`sample ${nextNumber()}`, 'Sample'] }),
  listAlertWords: () => ({}),
  removeAlertWords: async ({ caller, nextNumber }: World) => {
    const word = `sample ${nextNumber()}`;
    await caller.post('/users/me/alert_words', { alert_words: [word] });
    return { alert_words: [word, 'no alert word'] };
  },
  createLinkifier: async (world: World) => {
    await linkifierOf(world);
    const number = world.nextNumber();
    return {
      ...newLinkifier(number),
      example_input: `S${number}-7`,
      reverse_template: `S${number}-{id}`,
      alternative_url_templates: ['https://example.org/{id}'],
    };
  },
  deleteLinkifier: async (world: World) => ({ filter_id: await linkifierOf(world) }),
  editLinkifier: async (world: World) => ({
    filter_id: await linkifierOf(world),
    ...newLinkifier(world.nextNumber()),
  }),
  listLinkifiers: () => ({}),
  reorderLinkifiers: async (world: World) => {
    await linkifierOf(world);
    const { body } = await world.caller.get('/realm/linkifiers');
    return { ordered_linkifier_ids: body.linkifiers.map(({ id }: { id: number }) => id).reverse() };
  },
  createPlayground: newPlayground,
  deletePlayground: async (world: World) => {
    const { body } = await world.caller.post('/realm/playgrounds', newPlayground(world));
    return { playground_id: body.id };
  },
};
