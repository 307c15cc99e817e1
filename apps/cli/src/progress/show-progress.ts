import { barLine } from "./bar-line.ts";

/** How many steps of a long command are done, and which is next. */
export function showProgress(total: number): { at(done: number, what: string): void; end(): void } {
  const line = barLine();
  return {
    at: (done, what) => line.write(done / Math.max(1, total), `${done}/${total} ${what}`),
    end: line.end,
  };
}
