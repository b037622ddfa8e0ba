/** The shape of messages that are on their way. */
export function Skeleton({ rows, label }: { rows: number; label: string }) {
  return (
    <div class="skeleton" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row}>
          <i />
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}
