import { VIEWER } from '../../scene.ts';
import { load, openStillPage, type StillPage } from '../still-page.ts';

const ORGANIZATION = '#web/net/organization';
/** The actions of an administrator on the organization. */
export const [roster, many, bots, groups, writing, settings, folders, invitations, fields, exports, store] =
  await load(
    `${ORGANIZATION}/roster.ts`,
    `${ORGANIZATION}/many-people.ts`,
    `${ORGANIZATION}/bots.ts`,
    '#web/net/user-groups.ts',
    `${ORGANIZATION}/writing.ts`,
    `${ORGANIZATION}/settings.ts`,
    `${ORGANIZATION}/folders.ts`,
    `${ORGANIZATION}/invitations.ts`,
    `${ORGANIZATION}/profile-fields.ts`,
    `${ORGANIZATION}/exports.ts`,
    '#web/net/store.ts',
  );

export const ada = { user_id: 2, full_name: 'Ada', role: 400 };
export const bo = { user_id: 3, full_name: 'Bo', role: 300 };
export const linkifier = { id: 4, pattern: 'T(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' };
export const playground = {
  id: 5,
  name: 'Rust',
  pygments_language: 'Rust',
  url_template: 'https://example.com/{code}',
};
export const bot = { name: 'Echo', shortName: 'echo', kind: 1, ownerId: VIEWER };
export const group = { id: 6, name: 'builders' };
export const folder = { id: 8, name: 'Work' };

/** Opens the page of an administrator. */
export function openAsAdministrator(): StillPage {
  store.notices.value = [];
  return openStillPage({ realm_users: [ada, bo], is_admin: true } as never);
}
