import { Icon } from '#web/parts/icon.tsx';

/** Replaces the composer if the viewer cannot write, and gives the reason in a sentence. */
export const ClosedDock = ({ reason }: { reason: string }) => (
  <div class="dock">
    <p class="compose-closed">
      <Icon name="lock" />
      {reason}
    </p>
  </div>
);
