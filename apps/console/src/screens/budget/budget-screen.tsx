import type { Budget, BudgetScope, RequestLine } from "@lethe/client";
import { useState } from "preact/hooks";
import { useHouse } from "../../house/house.ts";
import { useLoaded } from "../../house/use-loaded.ts";
import { Field } from "../../parts/field.tsx";
import { Show } from "../../parts/loading.tsx";
import { Screen } from "../../parts/screen.tsx";
import { isOneOf } from "../../session/me.ts";
import { leftOf, numberOf } from "../../words/left-words.ts";
import { downwards, upwards } from "../../words/loss-words.ts";
import { timeWords } from "../../words/time-words.ts";
import { visible } from "../../words/visible.ts";
import { spanWords, windowEnd } from "../../words/window-words.ts";
import { SpentBar } from "./spent-bar.tsx";
import { wouldFit } from "./would-fit.ts";

/** What may be spent and was, by scope and window; of others too, where the visitor's roles see that. */
export default function BudgetScreen() {
  const { service, me } = useHouse();
  const seesOthers = isOneOf(me, ["owner", "auditor"]);
  const asks = isOneOf(me, ["owner", "analyst"]);
  const [of, setOf] = useState(me.name);
  const people = useLoaded(
    async () =>
      seesOthers
        ? (await service.call<{ readonly items: readonly { readonly name: string }[] }>("GET", "people"))
            .items
        : [],
    [service],
  );
  const budget = useLoaded(
    () => service.call<Budget>("GET", `budget?of=${encodeURIComponent(of)}`),
    [service, of],
  );
  const last = useLoaded(
    async () =>
      asks
        ? (await service.call<{ readonly items: readonly RequestLine[] }>("GET", "releases?limit=20")).items
        : [],
    [service],
  );
  const fits = budget.value && of === me.name ? wouldFit(budget.value, last.value ?? []) : null;
  return (
    <Screen title="Budget" lead="Caps count what was charged. The same question again costs nothing.">
      {seesOthers ? (
        <Field label="Of">
          {(input) => (
            <select {...input} value={of} onChange={({ currentTarget }) => setOf(currentTarget.value)}>
              {[...new Set([me.name, ...(people.value ?? []).map(({ name }) => name)])].map((name) => (
                <option key={name} value={name}>
                  {visible(name)}
                </option>
              ))}
            </select>
          )}
        </Field>
      ) : null}
      {fits === null ? null : (
        <p class="panel" role="status">
          {fits}
        </p>
      )}
      <Show of={budget} what="the budget">
        {({ scopes }) => (
          <div class="scopes">
            {scopes.map((scope) => (
              <Scope key={scope.name} scope={scope} />
            ))}
          </div>
        )}
      </Show>
    </Screen>
  );
}

function Scope({ scope: { name, periods } }: { readonly scope: BudgetScope }) {
  const now = Date.now();
  return (
    <section class="panel scope" aria-label={name}>
      <h2>
        <bdi>{visible(name.charAt(0).toUpperCase() + name.slice(1))}</bdi>
      </h2>
      {periods.map(({ per, granted, spent, delta }) => {
        const end = windowEnd(per, now);
        const left = leftOf({ granted, spent });
        return (
          <div class="period" key={per}>
            <h3>{per === "lifetime" ? "For ever" : `This ${per}`}</h3>
            <p class="amounts">
              <span>
                <strong>{spent === null ? "not shown" : upwards(spent)}</strong> spent
              </span>
              <span class="quiet">{granted === null ? "no cap" : `of ${downwards(granted)}`}</span>
              {left === null ? null : <span class="quiet">{downwards(String(left))} left</span>}
            </p>
            {granted !== null && spent !== null ? (
              <SpentBar
                granted={numberOf(granted)}
                spent={numberOf(spent)}
                label={`${name}, ${per === "lifetime" ? "for ever" : `this ${per}`}`}
              />
            ) : null}
            {delta?.granted != null ? (
              <p class="quiet">
                δ: {delta.spent === null ? "not shown" : upwards(delta.spent)} of {downwards(delta.granted)}
              </p>
            ) : null}
            {end === null ? null : (
              <p class="quiet">
                Begins anew in {spanWords(end - now)}, at {timeWords(new Date(end).toISOString())}
              </p>
            )}
          </div>
        );
      })}
    </section>
  );
}
