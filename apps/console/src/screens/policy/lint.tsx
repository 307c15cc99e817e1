import { ProblemPanel } from "../../parts/problem-panel.tsx";
import type { PolicyRead } from "../../thread/works.ts";
import { visible } from "../../words/visible.ts";
import { RefusedPanel } from "./refused-panel.tsx";

interface LintProps {
  /** What this browser read in the text as it stands; null while it reads. */
  readonly read: PolicyRead | null;
  readonly problem: unknown;
}

/** What is wrong with the text, or what may be said of it. */
export function Lint({ read, problem }: LintProps) {
  return (
    <section aria-labelledby="lint">
      <h2 id="lint">Lint</h2>
      <ProblemPanel problem={problem} />
      {read === null ? (
        <p class="quiet">Reading …</p>
      ) : read.refused ? (
        <RefusedPanel of={read.refused} />
      ) : null}
      {read && read.refused === null && read.advice.length === 0 ? (
        <p class="quiet">The text is a policy, and there is no advice on it.</p>
      ) : null}
      {read && read.advice.length > 0 ? (
        <ul class="advice">
          {read.advice.map(({ path, message, fix, line }) => (
            <li key={`${path} ${message}`}>
              <span class="badge warn">{line === null ? "advice" : `line ${line}`}</span>{" "}
              <code>{visible(path)}</code>
              <p>
                <bdi>{visible(message)}</bdi>
              </p>
              <p class="hint">
                <bdi>{visible(fix)}</bdi>
              </p>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
