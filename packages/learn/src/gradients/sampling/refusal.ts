import { LetheError } from "@lethe/core/errors";

/** A description of a training that is refused: what is wrong, the condition it breaks, and a description that would be accepted. */
export interface Refusal {
  readonly name: string;
  readonly value: unknown;
  readonly condition: string;
  readonly fix: string;
}

/** Errors: parameter.invalid, always. */
export function refuse({ name, value, condition, fix }: Refusal): never {
  throw new LetheError(
    "parameter.invalid",
    `${name} must be ${condition}, got ${String(value).slice(0, 60)}`,
    {
      fix,
      fields: { name, condition },
    },
  );
}

/** Refuses what is no integer from `least` to `most`. NaN is none. */
export function checkInteger(
  name: string,
  value: number,
  [least, most]: readonly [number, number],
  fix: string,
): void {
  if (!(Number.isSafeInteger(value) && value >= least && value <= most)) {
    refuse({ name, value, condition: `an integer from ${least} to ${most}`, fix });
  }
}
