import { useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { useAction } from "../../house/use-action.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { DataTable } from "../../parts/data-table.tsx";
import { Show } from "../../parts/loading.tsx";
import { ProblemPanel } from "../../parts/problem-panel.tsx";
import { upwards } from "../../words/loss-words.ts";
import { timeWords } from "../../words/time-words.ts";
import { visible } from "../../words/visible.ts";
import { MakeToken } from "./make-token.tsx";
import { type Person, personPath } from "./person.ts";

interface Token {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly maxEpsilon: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** The tokens of a person, by which programs ask in their name: made, listed without what proves them, and revoked. */
export function Tokens({ person }: { readonly person: Person }) {
  const { service, announce } = useHouse();
  const { busy, problem, run } = useAction();
  const [making, setMaking] = useState(false);
  const [ending, setEnding] = useState<Token | null>(null);
  const path = `${personPath(person.name)}/tokens`;
  const tokens = useLoaded(
    (signal) => service.call<{ readonly items: readonly Token[] }>("GET", path, undefined, signal),
    [service, path],
  );
  const revoke = ({ id, name }: Token): void =>
    void run(async () => {
      await service.call("DELETE", `${path}/${encodeURIComponent(id)}`);
      announce(`The token ${name} is revoked`);
      tokens.again();
    });
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">Tokens</h2>
      <p>A program that has a token asks in this person's name, until the token ends or is revoked.</p>
      <ProblemPanel problem={problem} />
      <Show of={tokens} what="the tokens">
        {({ items }) => (
          <DataTable
            label="Tokens"
            rows={items}
            keyOf={({ id }) => id}
            empty="There is no token."
            columns={[
              { title: "Name", cell: ({ name }) => <bdi>{visible(name)}</bdi> },
              { title: "Roles", cell: ({ roles }) => roles.join(", ") },
              {
                title: "Most ε a question",
                kind: "number",
                cell: ({ maxEpsilon }) => (maxEpsilon === null ? "the policy's" : upwards(maxEpsilon)),
              },
              { title: "Made", cell: ({ createdAt }) => timeWords(createdAt) },
              { title: "Ends", cell: ({ expiresAt }) => timeWords(expiresAt) },
              {
                title: <span class="heard">Revoke</span>,
                cell: (token) => (
                  <button
                    class="small danger"
                    type="button"
                    disabled={busy}
                    aria-label={`Revoke ${visible(token.name)}`}
                    onClick={() => setEnding(token)}
                  >
                    Revoke …
                  </button>
                ),
              },
            ]}
          />
        )}
      </Show>
      <button type="button" onClick={() => setMaking(true)}>
        Make a token
      </button>
      {making ? (
        <MakeToken
          person={person}
          path={path}
          onClose={() => {
            setMaking(false);
            tokens.again();
          }}
        />
      ) : null}
      {ending ? (
        <Confirm
          title={`Revoke ${visible(ending.name)}?`}
          action="Revoke"
          danger
          onCancel={() => setEnding(null)}
          onConfirm={() => {
            revoke(ending);
            setEnding(null);
          }}
        >
          <p>Programs that use this token are signed out at once. It cannot be given back.</p>
        </Confirm>
      ) : null}
    </section>
  );
}
