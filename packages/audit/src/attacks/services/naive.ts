import type { Asked, Cell, Opened, Reply } from "./service.ts";

/** A protection that services without a proof use: it changes the numbers that an exact service publishes. */
export interface NaiveProtection {
  readonly name: string;
  protect(count: number, uniform: () => number): number | null;
}

/** No protection at all. */
export const exactAnswers: NaiveProtection = { name: "exact answers", protect: (count) => count };

/** Counts are rounded to a multiple of 5. */
export const roundedAnswers: NaiveProtection = {
  name: "rounded to 5",
  protect: (count) => Math.round(count / 5) * 5,
};

/** Counts below 5 are left out. */
export const suppressedAnswers: NaiveProtection = {
  name: "suppressed below 5",
  protect: (count) => (count < 5 ? null : count),
};

/** Laplace noise of ε = 1/2 for each question, and no budget. */
export const noiseWithoutBudget: NaiveProtection = {
  name: "noise without a budget",
  protect: (count, uniform) => count + doubleLaplace(2, uniform),
};

/** A service that an attack is shown against, with what it is known to reach there (null: told only). */
export interface Against {
  readonly protection: NaiveProtection;
  readonly control: number | null;
}

/** Returns all four protections in order; those named are controls. @example againstAll([exactAnswers, 1]) // the other three are told */
export function againstAll(...known: readonly (readonly [NaiveProtection, number])[]): readonly Against[] {
  const reached = new Map(known);
  return [exactAnswers, roundedAnswers, suppressedAnswers, noiseWithoutBudget].map((protection) => ({
    protection,
    control: reached.get(protection) ?? null,
  }));
}

/**
 * The textbook sampler in doubles, whose low bits tell what it was added to (Mironov 2012). A fault by design: here it is attacked.
 * `uniform` gives multiples of 2⁻⁵³ in (0, 1).
 */
export function doubleLaplace(scale: number, uniform: () => number): number {
  const sign = uniform() < 0.5 ? -1 : 1;
  return sign * scale * Math.log(uniform());
}

/** Wraps an exact service so that the last column of each row is protected. Each exact answer is computed once. */
export function protectedBy(
  { name, protect }: NaiveProtection,
  service: Opened,
  uniform: () => number,
): Opened & { readonly name: string } {
  const known = new Map<string, Promise<Reply>>();
  const exactly = (question: string, asked: Asked): Promise<Reply> => {
    const reply = known.get(question) ?? service.ask(question, asked);
    known.set(question, reply);
    return reply;
  };
  const last = (row: readonly Cell[]): readonly Cell[] => {
    const value = row.at(-1);
    return typeof value === "number" ? [...row.slice(0, -1), protect(value, uniform)] : row;
  };
  const shown = (reply: Reply): Reply =>
    reply.kind === "refused"
      ? reply
      : { ...reply, rows: reply.rows.map(last).filter((row) => row.at(-1) !== null) };
  return {
    name,
    ask: async (question, asked) => shown(await exactly(question, asked)),
    close: () => service.close(),
  };
}
