import { useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { Show } from "../../parts/loading.tsx";
import { Screen } from "../../parts/screen.tsx";
import { hrefOf } from "../../route/route.ts";
import { isOneOf } from "../../session/me.ts";
import { timeWords } from "../../words/time-words.ts";
import { visible } from "../../words/visible.ts";
import { AddPerson } from "./add-person.tsx";
import type { Person } from "./person.ts";

/** Everybody who is let in. */
export function PeopleList() {
  const { service, me } = useHouse();
  const [adding, setAdding] = useState(false);
  const people = useLoaded(
    (signal) => service.call<{ readonly items: readonly Person[] }>("GET", "people", undefined, signal),
    [service],
  );
  const isOwner = isOneOf(me, ["owner"]);
  return (
    <Screen
      title="People and tokens"
      lead="Who is let in, with which roles. What somebody may spend stands in the policy's budget."
      actions={
        isOwner ? (
          <button class="primary" type="button" onClick={() => setAdding(true)}>
            Let a person in
          </button>
        ) : null
      }
    >
      <Show of={people} what="the people">
        {({ items }) => (
          <DataTable
            label="People"
            rows={items}
            keyOf={({ name }) => name}
            empty="Nobody is let in."
            columns={[
              {
                title: "Name",
                kind: "text",
                cell: ({ name }) => (
                  <a href={hrefOf(`people/${name}`)}>
                    <bdi>{visible(name)}</bdi>
                  </a>
                ),
              },
              { title: "Roles", cell: ({ roles }) => roles.join(", ") },
              {
                title: "State",
                cell: ({ disabled }) => (
                  <span class={`badge ${disabled ? "bad" : "good"}`}>{disabled ? "kept out" : "let in"}</span>
                ),
              },
              { title: "Password", cell: ({ hasPassword }) => (hasPassword ? "set" : "none") },
              { title: "Projects", kind: "text", cell: ({ projects }) => projects.map(visible).join(", ") },
              { title: "Since", cell: ({ createdAt }) => timeWords(createdAt) },
            ]}
          />
        )}
      </Show>
      {adding ? <AddPerson onClose={() => setAdding(false)} /> : null}
    </Screen>
  );
}
