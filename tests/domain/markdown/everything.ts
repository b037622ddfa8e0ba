import { compileLinkifiers } from '#shared/domain/linkifiers/engine.ts';
import type { Linkifier } from '#shared/domain/linkifiers/linkifier.ts';
import { type Known, nothingKnown } from '#shared/markdown/known.ts';
import { findReferences } from '#shared/markdown/references.ts';
import { showUploads } from '#shared/markdown/shown-uploads.ts';
import { loadParts } from '#shared/store/messages/markdown-parts.ts';

const linkifier = (pattern: string, id: number): Linkifier => ({
  id,
  pattern,
  urlTemplate: 'https://bugs.example.com/{id}',
  exampleInput: null,
  reverseTemplate: null,
  alternativeUrlTemplates: [],
});
const IMAGE = {
  pathId: '2/1-1/x/a.png',
  mediaType: 'image/png',
  width: 4,
  height: 3,
  thumbnail: '840x560.webp',
};

/** As much as can be known while a text is rendered: a hundred of each kind, and every part of the renderer. */
export const everything: Known = {
  ...nothingKnown,
  ...(await loadParts(findReferences('🙂 $$x$$\n```js\n'))),
  linker: compileLinkifiers([linkifier('#(?P<id>[0-9]+)', 1), linkifier('(?P<id>[A-Z]+-[0-9]+)', 2)]),
  users: [
    { userId: 1, fullName: 'Ada', isActive: true },
    ...Array.from({ length: 99 }, (_, n) => ({
      userId: n + 2,
      fullName: `Somebody Else ${n}`,
      isActive: true,
    })),
  ],
  groups: [
    { groupId: 1, name: 'g', isDeactivated: false },
    ...Array.from({ length: 99 }, (_, n) => ({ groupId: n + 2, name: `group ${n}`, isDeactivated: false })),
  ],
  channels: [
    { channelId: 1, name: 'c' },
    ...Array.from({ length: 99 }, (_, n) => ({ channelId: n + 2, name: `channel ${n}` })),
  ],
  topics: [{ channelId: 1, topic: 't', newestMessageId: 1 }],
  emoji: [{ name: 'my_custom', url: '/user_avatars/a.png' }],
  uploads: [
    { pathId: IMAGE.pathId, image: IMAGE },
    { pathId: '2/1-1/x/a.mp3', player: 'audio' },
    { pathId: '2/1-1/x/a.mp4', player: 'video' },
  ],
  origin: 'https://chat.example.com',
  showUploads,
};

/** The same with linkifiers that take as long as linkifiers may. */
export const withSlowLinkifiers = (pattern: string, count: number): Known => ({
  ...everything,
  linker: compileLinkifiers(Array.from({ length: count }, (_, n) => linkifier(pattern, n + 1))),
});
