import { addEmoji, removeEmoji } from '#web/net/organization/writing.ts';
import { nameOfPerson, useServer } from '#web/net/store.ts';
import { Form } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import { isInGroup } from '#web/state/groups.ts';
import { t } from '#web/texts/texts.ts';

/** The emoji of the organization, with a form to add one; authors and administrators remove them. */
export function CustomEmojiList() {
  const all = useServer(({ realm_emoji }) => realm_emoji);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  const ownId = useServer(({ user_id }) => user_id);
  const groups = useServer(({ realm_user_groups }) => realm_user_groups);
  const mayAdd = isInGroup(
    groups,
    ownId,
    useServer(({ realm_can_add_custom_emoji_group }) => realm_can_add_custom_emoji_group),
  );
  const listed = Object.values(all)
    .filter(({ deactivated }) => !deactivated)
    .sort((a, b) => a.name.localeCompare(b.name));
  return (
    <Group title={t('organization.emoji')} note={t('organization.picturesThatEveryoneHereCan')}>
      {mayAdd && (
        <Form
          label={t('common.add')}
          submit={async (fields) => {
            const picture = fields.get('picture');
            if (picture instanceof File) await addEmoji(String(fields.get('name')).trim(), picture);
          }}
        >
          <div class="pair">
            <label class="field">
              {t('common.name')}
              <input class="input" name="name" required autocomplete="off" placeholder="party_octopus" />
            </label>
            <label class="field">
              {t('common.picture')}
              <input type="file" name="picture" accept="image/*" required />
            </label>
          </div>
        </Form>
      )}
      {listed.length === 0 && <p class="quiet">{t('organization.theOrganizationHasNoEmoji')}</p>}
      <ul class="plain-list lines">
        {listed.map((emoji) => (
          <li key={emoji.id} class="line">
            <img src={emoji.source_url} alt="" width={28} height={28} />
            <div class="line-text">
              <strong>:{emoji.name}:</strong>
              {emoji.author_id !== null && <span class="quiet">{nameOfPerson(emoji.author_id)}</span>}
            </div>
            {(isAdmin || emoji.author_id === ownId) && (
              <IconButton
                icon="trash"
                label={t('organization.removeOne', { one: emoji.name })}
                onClick={() => void removeEmoji(emoji)}
              />
            )}
          </li>
        ))}
      </ul>
    </Group>
  );
}
