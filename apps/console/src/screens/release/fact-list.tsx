import type { Fact } from "./certificate-words.ts";

/** What a certificate states, term by term. */
export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl>
      {facts.map(({ term, lines }) => (
        <div key={term} class="pair">
          <dt>{term}</dt>
          <dd>
            {lines.map((line, at) => (
              <div key={at}>{term === "Question" ? <code>{line}</code> : line}</div>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
