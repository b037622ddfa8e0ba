import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { keep, readKept } from '#web/net/device.ts';
import { go } from '#web/net/router.ts';
import { lastSent } from '#web/net/sending.ts';
import { server, useServer } from '#web/net/store.ts';
import { Icon, IconButton } from '#web/parts/icon.tsx';
import { doneSteps, FIRST_STEPS, type FirstStep } from '#web/state/first-steps.ts';
import { t } from '#web/texts/texts.ts';
import { openGreeting } from '#web/views/lists/greeting.ts';
import { openSetUp } from '#web/views/lists/open-set-up.ts';

/** Another one when the owner has done or dismissed a step that only this device knows of. */
const change = signal(Symbol());

const nameOf = (what: 'hidden' | 'greeted'): string => `first steps ${what} ${server.value.user_id}`;

function note(what: 'hidden' | 'greeted'): void {
  keep(nameOf(what), 'yes');
  change.value = Symbol();
}

const LABELS: Record<FirstStep, string> = {
  team: t('shell.nameYourTeam'),
  picture: t('shell.addYourPicture'),
  greeting: t('shell.sayHello'),
  invitation: t('common.invitePeople'),
  channel: t('shell.createASecondChannel'),
};

const START: Record<FirstStep, () => void> = {
  team: () => openSetUp('team'),
  picture: () => openSetUp('self'),
  greeting: () => void openGreeting(),
  invitation: () => go('#invite'),
  channel: () => go('#channels/new'),
};

/** The first steps of the owner of a new organization. Disappears when all are done or when it is dismissed. */
export function FirstSteps() {
  const known = useServer(doneSteps);
  const isOwner = known !== undefined;
  const hasSent = lastSent.value?.conversation.type === 'stream';
  useEffect(() => {
    if (hasSent && isOwner) note('greeted');
  }, [hasSent, isOwner]);
  if (!isOwner || (change.value && readKept(nameOf('hidden')) !== null)) return null;
  const done = known.split(' ');
  const all = FIRST_STEPS.map((step) => ({
    step,
    isDone: step === 'greeting' ? readKept(nameOf('greeted')) !== null : done.includes(step),
  }));
  const count = all.filter(({ isDone }) => isDone).length;
  if (count === all.length) return null;
  return (
    <section class="first-steps" aria-labelledby="first-steps">
      <div class="first-steps-head">
        <h2 id="first-steps">{t('shell.firstSteps')}</h2>
        <span class="quiet">{t('shell.stepsDone', { count, all: all.length })}</span>
        <IconButton icon="x" label={t('shell.hideFirstSteps')} onClick={() => note('hidden')} />
      </div>
      <ul>
        {all.map(({ step, isDone }) => (
          <li key={step}>
            <button type="button" class={isDone ? 'is-done' : ''} onClick={START[step]}>
              {isDone ? <Icon name="circle-check" /> : <span class="first-steps-mark" aria-hidden="true" />}
              <span>{LABELS[step]}</span>
              {isDone && <span class="hidden-visually">{t('shell.stepIsDone')}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
