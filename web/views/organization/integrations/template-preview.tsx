import { useEffect, useState } from 'preact/hooks';
import { explain } from '#web/net/api.ts';
import { readBotKey } from '#web/net/organization/bots.ts';
import { previewTemplates } from '#web/net/organization/integrations.ts';
import { Failure } from '#web/parts/form.tsx';
import { t } from '#web/texts/texts.ts';

const SAMPLE = '{\n  "title": "Too hot",\n  "text": "The boiler is at 101 degrees."\n}';
/** A pause in the typing. */
const PAUSE_MS = 400;

type Shown = { topic: string; content: string } | { failure: string } | undefined;

/** Renders a sample with the templates while they are edited. */
export function TemplatePreview({ botId, templates }: { botId: number; templates: Record<string, string> }) {
  const [sample, setSample] = useState(SAMPLE);
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      readBotKey(botId)
        .then((key) => previewTemplates(key, templates, sample, abort.signal))
        .then(setShown, (reason) => {
          if (!abort.signal.aborted) setShown({ failure: explain(reason) });
        });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [botId, JSON.stringify(templates), sample]);
  return (
    <>
      <label class="field">
        {t('organization.sampleOfWhatComes')}
        <textarea
          class="input"
          rows={6}
          spellcheck={false}
          value={sample}
          onInput={(event) => setSample(event.currentTarget.value)}
        />
      </label>
      {shown && 'failure' in shown && <Failure text={shown.failure} />}
      {shown && 'topic' in shown && (
        <div class="field" role="status" aria-label={t('organization.preview')}>
          <strong>{shown.topic}</strong>
          <pre>{shown.content}</pre>
        </div>
      )}
    </>
  );
}
