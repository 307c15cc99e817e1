import type { BitSource, Event, Rational } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { paired } from "../paired.ts";
import type { Output } from "../subject.ts";
import { type CoreSubject, coreSubject } from "./core-subject.ts";
import { nameOf, sideBySide, whole } from "./laws/law.ts";
import { clampedLaplace, clampTo, laplaceHasMass, windowsOf } from "./laws/noise-laws.ts";

/** A mechanism that adds discrete Laplace noise to integers, and whose output tells each noisy integer. */
export interface MeasuredIntegers<D> {
  readonly event: Event;
  readonly adjacency?: "add-or-remove-one" | "replace-one";
  /** The scale of the noise on each integer. */
  readonly scale: Rational;
  readonly neighbours: readonly (readonly [D, D])[];
  /** The integers, before noise: written out here, not by the mechanism. */
  measured(data: D): readonly bigint[];
  run(data: D, bits: BitSource): Output;
  /** The noisy integers of an output; itself unless stated. */
  read?(output: Output): readonly bigint[];
}

/**
 * Makes a subject whose law is that of the noisy integers, each clamped to where data lie. An output is possible where the noise that the data would
 * have needed for it has mass, at every integer.
 */
export function measuredIntegers<D>(id: string, make: () => MeasuredIntegers<D>): CoreSubject {
  return coreSubject<D>(id, () => {
    const { scale, measured, read = (output) => output as readonly bigint[], ...rest } = make();
    const windows = windowsOf(rest.neighbours.flat().map(measured));
    const reachable = laplaceHasMass(scale);
    return {
      ...rest,
      nameOf: (output) => nameOf(read(output).map((noisy, at) => clampTo(noisy, elementAt(windows, at)))),
      law: (data) =>
        whole(
          sideBySide(measured(data).map((value, at) => clampedLaplace(scale, value, elementAt(windows, at)))),
        ),
      canGive(data, output) {
        const noisy = read(output);
        const exact = measured(data);
        return (
          noisy.length === exact.length &&
          paired(noisy, exact).every(([each, before]) => reachable(each - before))
        );
      },
    };
  });
}
