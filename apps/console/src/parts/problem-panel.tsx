import { LetheProblem } from "@lethe/client";
import { useContext } from "preact/hooks";
import { HouseContext } from "../house/house.ts";
import { hrefOf } from "../route/route.ts";
import { ThreadRefusal } from "../thread/thread-refusal.ts";
import { visible } from "../words/visible.ts";

/** A refusal: what is wrong, where, what would be accepted, and its code, which leads to the page of help. Nothing where there is none. */
export function ProblemPanel({ problem }: { readonly problem: unknown }) {
  // Who is not signed in sees no help.
  const isSignedIn = useContext(HouseContext) !== null;
  if (problem === null || problem === undefined) return null;
  const told =
    problem instanceof LetheProblem
      ? problem
      : problem instanceof ThreadRefusal
        ? { ...problem.refused, retryAfterMs: null }
        : null;
  if (told === null)
    return (
      <div class="panel problem" role="alert">
        <strong>The service cannot be reached.</strong>
        <p>See whether you are connected, and try again.</p>
      </div>
    );
  return (
    <div class="panel problem" role="alert">
      <strong>
        <bdi>{visible(told.message)}</bdi>
      </strong>
      {told.line === null ? null : ` (line ${told.line}, column ${told.column})`}
      {told.fix ? (
        <p>
          <bdi>{visible(told.fix)}</bdi>
        </p>
      ) : null}
      <p class="quiet">
        Code{" "}
        {isSignedIn ? (
          <a href={hrefOf(`help/${told.code}`)}>
            <code>{told.code}</code>
          </a>
        ) : (
          <code>{told.code}</code>
        )}
        {told.retryAfterMs === null
          ? null
          : `, may be tried again in ${Math.ceil(told.retryAfterMs / 1000)} s`}
      </p>
    </div>
  );
}
