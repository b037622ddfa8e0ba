import { useState } from 'preact/hooks';
import { call } from '#web/net/api.ts';
import { server, showNotice } from '#web/net/store.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { Form } from '#web/parts/form.tsx';
import { PlaceFields } from '#web/parts/place-fields.tsx';
import { momentOf } from '#web/parts/time.ts';
import { forInput, TimeSuggestions } from '#web/parts/time-choice.tsx';
import type { Scheduled } from '#web/state/wire.ts';
import { t } from '#web/texts/texts.ts';
import { whereTo } from '#web/views/compose/where-to.ts';

/** Changes the text of a scheduled message, its time, and its channel and topic. */
export const openScheduled = (message: Scheduled): void =>
  openDialog(t('lists.editTheScheduledMessage'), () => <ScheduledForm message={message} />, true);

interface Plan {
  content: string;
  channelId: number;
  topic: string;
  atSeconds: number;
}

const planOf = ({ content, to, topic = '', scheduled_delivery_timestamp: atSeconds }: Scheduled): Plan => ({
  content,
  channelId: typeof to === 'number' ? to : 0,
  topic,
  atSeconds,
});

/** Only changed fields are sent: a channel that the viewer left meanwhile keeps its planned message. */
function changesOf(message: Scheduled, plan: Plan): Record<string, unknown> {
  const before = planOf(message);
  const isElsewhere = plan.channelId !== before.channelId || plan.topic !== before.topic;
  return {
    ...(plan.content !== before.content && { content: plan.content }),
    ...(isElsewhere && { type: 'channel', to: plan.channelId, topic: plan.topic }),
    ...((plan.atSeconds !== before.atSeconds || message.failed) && {
      scheduled_delivery_timestamp: plan.atSeconds,
    }),
  };
}

function ScheduledForm({ message }: { message: Scheduled }) {
  const close = useClose();
  const [plan, setPlan] = useState<Plan>(planOf(message));
  const set = (changes: Partial<Plan>): void => setPlan({ ...plan, ...changes });
  const save = async (): Promise<void> => {
    const changes = changesOf(message, plan);
    if (Object.keys(changes).length > 0) {
      await call('PATCH', `/scheduled_messages/${message.scheduled_message_id}`, changes);
      showNotice(t('lists.itWillBeSentTime', { time: momentOf(plan.atSeconds) }));
    }
    close();
  };
  return (
    <Form label={t('common.save')} submit={save} cancel={close} class="stack">
      {message.type === 'stream' ? (
        <PlaceFields place={plan} set={set} />
      ) : (
        <p>{t('lists.toOne', { one: whereTo(directOf(message)) })}</p>
      )}
      <label class="field">
        {t('common.message')}
        <textarea
          class="input"
          rows={5}
          dir="auto"
          required
          maxLength={server.value.max_message_length}
          value={plan.content}
          onInput={(event) => set({ content: event.currentTarget.value })}
        />
      </label>
      <TimeSuggestions choose={(atSeconds) => set({ atSeconds })} />
      <label class="field">
        {t('lists.when')}
        <input
          class="input"
          type="datetime-local"
          required
          value={forInput(plan.atSeconds * 1000)}
          onChange={({ currentTarget: { value } }) => {
            if (value !== '') set({ atSeconds: Math.floor(new Date(value).getTime() / 1000) });
          }}
        />
      </label>
    </Form>
  );
}

const directOf = ({ to }: Scheduled) => ({
  type: 'private' as const,
  userIds: typeof to === 'number' ? [to] : to,
});
