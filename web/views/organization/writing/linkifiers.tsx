import {
  addLinkifier,
  editLinkifier,
  orderLinkifiers,
  removeLinkifier,
} from '#web/net/organization/writing.ts';
import { useServer } from '#web/net/store.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { Form } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import { Sortable } from '#web/parts/sortable.tsx';
import type { Linkifier } from '#web/state/wire-organization.ts';
import { t } from '#web/texts/texts.ts';

/** Patterns whose matches in messages and topics become links. */
export function Linkifiers() {
  const linkifiers = useServer(({ realm_linkifiers }) => realm_linkifiers);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  return (
    <Group title={t('organization.linkifiers')} note={t('organization.textThatMatchesAPattern')}>
      {isAdmin ? <LinkifierForm /> : <p class="quiet">{t('organization.administratorsCanChangeThis')}</p>}
      {linkifiers.length === 0 && <p class="quiet">{t('organization.thereAreNoLinkifiers')}</p>}
      <Sortable
        items={linkifiers}
        keyOf={({ id }) => String(id)}
        nameOf={({ pattern }) => pattern}
        isFixed={!isAdmin}
        order={(next) => orderLinkifiers(next.map(({ id }) => id))}
      >
        {(linkifier) => (
          <>
            <div class="line-text">
              <code>{linkifier.pattern}</code>
              <span class="quiet">{linkifier.url_template}</span>
            </div>
            {isAdmin && (
              <>
                <IconButton
                  icon="pencil"
                  label={t('organization.editPattern', { pattern: linkifier.pattern })}
                  onClick={() =>
                    openDialog(t('organization.editTheLinkifier'), () => <LinkifierForm known={linkifier} />)
                  }
                />
                <IconButton
                  icon="trash"
                  label={t('organization.removePattern', { pattern: linkifier.pattern })}
                  onClick={() => void removeLinkifier(linkifier)}
                />
              </>
            )}
          </>
        )}
      </Sortable>
    </Group>
  );
}

function LinkifierForm({ known }: { known?: Linkifier }) {
  const close = useClose();
  const submit = async (fields: FormData): Promise<void> => {
    const values = [String(fields.get('pattern')), String(fields.get('template'))] as const;
    if (!known) await addLinkifier(...values);
    else {
      await editLinkifier(known.id, ...values);
      close();
    }
  };
  return (
    <Form label={known ? t('common.save') : t('common.add')} submit={submit}>
      <label class="field">
        {t('organization.pattern')}
        <input
          class="input"
          name="pattern"
          required
          autocomplete="off"
          spellcheck={false}
          placeholder="#(?P<id>[0-9]+)"
          defaultValue={known?.pattern}
        />
        <small>{t('organization.aRegularExpressionWithA')}</small>
      </label>
      <label class="field">
        {t('organization.urlTemplate')}
        <input
          class="input"
          name="template"
          required
          autocomplete="off"
          spellcheck={false}
          placeholder="https://example.com/issues/{id}"
          defaultValue={known?.url_template}
        />
        <small>{t('organization.theNamesOfTheParts')}</small>
      </label>
    </Form>
  );
}
