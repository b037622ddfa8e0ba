import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-drawings.ts';

interface Props {
  icon?: IconName;
  title: string;
  text?: ComponentChildren;
  /** `h3` within a dialog, whose title is the heading above. */
  heading?: 'h2' | 'h3';
  /** `alert` where something failed. */
  role?: 'alert';
  /** What can be done about it. */
  children?: ComponentChildren;
}

/** Says why there is nothing to show, and what can be done about it. */
export function Empty({ icon, title, text, heading: Heading = 'h2', role, children }: Props) {
  return (
    <div class="empty" role={role}>
      {icon && <Icon name={icon} size={20} />}
      <Heading>{title}</Heading>
      {text && <p>{text}</p>}
      {children}
    </div>
  );
}
