interface SpentBarProps {
  readonly granted: number;
  readonly spent: number;
  readonly label: string;
}

/** The part of a cap that is spent, as a bar. */
export function SpentBar({ granted, spent, label }: SpentBarProps) {
  const part = granted > 0 ? Math.min(1, spent / granted) : 1;
  return (
    <svg
      class={`spent ${part >= 0.9 ? "nearly" : ""}`}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${Math.round(part * 100)} % is spent`}
    >
      <rect class="whole" width="100" height="6" />
      <rect class="part" width={part * 100} height="6" />
    </svg>
  );
}
