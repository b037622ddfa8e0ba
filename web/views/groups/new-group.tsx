import { go } from '#web/net/router.ts';
import { useServer } from '#web/net/store.ts';
import { createGroup } from '#web/net/user-groups.ts';
import { Form, TextLine } from '#web/parts/form.tsx';
import { useKeptForm } from '#web/parts/kept-form.ts';
import { PeopleChoice } from '#web/parts/many-choice.tsx';
import { t } from '#web/texts/texts.ts';
import { Head } from '#web/views/shell/head.tsx';

/** The form of a new group; opens the group when it is made. */
export function NewGroupForm() {
  const ownId = useServer(({ user_id }) => user_id);
  const { around, userIds, setUserIds, end } = useKeptForm('new group');
  return (
    <main class="main">
      <Head title={t('groups.newGroup')} crumb={t('common.groups')} crumbLink="#groups/all" />
      <div class="page">
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
      </div>
    </main>
  );
}
