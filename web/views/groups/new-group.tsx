import { useState } from 'preact/hooks';
import { go } from '#web/net/router.ts';
import { useServer } from '#web/net/store.ts';
import { createGroup } from '#web/net/user-groups.ts';
import { Form } from '#web/parts/form.tsx';
import { ManyChoice } from '#web/parts/many-choice.tsx';
import { Head } from '#web/views/shell/head.tsx';

/** The form of a new group; opens the group when it is made. */
export function NewGroupForm() {
  const users = useServer(({ realm_users }) => realm_users);
  const ownId = useServer(({ user_id }) => user_id);
  const [userIds, setUserIds] = useState<number[]>([]);
  return (
    <main class="main">
      <Head title="New group" crumb="Groups" crumbLink="#groups/all" />
      <div class="page">
        <div class="sheet">
          <Form
            label="Create group"
            submit={async (fields) => {
              const id = await createGroup(
                String(fields.get('name')),
                String(fields.get('description')),
                userIds,
              );
              go(`#groups/${id}`);
            }}
          >
            <label class="field">
              Name
              <input class="input" name="name" required maxLength={100} autocomplete="off" />
            </label>
            <label class="field">
              What it is for
              <input class="input" name="description" maxLength={1024} autocomplete="off" />
            </label>
            <ManyChoice
              legend="Members, beside you"
              find="Find a person"
              items={users
                .filter(({ user_id: id }) => id !== ownId)
                .map(({ user_id: id, full_name: name }) => ({ id, name }))}
              chosen={userIds}
              change={setUserIds}
            />
          </Form>
        </div>
      </div>
    </main>
  );
}
