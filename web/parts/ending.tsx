import { Group } from './sections.tsx';

interface Way {
  title: string;
  label: string;
  run: () => unknown;
}

/** Ends something, or brings back what has ended. */
export function Ending({
  hasEnded,
  note,
  end,
  bringBack,
}: {
  hasEnded: boolean;
  /** The consequence of this end. */
  note: string;
  end: Way;
  bringBack: Way;
}) {
  const { title, label, run } = hasEnded ? bringBack : end;
  return (
    <Group title={title} note={note}>
      <button
        type="button"
        class={hasEnded ? 'button start' : 'button danger start'}
        onClick={() => void run()}
      >
        {label}
      </button>
    </Group>
  );
}
