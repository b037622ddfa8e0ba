import { useState } from 'preact/hooks';
import { addField, editField } from '#web/net/organization/profile-fields.ts';
import { useClose } from '#web/parts/dialog-context.ts';
import { Form, TextLine } from '#web/parts/form.tsx';
import {
  type Account,
  accountOf,
  CUSTOM_ACCOUNT,
  dataOfOptions,
  FIELD_KINDS,
  type Option,
  optionsOf,
} from '#web/state/profile.ts';
import type { ProfileField } from '#web/state/wire-organization.ts';
import { t } from '#web/texts/texts.ts';
import { AccountEditor } from './account-editor.tsx';
import { OptionsEditor } from './options-editor.tsx';

const KINDS: readonly (readonly [number, string])[] = [
  [FIELD_KINDS.shortText, t('organization.shortText')],
  [FIELD_KINDS.longText, t('organization.longText')],
  [FIELD_KINDS.options, t('organization.listOfOptions')],
  [FIELD_KINDS.date, t('organization.date')],
  [FIELD_KINDS.link, t('organization.link')],
  [FIELD_KINDS.people, t('common.people')],
  [FIELD_KINDS.account, t('organization.accountElsewhere')],
  [FIELD_KINDS.pronouns, t('organization.pronouns')],
];

export const kindName = (type: number): string =>
  KINDS.find(([kind]) => kind === type)?.[1] ?? t('organization.text');

const NOT_ON_CARDS: number[] = [FIELD_KINDS.longText, FIELD_KINDS.people];
const FOR_FINDING: number[] = [FIELD_KINDS.shortText, FIELD_KINDS.account];

/** Creates a field, or edits the given one; its kind stays. */
export function FieldForm({ field }: { field?: ProfileField }) {
  const close = useClose();
  const [kind, setKind] = useState<number>(field?.type ?? FIELD_KINDS.shortText);
  const [options, setOptions] = useState<Option[]>(field ? optionsOf(field) : [{ key: '0', text: '' }]);
  const [account, setAccount] = useState<Account>(
    field ? accountOf(field) : { subtype: CUSTOM_ACCOUNT, pattern: '' },
  );
  const isNamedBySite = kind === FIELD_KINDS.account && account.subtype !== CUSTOM_ACCOUNT;
  const submit = async (form: FormData): Promise<void> => {
    const properties = {
      ...(!isNamedBySite && { name: String(form.get('name')), hint: String(form.get('hint')) }),
      ...dataOf(kind, options, account),
      display_in_profile_summary: form.has('summary'),
      required: form.has('required'),
      editable_by_user: !form.has('fixed'),
      use_for_user_matching: form.has('matching'),
    };
    await (field ? editField(field.id, properties) : addField({ field_type: kind, ...properties }));
    close();
  };
  return (
    <Form label={field ? t('common.save') : t('organization.addTheField')} submit={submit}>
      {!field && (
        <label class="field">
          {t('organization.kind')}
          <select class="input" onChange={(event) => setKind(Number(event.currentTarget.value))}>
            {KINDS.map(([fieldKind, name]) => (
              <option key={fieldKind} value={fieldKind} selected={fieldKind === kind}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {kind === FIELD_KINDS.account && <AccountEditor account={account} change={setAccount} isNew={!field} />}
      {!isNamedBySite && <Names {...(field && { field })} />}
      {kind === FIELD_KINDS.options && <OptionsEditor options={options} change={setOptions} />}
      <Flags kind={kind} {...(field && { field })} />
    </Form>
  );
}

function dataOf(kind: number, options: Option[], { subtype, pattern }: Account) {
  if (kind === FIELD_KINDS.options)
    return { field_data: dataOfOptions(options.filter(({ text }) => text.trim() !== '')) };
  if (kind !== FIELD_KINDS.account) return {};
  return { field_data: { subtype, ...(subtype === CUSTOM_ACCOUNT && { url_pattern: pattern }) } };
}

function Names({ field }: { field?: ProfileField }) {
  return (
    <>
      <TextLine label={t('organization.label')} name="name" isRequired longest={40} value={field?.name} />
      <TextLine label={t('organization.helpForThoseWhoFill')} name="hint" longest={80} value={field?.hint} />
    </>
  );
}

function Flags({ kind, field }: { kind: number; field?: ProfileField }) {
  const flags: [name: string, label: string, isOn: boolean | undefined][] = [
    ['required', t('organization.askPeopleToFillIt'), field?.required],
    ['fixed', t('organization.onlyAdministratorsFillItIn'), field && !field.editable_by_user],
  ];
  if (!NOT_ON_CARDS.includes(kind))
    flags.push(['summary', t('organization.showItOnTheCard'), field?.display_in_profile_summary]);
  if (FOR_FINDING.includes(kind))
    flags.push(['matching', t('organization.findPeopleByItWhen'), field?.use_for_user_matching]);
  return (
    <fieldset class="choices">
      <legend>{t('organization.howItIsUsed')}</legend>
      {flags.map(([name, label, isOn]) => (
        <label key={name}>
          <input type="checkbox" name={name} defaultChecked={isOn ?? false} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
