import { useHouse } from "../../house/house.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { Show } from "../../parts/loading.tsx";
import { Screen } from "../../parts/screen.tsx";
import { downwards, upwards } from "../../words/loss-words.ts";

/** What the visitor may spend and has spent. */
export default function BudgetScreen() {
  const { service } = useHouse();
  const budget = useLoaded(() => service.lethe.budget(), [service]);
  return (
    <Screen title="Budget">
      <Show of={budget} what="the budget">
        {({ scopes }) => (
          <DataTable
            label="Budget"
            rows={scopes.flatMap(({ name, periods }) => periods.map((period) => ({ name, ...period })))}
            keyOf={({ name, per }) => `${name} ${per}`}
            empty="Nothing is limited."
            columns={[
              { title: "Of", cell: ({ name }) => name },
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
    </Screen>
  );
}
