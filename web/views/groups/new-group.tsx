import { go } from '#web/net/router.ts';
import { useServer } from '#web/net/store.ts';
import { createGroup } from '#web/net/user-groups.ts';
import { Empty } from '#web/parts/empty.tsx';
import { Form, TextLine } from '#web/parts/form.tsx';
import { useKeptForm } from '#web/parts/kept-form.ts';
import { PeopleChoice } from '#web/parts/many-choice.tsx';
import { isInAny } from '#web/state/rights.ts';
import { t } from '#web/texts/texts.ts';
import { Head } from '#web/views/shell/head.tsx';

/** The page of a new group, or why the viewer may not create one. */
export function NewGroupPage() {
  const mayCreate = useServer((server) => isInAny(server, server.realm_can_create_groups));
  return (
    <main class="main">
      <Head title={t('groups.newGroup')} crumb={t('common.groups')} crumbLink="#groups/all" />
      <div class="page">
        {mayCreate ? (
          <NewGroupForm />
        ) : (
          <Empty
            icon="lock"
            title={t('groups.youCantCreateGroups')}
            text={t('groups.askAnAdministratorToCreateOne')}
          />
        )}
      </div>
    </main>
  );
}

/** Opens the group when it is made. */
function NewGroupForm() {
  const ownId = useServer(({ user_id }) => user_id);
  const { around, userIds, setUserIds, end } = useKeptForm('new group');
  return (
    <div class="sheet" {...around}>
      <Form
        label={t('groups.createGroup')}
        submit={async (fields) => {
          const id = await createGroup(
            String(fields.get('name')),
            String(fields.get('description')),
            userIds,
          );
          end();
          go(`#groups/${id}`);
        }}
      >
        <TextLine label={t('common.name')} name="name" isRequired longest={100} />
        <TextLine label={t('groups.whatItIsFor')} name="description" longest={1024} />
        <PeopleChoice
          legend={t('groups.membersBesideYou')}
          without={[ownId]}
          chosen={userIds}
          change={setUserIds}
        />
      </Form>
    </div>
  );
}
