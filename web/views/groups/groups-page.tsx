import { useServer } from '#web/net/store.ts';
import { FoundList } from '#web/parts/found-list.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Sections } from '#web/parts/sections.tsx';
import { groupName, isInGroup } from '#web/state/groups.ts';
import type { Group } from '#web/state/wire-people.ts';
import { t } from '#web/texts/texts.ts';
import { Head } from '#web/views/shell/head.tsx';
import { GroupSettings } from './group-settings.tsx';
import { NewGroupPage } from './new-group.tsx';

const LISTS = [
  ['your', t('groups.yourGroups')],
  ['all', t('groups.allGroups')],
  ['deactivated', t('common.deactivated')],
] as const;
type List = (typeof LISTS)[number][0];

/** Lists groups, or shows one of them with its members, or the form of a new one. */
export function GroupsPage({ rest }: { rest: string[] }) {
  const [first = 'all'] = rest;
  const groups = useServer(({ realm_user_groups }) => realm_user_groups);
  const ownId = useServer(({ user_id }) => user_id);
  const creators = useServer(({ realm_can_create_groups }) => realm_can_create_groups);
  const group = groups.find(({ id }) => id === Number(first));
  if (group) return <GroupSettings key={group.id} group={group} />;
  if (first === 'new') return <NewGroupPage />;
  const open = LISTS.find(([slug]) => slug === first)?.[0] ?? 'all';
  return (
    <main class="main">
      <Head title={t('common.groups')}>
        {isInGroup(groups, ownId, creators) && (
          <a class="button primary" href="#groups/new">
            <Icon name="plus" /> {t('groups.newGroup')}
          </a>
        )}
      </Head>
      <Sections label={t('groups.listsOfGroups')} root="groups" open={open} list={LISTS}>
        <GroupList key={open} which={open} />
      </Sections>
    </main>
  );
}

function GroupList({ which }: { which: List }) {
  const groups = useServer(({ realm_user_groups }) => realm_user_groups);
  const ownId = useServer(({ user_id }) => user_id);
  const isListed = (group: Group): boolean =>
    !group.is_system_group &&
    group.deactivated === (which === 'deactivated') &&
    (which !== 'your' || isInGroup(groups, ownId, group.id));
  return (
    <FoundList
      label={t('groups.findAGroup')}
      countOf={(count) => t('common.groupCount', { count })}
      list={groups.filter(isListed)}
      draw={(group) => (
        <li key={group.id} class="line">
          <Icon name="users" />
          <div class="line-text">
            <a href={`#groups/${group.id}`}>{groupName(group)}</a>
            <span class="quiet">
              {[t('common.memberCount', { count: group.members.length }), group.description]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </div>
        </li>
      )}
    />
  );
}
