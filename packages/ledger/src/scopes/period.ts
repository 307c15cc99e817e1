/** The time over which a cap counts: for ever, or one window of the UTC calendar. Weeks begin on Monday. */
export const periods = ["ever", "day", "week", "month", "quarter"] as const;
export type Period = (typeof periods)[number];
/** The periods that are windows: what is spent in one begins at nothing in the next. */
export type Window = Exclude<Period, "ever">;

const dayMs = 86_400_000;

/**
 * Returns the first moment of the period that holds a time, both in milliseconds since 1970; 0 for ever.
 * @example periodStart("week", Date.UTC(2026, 0, 1)) // => Date.UTC(2025, 11, 29)
 */
export function periodStart(per: Period, at: number): number {
  return starts[per](at);
}

const starts: Readonly<Record<Period, (at: number) => number>> = {
  ever: () => 0,
  day: (at) => Math.floor(at / dayMs) * dayMs,
  week: (at) => {
    const day = Math.floor(at / dayMs);
    return Math.max(0, day - ((day + 3) % 7)) * dayMs; // 1 January 1970 was a Thursday.
  },
  month: (at) => {
    const day = new Date(at);
    return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1);
  },
  quarter: (at) => {
    const day = new Date(at);
    return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - (day.getUTCMonth() % 3), 1);
  },
};

/** Returns the words for a period in a sentence: "a month"; nothing for ever. */
export function periodWords(per: Period): string {
  return per === "ever" ? "" : `a ${per}`;
}
