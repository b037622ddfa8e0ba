import { h } from 'preact';
import { ICONS, type IconName } from './icon-drawings.ts';

/** Icons that show where something leads: they are mirrored on pages that run from right to left. */
const LEADING: readonly IconName[] = [
  'arrow-left',
  'chevron-left',
  'chevron-right',
  'log-out',
  'move-right',
  'send-horizontal',
];

/** A line icon. It says nothing by itself: the control around it has the label. */
export function Icon({ name, size = 16 }: { name: IconName; size?: 16 | 20 }) {
  return (
    <svg
      class={LEADING.includes(name) ? 'icon leading' : 'icon'}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      {ICONS[name].map(([tag, attributes]) => h(tag, { ...attributes, key: JSON.stringify(attributes) }))}
    </svg>
  );
}

/** A button that shows an icon only; its label is read aloud and shown on hover. */
export function IconButton({
  icon,
  label,
  onClick,
  isPressed,
  size = 16,
  class: extra = '',
}: {
  icon: IconName;
  label: string;
  onClick: (event: MouseEvent & { currentTarget: HTMLButtonElement }) => void;
  isPressed?: boolean;
  size?: 16 | 20;
  class?: string;
}) {
  return (
    <button
      type="button"
      class={`icon-button ${extra}`}
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      <Icon name={icon} size={size} />
    </button>
  );
}
