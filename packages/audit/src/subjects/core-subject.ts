import type { Event } from "@lethe/core";
import type { NoisePaths } from "../enumerate/enumerate-noise.ts";
import { type Output, type Subject, type SubjectOf, subject } from "../subject.ts";
import { claimOf } from "../verify/claim.ts";
import { nameOf } from "./laws/law.ts";

/** One of core's mechanisms, on neighbours that show most of its loss. No audit may flag it. */
export interface CoreSubject {
  readonly id: string;
  /** Made when asked, since pricing some claims takes a while. */
  subject(): Subject;
}

/** A mechanism with its exact law. */
export interface CoreSubjectOf<D> extends Omit<SubjectOf<D>, "id" | "describes" | "claim" | "law"> {
  readonly event: Event;
  readonly adjacency?: "add-or-remove-one" | "replace-one";
  law(data: D): NoisePaths;
}

/**
 * A subject that claims what its own event costs. Data can give an output if their law gives it mass and, where the law does not tell some
 * outputs apart, `canGive` says so of this one.
 */
export function coreSubject<D>(id: string, make: () => CoreSubjectOf<D>): CoreSubject {
  return {
    id,
    subject() {
      const { event, adjacency, law, canGive = () => true, nameOf: name = nameOf, ...rest } = make();
      const laws = new Map<D, NoisePaths>();
      const lawOf = (data: D): NoisePaths => {
        const known = laws.get(data) ?? law(data);
        laws.set(data, known);
        return known;
      };
      const hasMass = (data: D, output: Output): boolean => {
        const { masses, residual } = lawOf(data);
        const mass = masses.get(name(output));
        return mass === undefined ? residual.num > 0n : mass.lo.num > 0n;
      };
      return subject<D>({
        ...rest,
        id,
        describes: event.kind,
        claim: claimOf(event, adjacency),
        law: lawOf,
        nameOf: name,
        canGive: (data, output) => hasMass(data, output) && canGive(data, output),
      });
    },
  };
}
