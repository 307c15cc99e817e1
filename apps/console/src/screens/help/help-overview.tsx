import { useState } from "preact/hooks";
import { Field } from "../../parts/field.tsx";
import { Screen } from "../../parts/screen.tsx";
import { hrefOf } from "../../route/route.ts";
import { errors, glossary } from "./help-pages.generated.ts";
import { Keys } from "./keys.tsx";
import { matches } from "./matches.ts";
import { WithCode } from "./with-code.tsx";

/** The keys, and every error and word that holds what is looked for. */
export function HelpOverview() {
  const [sought, setSought] = useState("");
  const found = errors.filter(({ code, ...texts }) => matches(sought, [code, ...Object.values(texts)]));
  const parts = glossary
    .map(({ title, terms }) => ({
      title,
      terms: terms.filter(({ term, meaning, policy, flags }) =>
        matches(sought, [term, meaning, ...policy, ...flags]),
      ),
    }))
    .filter(({ terms }) => terms.length > 0);
  const words = parts.reduce((sum, { terms }) => sum + terms.length, 0);
  return (
    <Screen title="Help" lead="What an error means and what to do, what a word means here, and the keys.">
      <Field label="Look for" hint="Words of an error or of an idea, or a code such as ledger.budget.">
        {(input) => (
          <input
            {...input}
            type="search"
            value={sought}
            onInput={({ currentTarget }) => setSought(currentTarget.value)}
          />
        )}
      </Field>
      <p class="quiet" role="status">
        {sought.trim() === "" ? null : `${count(found.length, "error")} and ${count(words, "word")}`}
      </p>
      {sought.trim() === "" ? <Keys /> : null}
      {found.length === 0 ? null : (
        <section aria-labelledby="errors">
          <h2 id="errors">Errors</h2>
          <dl class="help">
            {found.map(({ code, meaning }) => (
              <div key={code} class="pair">
                <dt>
                  <a href={hrefOf(`help/${code}`)}>
                    <code>{code}</code>
                  </a>
                </dt>
                <dd>
                  <WithCode text={meaning} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {words === 0 ? null : (
        <section aria-labelledby="words">
          <h2 id="words">Words</h2>
          <p class="lead">Each idea has one name, on these pages, in a policy and on the command line.</p>
          {parts.map(({ title, terms }) => (
            <section key={title}>
              <h3>{title}</h3>
              <dl class="help">
                {terms.map((each) => (
                  <div key={each.term} class="pair">
                    <dt>{each.term}</dt>
                    <dd>
                      <WithCode text={each.meaning} />
                      <Names of="In a policy" names={each.policy} />
                      <Names of="On the command line" names={each.flags} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </section>
      )}
    </Screen>
  );
}

function Names({ of, names }: { readonly of: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p class="hint">
      {of}:{" "}
      {names.map((name, at) => (
        <span key={name}>
          {at === 0 ? null : ", "}
          <code>{name}</code>
        </span>
      ))}
    </p>
  );
}

/** @example count(1, "error") // => "1 error" */
function count(many: number, word: string): string {
  return `${many} ${word}${many === 1 ? "" : "s"}`;
}
