import type { Event } from "@lethe/core";
import { type Output, type Subject, type SubjectOf, subject } from "../subject.ts";
import { claimOf } from "../verify/claim.ts";

/** One of core's mechanisms, on neighbours that show most of its loss. No audit may flag it. */
export interface CoreSubject {
  readonly id: string;
  /** Whether it can say what its neighbour may give. */
  readonly tells: boolean;
  /** Whether its law can be enumerated. */
  readonly enumerated: boolean;
  /** Made when asked, since pricing some claims takes a while. */
  subject(): Subject;
}

/** A subject that claims what its own event costs. */
export function coreSubject<D>(
  id: string,
  make: () => Omit<SubjectOf<D>, "id" | "describes" | "claim"> & {
    readonly event: Event;
    readonly adjacency?: "add-or-remove-one" | "replace-one";
  },
): CoreSubject {
  return {
    id,
    get tells() {
      return make().canGive !== undefined;
    },
    get enumerated() {
      return make().law !== undefined;
    },
    subject() {
      const { event, adjacency, ...rest } = make();
      return subject({ id, describes: event.kind, claim: claimOf(event, adjacency), ...rest });
    },
  };
}

/** Integers without bounds, so many: what noise on integers can give, whatever the data are. */
export function integers(n: number): (data: unknown, output: Output) => boolean {
  return (_data, output) => output.length === n && output.every((part) => typeof part === "bigint");
}

/** One index of so many. */
export function indexBelow(n: number): (data: unknown, output: Output) => boolean {
  return (_data, [index, ...more]) =>
    more.length === 0 && Number.isInteger(index) && (index as number) >= 0 && (index as number) < n;
}
