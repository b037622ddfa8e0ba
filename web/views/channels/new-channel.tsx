import { createChannel, PRIVACIES, type Privacy } from '#web/net/channel-actions.ts';
import { go } from '#web/net/router.ts';
import { useServer } from '#web/net/store.ts';
import { Empty } from '#web/parts/empty.tsx';
import { Form, TextLine } from '#web/parts/form.tsx';
import { useKeptForm } from '#web/parts/kept-form.ts';
import { PeopleChoice } from '#web/parts/many-choice.tsx';
import { t } from '#web/texts/texts.ts';
import { Head } from '#web/views/shell/head.tsx';

/** The page of a new channel, or why the viewer may not create one. */
export function NewChannelPage() {
  const mayCreate = useServer(({ can_create_streams }) => can_create_streams);
  return (
    <main class="main">
      <Head title={t('channels.newChannel')} crumb={t('common.channels')} crumbLink="#channels/all" />
      <div class="page">
        {mayCreate ? (
          <NewChannelForm />
        ) : (
          <Empty
            icon="lock"
            title={t('channels.youCantCreateChannels')}
            text={t('channels.askAnAdministratorToCreateOne')}
          />
        )}
      </div>
    </main>
  );
}

/** Opens the channel when it is made. */
function NewChannelForm() {
  const folders = useServer(({ channel_folders }) => channel_folders);
  const ownId = useServer(({ user_id }) => user_id);
  const mayPublic = useServer(({ can_create_public_streams }) => can_create_public_streams);
  const mayPrivate = useServer(({ can_create_private_streams }) => can_create_private_streams);
  const privacies = PRIVACIES.filter(([privacy]) => (privacy === 'public' ? mayPublic : mayPrivate));
  const { around, userIds, setUserIds, end } = useKeptForm('new channel');
  return (
    <div class="sheet" {...around}>
      <Form
        label={t('channels.createChannel')}
        submit={async (fields) => {
          const folder = Number(fields.get('folder'));
          const id = await createChannel({
            name: String(fields.get('name')),
            description: String(fields.get('description')),
            privacy: String(fields.get('privacy')) as Privacy,
            folderId: folder > 0 ? folder : undefined,
            userIds,
          });
          end();
          go(`#narrow/channel/${id}`);
        }}
      >
        <TextLine label={t('common.name')} name="name" isRequired longest={60} />
        <TextLine label={t('channels.whatItIsFor')} name="description" longest={1024} />
        <fieldset class="choices">
          <legend>{t('channels.whoCanReadIt')}</legend>
          {privacies.map(([value, label], index) => (
            <label key={value}>
              <input type="radio" name="privacy" value={value} defaultChecked={index === 0} />
              {label}
            </label>
          ))}
        </fieldset>
        {folders.length > 0 && (
          <label class="field">
            {t('channels.folder')}
            <select class="input" name="folder">
              <option value="0">{t('channels.none')}</option>
              {folders
                .filter(({ is_archived: isArchived }) => !isArchived)
                .map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
            </select>
          </label>
        )}
        <PeopleChoice
          legend={t('channels.subscribersBesideYou')}
          without={[ownId]}
          chosen={userIds}
          change={setUserIds}
        />
      </Form>
    </div>
  );
}
