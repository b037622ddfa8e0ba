import { Icon } from '#web/parts/icon.tsx';

/** The place of a composer where the viewer cannot write: why not, in a sentence. */
export const ClosedDock = ({ reason }: { reason: string }) => (
  <div class="dock">
    <p class="compose-closed">
      <Icon name="lock" />
      {reason}
    </p>
  </div>
);
