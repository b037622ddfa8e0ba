import { addSubscribers } from '#web/net/channel-actions.ts';
import { deactivateMany, peopleIn, setRoleOfMany } from '#web/net/organization/many-people.ts';
import { ROLES } from '#web/net/organization/roster.ts';
import { channels, showNotice, useServer } from '#web/net/store.ts';
import { addMembers } from '#web/net/user-groups.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { Form } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import { t } from '#web/texts/texts.ts';

interface Props {
  chosen: number[];
  clear: () => void;
}

/** What an administrator does with several people at once. */
export function ManyPeople({ chosen, clear }: Props) {
  const isOwner = useServer(({ is_owner }) => is_owner);
  const groups = useServer(({ realm_user_groups }) => realm_user_groups);
  const who = peopleIn(chosen);
  const openForm = (title: string, part: Omit<OneOfManyProps, 'done'>): void =>
    openDialog(title, () => <OneOfMany {...part} done={clear} />);
  const roles = ROLES.filter(([role]) => isOwner || role > 100);
  const open = [...channels.value.values()].filter(({ is_archived: isArchived }) => !isArchived);
  const own = groups.filter(({ is_system_group: isSystem, deactivated }) => !isSystem && !deactivated);
  return (
    <div class="many-line" role="toolbar" aria-label={t('organization.peopleWhoAreChosen')}>
      <strong role="status">{who}</strong>
      <button
        type="button"
        class="button"
        onClick={() =>
          openForm(t('organization.roleOfWho', { who }), {
            label: t('organization.role'),
            action: t('organization.setTheRole'),
            choices: roles,
            work: (role) => setRoleOfMany(chosen, role),
          })
        }
      >
        {t('organization.roleDots')}
      </button>
      <button
        type="button"
        class="button"
        onClick={() =>
          openForm(t('organization.subscribeWho', { who }), {
            label: t('organization.channel'),
            action: t('organization.subscribeThem'),
            choices: open.map(({ stream_id: id, name }) => [id, `#${name}`]),
            work: (id) => subscribeMany(id, chosen),
          })
        }
      >
        {t('organization.channelDots')}
      </button>
      {own.length > 0 && (
        <button
          type="button"
          class="button"
          onClick={() =>
            openForm(t('organization.addWhoToAGroup', { who }), {
              label: t('organization.group'),
              action: t('organization.addThem'),
              choices: own.map(({ id, name }) => [id, name]),
              work: (id) => addMany(id, own.find((group) => group.id === id)?.members ?? [], chosen),
            })
          }
        >
          {t('organization.groupDots')}
        </button>
      )}
      <button
        type="button"
        class="button danger"
        onClick={() =>
          openDialog(t('organization.deactivateWho', { who }), () => (
            <DeactivateMany chosen={chosen} clear={clear} />
          ))
        }
      >
        {t('organization.deactivate')}
      </button>
      <IconButton icon="x" label={t('organization.chooseNone')} onClick={clear} />
    </div>
  );
}

async function subscribeMany(channelId: number, chosen: number[]): Promise<void> {
  const name = channels.value.get(channelId)?.name ?? '';
  await addSubscribers(name, chosen);
  showNotice(t('organization.nowInNameChosen', { name, chosen: peopleIn(chosen) }));
}

async function addMany(groupId: number, members: number[], chosen: number[]): Promise<void> {
  const added = chosen.filter((id) => !members.includes(id));
  if (added.length > 0) await addMembers(groupId, added);
  showNotice(t('organization.addedToTheGroupAdded', { added: peopleIn(added) }));
}

interface OneOfManyProps {
  label: string;
  action: string;
  choices: readonly (readonly [value: number, name: string])[];
  work: (value: number) => Promise<void>;
  done: () => void;
}

function OneOfMany({ label, action, choices, work, done }: OneOfManyProps) {
  const close = useClose();
  return (
    <Form
      label={action}
      submit={async (fields) => {
        await work(Number(fields.get('value')));
        done();
        close();
      }}
    >
      <label class="field">
        {label}
        <select class="input" name="value">
          {choices.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </Form>
  );
}

function DeactivateMany({ chosen, clear }: Props) {
  const close = useClose();
  return (
    <Form
      label={t('common.deactivate')}
      class="form dangerous"
      submit={async () => {
        await deactivateMany(chosen);
        clear();
        close();
      }}
    >
      <p>{t('organization.theyAreSignedOutEverywhere')}</p>
    </Form>
  );
}
