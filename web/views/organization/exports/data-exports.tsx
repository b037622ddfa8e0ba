import { useAsked } from '#web/net/asked.ts';
import {
  type Consent,
  type DataExport,
  deleteExport,
  EXPORT_KINDS,
  startExport,
} from '#web/net/organization/exports.ts';
import { nameOfPerson, useServer } from '#web/net/store.ts';
import { confirm } from '#web/parts/dialog.tsx';
import { Empty } from '#web/parts/empty.tsx';
import { Failure, Form } from '#web/parts/form.tsx';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { Group } from '#web/parts/sections.tsx';
import { momentOf } from '#web/parts/time.ts';
import { t } from '#web/texts/texts.ts';

/** Archives of the organization's data: consent, a new archive, and existing ones. */
export function DataExports() {
  const isAdmin = useServer(({ is_admin }) => is_admin);
  if (!isAdmin)
    return (
      <Empty
        icon="download"
        title={t('organization.administratorsExportData')}
        text={t('organization.inYourSettingsYouSay')}
      >
        <a class="button" href="#settings/account-and-privacy">
          {t('organization.privacySettings')}
        </a>
      </Empty>
    );
  return (
    <>
      <Group title={t('organization.newExport')} note={t('organization.anArchiveWithPeopleChannels')}>
        <Consents />
        <NewExport />
      </Group>
      <Group title={t('organization.exports')}>
        <ExportList />
      </Group>
    </>
  );
}

function Consents() {
  const { reply, failure } = useAsked<{ export_consents: Consent[] }>('/export/realm/consents', [
    'realm_export_consent',
    'realm_user',
  ]);
  if (failure && !reply) return <Failure text={failure} />;
  const all = reply?.export_consents ?? [];
  const agreed = all.filter(({ consented }) => consented).length;
  return (
    <div class="consents">
      <p role="status">
        {reply
          ? t('organization.agreedOfCountAgreeTo', { agreed, count: all.length })
          : t('organization.counting')}
      </p>
      <meter
        min={0}
        max={Math.max(1, all.length)}
        value={agreed}
        aria-label={t('organization.peopleWhoAgreeToThe')}
      />
    </div>
  );
}

function NewExport() {
  const isOwner = useServer(({ is_owner }) => is_owner);
  return (
    <Form
      label={t('organization.startTheExport')}
      submit={(fields) => startExport(String(fields.get('kind')))}
    >
      <fieldset class="choices">
        <legend>{t('organization.whatItHolds')}</legend>
        {EXPORT_KINDS.map(([kind, name, isForOwners], index) => (
          <label key={kind}>
            <input
              type="radio"
              name="kind"
              value={kind}
              defaultChecked={index === 0}
              disabled={isForOwners && !isOwner}
            />
            {name}
            {isForOwners && <small class="quiet"> {t('organization.ownersOnlyWhereTheService')}</small>}
          </label>
        ))}
      </fieldset>
    </Form>
  );
}

function ExportList() {
  const { reply, failure } = useAsked<{ exports: DataExport[] }>('/export/realm', ['realm_export']);
  if (failure && !reply) return <Failure text={failure} />;
  if (!reply) return <p class="quiet">{t('organization.loading')}</p>;
  if (reply.exports.length === 0) return <p class="quiet">{t('organization.noDataHasBeenExported')}</p>;
  return (
    <ul class="plain-list lines" aria-live="polite">
      {reply.exports.toReversed().map((dataExport) => (
        <ExportLine key={dataExport.id} dataExport={dataExport} />
      ))}
    </ul>
  );
}

function stateOf({ pending, failed_timestamp: failed, deleted_timestamp: deleted }: DataExport): string {
  if (pending) return t('organization.beingMade');
  if (failed !== null) return t('organization.failedTime', { time: momentOf(failed) });
  return deleted === null
    ? t('organization.ready')
    : t('organization.deletedTime', { time: momentOf(deleted) });
}

function ExportLine({ dataExport }: { dataExport: DataExport }) {
  const made = momentOf(dataExport.export_time);
  const kind = EXPORT_KINDS.find(([name]) => name === dataExport.export_type)?.[1] ?? dataExport.export_type;
  return (
    <li class="line" aria-busy={dataExport.pending}>
      <Icon
        name={
          dataExport.pending
            ? 'loader-circle'
            : dataExport.failed_timestamp === null
              ? 'archive'
              : 'circle-alert'
        }
      />
      <div class="line-text">
        <strong>{kind}</strong>
        <span class="quiet">
          {t('organization.oneMadeByName', {
            one: stateOf(dataExport),
            made,
            name: nameOfPerson(dataExport.acting_user_id),
          })}
        </span>
      </div>
      {dataExport.export_url && (
        <a
          class="button"
          href={dataExport.export_url}
          download
          aria-label={t('organization.downloadTheExportOfMade', { made })}
        >
          <Icon name="download" /> {t('organization.download')}
        </a>
      )}
      {!dataExport.pending && dataExport.export_url && (
        <IconButton
          icon="trash"
          label={t('organization.deleteTheExportOfMade', { made })}
          onClick={() =>
            confirm(
              t('organization.deleteTheArchive'),
              t('organization.itCannotBeDownloadedAny'),
              t('organization.deleteTheArchive4'),
              () => void deleteExport(dataExport),
            )
          }
        />
      )}
    </li>
  );
}
