import type { LetheClient, Budget as OwnBudget } from "@lethe/client";
import { useEffect, useState } from "preact/hooks";
import { downwards, upwards } from "./loss-words.ts";
import { Scroll } from "./scroll.tsx";

/** What the visitor may spend and has spent. Reads it again after each answer. */
export function Budget({ lethe, asked }: { readonly lethe: LetheClient; readonly asked: number }) {
  const [budget, setBudget] = useState<OwnBudget | null>(null);
  useEffect(() => void lethe.budget().then(setBudget, () => setBudget(null)), [lethe, asked]);
  if (budget === null) return null;
  return (
    <section aria-labelledby="budget">
      <h2 id="budget">Budget</h2>
      <Scroll label="Budget">
        <table>
          <thead>
            <tr>
              <th scope="col">Of</th>
              <th scope="col">For</th>
              <th class="number" scope="col">
                Granted
              </th>
              <th class="number" scope="col">
                Spent
              </th>
            </tr>
          </thead>
          <tbody>
            {budget.scopes.flatMap(({ name, periods }) =>
              periods.map(({ per, granted, spent }) => (
                <tr key={`${name} ${per}`}>
                  <td>{name}</td>
                  <td>{per}</td>
                  <td class="number">{granted === null ? "no cap" : downwards(granted)}</td>
                  <td class="number">{spent === null ? "not shown" : upwards(spent)}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
