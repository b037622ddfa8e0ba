import type { World } from './world.ts';

let madeCount = 0;

/** A fresh linkifier; there are few at a time, since every message is searched for all of them. */
const linkifierOf = async ({ caller }: World): Promise<number> => {
  const { body } = await caller.get('/realm/linkifiers');
  for (const { id } of body.linkifiers.slice(2)) await caller.delete(`/realm/filters/${id}`);
  return (await caller.post('/realm/filters', newLinkifier())).body.id;
};
const newLinkifier = () => ({
  pattern: `S${++madeCount}-(?P<id>[0-9]+)`,
  url_template: 'https://example.com/{id}',
});
const newPlayground = () => ({
  name: `sample ${++madeCount}`,
  pygments_language: 'Python',
  url_template: 'https://example.com/?code={code}',
});

/** Samples of the operations on what is done with the text of messages. */
export const textSamples = {
  addAlertWords: () => ({ alert_words: [`sample ${++madeCount}`, 'Sample'] }),
  listAlertWords: () => ({}),
  removeAlertWords: async ({ caller }: World) => {
    const word = `sample ${++madeCount}`;
    await caller.post('/users/me/alert_words', { alert_words: [word] });
    return { alert_words: [word, 'no alert word'] };
  },
  createLinkifier: async (world: World) => {
    await linkifierOf(world);
    return {
      ...newLinkifier(),
      example_input: `S${madeCount}-7`,
      reverse_template: `S${madeCount}-{id}`,
      alternative_url_templates: ['https://example.org/{id}'],
    };
  },
  deleteLinkifier: async (world: World) => ({ filter_id: await linkifierOf(world) }),
  editLinkifier: async (world: World) => ({ filter_id: await linkifierOf(world), ...newLinkifier() }),
  listLinkifiers: () => ({}),
  reorderLinkifiers: async (world: World) => {
    await linkifierOf(world);
    const { body } = await world.caller.get('/realm/linkifiers');
    return { ordered_linkifier_ids: body.linkifiers.map(({ id }: { id: number }) => id).reverse() };
  },
  createPlayground: () => newPlayground(),
  deletePlayground: async ({ caller }: World) => {
    const { body } = await caller.post('/realm/playgrounds', newPlayground());
    return { playground_id: body.id };
  },
};
