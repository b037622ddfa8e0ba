import { call } from '#web/net/api.ts';
import { attempt } from '#web/net/message-actions.ts';
import { sendPicture } from '#web/net/own-settings.ts';
import { showNotice } from '#web/net/store.ts';
import type { CustomEmoji } from '#web/state/wire.ts';
import type { Linkifier, Playground } from '#web/state/wire-organization.ts';
import { t } from '#web/texts/texts.ts';

/** @throws ApiError in the words of the service */
export const addLinkifier = (pattern: string, urlTemplate: string): Promise<unknown> =>
  call('POST', '/realm/filters', { pattern, url_template: urlTemplate });

/** @throws ApiError in the words of the service */
export const editLinkifier = (id: number, pattern: string, urlTemplate: string): Promise<unknown> =>
  call('PATCH', `/realm/filters/${id}`, { pattern, url_template: urlTemplate });

/** Orders the linkifiers: the first one that matches a text makes the link. */
export const orderLinkifiers = (ids: number[]): Promise<boolean> =>
  attempt(t('organization.theOrderStaysAsIt'), () =>
    call('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: ids }),
  );

/** Deletes a linkifier; the notice offers to add it again, as the last one. */
export async function removeLinkifier({ id, pattern, url_template: urlTemplate }: Linkifier): Promise<void> {
  if (
    !(await attempt(t('organization.theLinkifierWasNotRemoved'), () =>
      call('DELETE', `/realm/filters/${id}`),
    ))
  )
    return;
  const undo = (): void =>
    void attempt(t('organization.theLinkifierWasNotAdded'), () => addLinkifier(pattern, urlTemplate));
  showNotice(t('organization.theLinkifierIsRemoved'), { label: t('common.undo'), run: undo });
}

/** @throws ApiError in the words of the service */
export const addPlayground = ({ name, pygments_language, url_template }: Omit<Playground, 'id'>) =>
  call('POST', '/realm/playgrounds', { name, pygments_language, url_template });

/** Deletes a playground; the notice offers to add it again, as the last one. */
export async function removePlayground(playground: Playground): Promise<void> {
  const path = `/realm/playgrounds/${playground.id}`;
  if (!(await attempt(t('organization.thePlaygroundWasNotRemoved'), () => call('DELETE', path)))) return;
  const undo = (): void =>
    void attempt(t('organization.thePlaygroundWasNotAdded'), () => addPlayground(playground));
  showNotice(t('organization.playgroundIsRemoved', { playground: playground.name }), {
    label: t('common.undo'),
    run: undo,
  });
}

/** Adds an emoji of the organization. @throws ApiError in the words of the service */
export const addEmoji = (name: string, picture: File): Promise<void> =>
  sendPicture(`/realm/emoji/${encodeURIComponent(name)}`, picture);

export async function removeEmoji({ name }: CustomEmoji): Promise<void> {
  const path = `/realm/emoji/${encodeURIComponent(name)}`;
  if (await attempt(t('organization.nameWasNotRemoved', { name }), () => call('DELETE', path)))
    showNotice(t('organization.nameIsRemoved', { name }));
}
