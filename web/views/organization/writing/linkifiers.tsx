import {
  addLinkifier,
  editLinkifier,
  orderLinkifiers,
  removeLinkifier,
} from '#web/net/organization/writing.ts';
import { useServer } from '#web/net/store.ts';
import { closeDialog, openDialog } from '#web/parts/dialog.tsx';
import { Form } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import { Sortable } from '#web/parts/sortable.tsx';
import type { Linkifier } from '#web/state/wire-organization.ts';

/** Patterns whose matches in messages and topics become links. */
export function Linkifiers() {
  const linkifiers = useServer(({ realm_linkifiers }) => realm_linkifiers);
  const isAdmin = useServer(({ is_admin }) => is_admin);
  return (
    <Group
      title="Linkifiers"
      note="Text that matches a pattern becomes a link, such as the number of an issue; the first pattern that matches wins. Messages that were sent before stay as they are."
    >
      {isAdmin ? <LinkifierForm /> : <p class="quiet">Administrators can change this.</p>}
      {linkifiers.length === 0 && <p class="quiet">There are no linkifiers.</p>}
      <Sortable
        items={linkifiers}
        keyOf={({ id }) => String(id)}
        nameOf={({ pattern }) => pattern}
        isFixed={!isAdmin}
        order={(next) => orderLinkifiers(next.map(({ id }) => id))}
      >
        {(one) => (
          <>
            <div class="line-text">
              <code>{one.pattern}</code>
              <span class="quiet">{one.url_template}</span>
            </div>
            {isAdmin && (
              <>
                <IconButton
                  icon="pencil"
                  label={`Edit ${one.pattern}`}
                  onClick={() => openDialog('Edit the linkifier', () => <LinkifierForm known={one} />)}
                />
                <IconButton
                  icon="trash"
                  label={`Remove ${one.pattern}`}
                  onClick={() => void removeLinkifier(one)}
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
  const submit = async (fields: FormData): Promise<void> => {
    const given = [String(fields.get('pattern')), String(fields.get('template'))] as const;
    if (!known) await addLinkifier(...given);
    else {
      await editLinkifier(known.id, ...given);
      closeDialog();
    }
  };
  return (
    <Form label={known ? 'Save' : 'Add'} submit={submit}>
      <label class="field">
        Pattern
        <input
          class="input"
          name="pattern"
          required
          autocomplete="off"
          spellcheck={false}
          placeholder="#(?P<id>[0-9]+)"
          defaultValue={known?.pattern}
        />
        <small>A regular expression with a name for each part.</small>
      </label>
      <label class="field">
        Address
        <input
          class="input"
          name="template"
          required
          autocomplete="off"
          spellcheck={false}
          placeholder="https://example.com/issues/{id}"
          defaultValue={known?.url_template}
        />
        <small>The names of the parts stand in braces.</small>
      </label>
    </Form>
  );
}
