import {
  addFolder,
  archiveFolder,
  editFolder,
  orderFolders,
  restoreFolder,
} from '#web/net/organization/folders.ts';
import { channels, useServer } from '#web/net/store.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { Form, TextLine } from '#web/parts/form.tsx';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import { Sortable } from '#web/parts/sortable.tsx';
import type { Folder } from '#web/state/wire.ts';
import { t } from '#web/texts/texts.ts';

/** The folders under which navigations list channels, in their order. */
export function ChannelFolders() {
  const folders = useServer(({ channel_folders }) => channel_folders);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const open = folders.filter(({ is_archived: isArchived }) => !isArchived);
  const archived = folders.filter(({ is_archived: isArchived }) => isArchived);
  const keep = (next: Folder[]): Promise<boolean> => orderFolders([...next, ...archived].map(({ id }) => id));
  return (
    <Group
      title={t('organization.channelFolders')}
      note={t(isAdmin ? 'organization.foldersInThisOrder' : 'organization.foldersInThisOrderFixed')}
    >
      {isAdmin && (
        <button
          type="button"
          class="button primary start"
          onClick={() => openDialog(t('organization.newFolder'), () => <FolderForm />)}
        >
          <Icon name="plus" /> {t('organization.newFolder')}
        </button>
      )}
      {open.length === 0 && <p class="quiet">{t('organization.thereAreNoFolders')}</p>}
      <Sortable
        items={open}
        keyOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        isFixed={!isAdmin}
        order={keep}
      >
        {(folder) => <FolderLine folder={folder} isFixed={!isAdmin} />}
      </Sortable>
      {archived.length > 0 && <Archived folders={archived} isFixed={!isAdmin} />}
    </Group>
  );
}

function FolderLine({ folder, isFixed }: { folder: Folder; isFixed: boolean }) {
  const { id, name, description } = folder;
  const within = [...channels.value.values()].filter(({ folder_id: of }) => of === id).length;
  const count = t('common.channelCount', { count: within });
  return (
    <>
      <div class="line-text">
        <strong>{name}</strong>
        <span class="quiet">{[count, description].filter(Boolean).join(' · ')}</span>
      </div>
      {!isFixed && (
        <>
          <IconButton
            icon="pencil"
            label={t('organization.editName', { name })}
            onClick={() => openDialog(t('organization.editTheFolder'), () => <FolderForm known={folder} />)}
          />
          <IconButton
            icon="archive"
            label={t('organization.archiveName', { name })}
            onClick={() => void archiveFolder(folder)}
          />
        </>
      )}
    </>
  );
}

function Archived({ folders, isFixed }: { folders: Folder[]; isFixed: boolean }) {
  return (
    <>
      <h3>{t('organization.archived')}</h3>
      <ul class="plain-list lines">
        {folders.map((folder) => (
          <li key={folder.id} class="line">
            <div class="line-text">{folder.name}</div>
            {!isFixed && (
              <button
                type="button"
                class="button"
                aria-label={t('organization.bringFolderBack', { folder: folder.name })}
                onClick={() => void restoreFolder(folder)}
              >
                {t('organization.bringBack')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function FolderForm({ known }: { known?: Folder }) {
  const close = useClose();
  const submit = async (fields: FormData): Promise<void> => {
    const [name, description] = [String(fields.get('name')), String(fields.get('description'))];
    await (known ? editFolder(known.id, { name, description }) : addFolder(name, description));
    close();
  };
  return (
    <Form label={known ? t('common.save') : t('organization.createTheFolder')} submit={submit}>
      <TextLine label={t('common.name')} name="name" isRequired longest={60} value={known?.name} />
      <TextLine
        label={t('organization.whatItHolds')}
        name="description"
        longest={1024}
        value={known?.description}
      />
    </Form>
  );
}
