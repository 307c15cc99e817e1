import type { ComponentChildren } from "preact";
import type { Loaded } from "../house/use-loaded.ts";
import { visible } from "../words/visible.ts";
import { ProblemPanel } from "./problem-panel.tsx";

/** Shows what was loaded; while it is not there, that it is loading, and where it failed, why, with a way to try again. */
export function Show<T>({
  of,
  what,
  children,
}: {
  readonly of: Loaded<T>;
  /** Such as "the budget". */
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}) {
  if (of.value !== null) return <>{children(of.value)}</>;
  if (of.problem === null) return <Loading what={what} />;
  return (
    <>
      <ProblemPanel problem={of.problem} />
      <button type="button" onClick={of.again}>
        Try again
      </button>
    </>
  );
}

/** Says that something is on its way. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading quiet" role="status">
      Loading {visible(what)} …
    </p>
  );
}
