import { one, zero } from "@lethe/core/numeric";
import type { NoisePaths } from "../../enumerate/enumerate-noise.ts";
import type { Output } from "../../subject.ts";
import { times } from "../../verify/enclosures.ts";
import { type Enclosure, exactly } from "../../verify/hockey-stick.ts";

/** The chance of every outcome, by name. */
export type Masses = ReadonlyMap<string, Enclosure>;

/** An output's own name. */
export function nameOf(output: Output): string {
  return output.join(",");
}

/** A law without a residual: these are all outcomes. */
export function whole(masses: Masses): NoisePaths {
  return { masses, residual: zero };
}

/** Independent parts side by side, their names joined. */
export function sideBySide(parts: readonly Masses[]): Masses {
  let joined: [name: string, mass: Enclosure][] = [["", exactly(one)]];
  for (const part of parts) {
    joined = joined.flatMap(([a, p]) =>
      [...part].map(([b, q]): [string, Enclosure] => [a === "" ? b : `${a},${b}`, times(p, q)]),
    );
  }
  return new Map(joined);
}
