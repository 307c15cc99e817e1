import type { CheckTold, Verified } from "../../thread/works.ts";
import { visible } from "../../words/visible.ts";
import { proves } from "./proves.ts";

const words = { failed: "failed", "not-made": "not made", passed: "passed" } as const;
const badges = { failed: "bad", "not-made": "warn", passed: "good" } as const;
const order = ["failed", "not-made", "passed"] as const;

/** The checks of a release, those first that did not pass, with what each proves, and what no certificate can show. */
export function CheckList({ verified }: { readonly verified: Verified }) {
  const { checks, cannotShow } = verified;
  const count = (outcome: CheckTold["outcome"]): number =>
    checks.filter((check) => check.outcome === outcome).length;
  const [failed, open, passed] = order.map(count);
  return (
    <>
      <div class={`panel ${failed ? "problem" : "well"}`} role="status">
        <strong>
          {failed ? "This release does not hold." : open ? "No check failed." : "This release holds."}
        </strong>
        <p>
          {passed} {passed === 1 ? "check" : "checks"} passed, {failed} failed, {open} not made. All of it was
          checked in this browser.
          {failed
            ? " Do not rely on it; ask its owner for the original."
            : open
              ? " What was not checked is not proved."
              : ""}
        </p>
      </div>
      <ul class="checks">
        {order.flatMap((outcome) =>
          checks
            .filter((check) => check.outcome === outcome)
            .map(({ name, says }) => (
              <li key={name}>
                <span class={`badge ${badges[outcome]}`}>{words[outcome]}</span>
                <div>
                  <strong>{visible(name)}</strong> {meaning(name, outcome)}
                  <p class="hint">{visible(says)}</p>
                </div>
              </li>
            )),
        )}
      </ul>
      <details class="panel">
        <summary>What this cannot show</summary>
        <ul>
          {cannotShow.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** What a check that passed proves, and what another would have proved. */
function meaning(name: string, outcome: CheckTold["outcome"]): string {
  const words = Object.hasOwn(proves, name) ? (proves[name] ?? "") : "";
  return outcome === "passed" || words === "" ? words : `It would show: ${words}`;
}
