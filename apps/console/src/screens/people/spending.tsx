import type { Budget } from "@lethe/client";
import { useHouse } from "../../house/house.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { Show } from "../../parts/loading.tsx";
import { downwards, upwards } from "../../words/loss-words.ts";
import { visible } from "../../words/visible.ts";

/** What a person may spend and has spent. Their caps are the policy's to change. */
export function Spending({ name }: { readonly name: string }) {
  const { service } = useHouse();
  const budget = useLoaded(
    (signal) => service.call<Budget>("GET", `budget?of=${encodeURIComponent(name)}`, undefined, signal),
    [service, name],
  );
  return (
    <>
      <h2>Caps and spending</h2>
      <Show of={budget} what="the caps">
        {({ scopes }) => (
          <DataTable
            label="Caps and spending"
            rows={scopes.flatMap((scope) => scope.periods.map((period) => ({ of: scope.name, ...period })))}
            keyOf={(row) => `${row.of} ${row.per}`}
            empty="Nothing is limited."
            columns={[
              { title: "Of", cell: (row) => <bdi>{visible(row.of)}</bdi> },
              { title: "For", cell: ({ per }) => per },
              {
                title: "Granted",
                kind: "number",
                cell: ({ granted }) => (granted === null ? "no cap" : downwards(granted)),
              },
              {
                title: "Spent",
                kind: "number",
                cell: ({ spent }) => (spent === null ? "not shown" : upwards(spent)),
              },
            ]}
          />
        )}
      </Show>
    </>
  );
}
