import { LetheError } from "@lethe/core";
import { parseView } from "../../../parse/parse-view.ts";
import type { Policy } from "../../../policy/policy.ts";
import type { Named } from "./named-subqueries.ts";

/** A subquery that the policy names. Each view knows the views before it, and is parsed once a question reads it. */
export interface View extends Named {
  /** The name as the policy writes it. */
  readonly view: string;
}

/** Returns the policy's views by their names in lower case. */
export function viewsOf({ views }: Policy): ReadonlyMap<string, View> {
  const found = new Map<string, View>();
  for (const [view, text] of Object.entries(views)) {
    const known = new Map(found);
    let select: Named["select"] | null = null;
    found.set(view.toLowerCase(), {
      view,
      columns: [],
      known,
      read: false,
      get select() {
        select ??= parseView(view, text);
        return select;
      },
    });
  }
  return found;
}

export function isView(named: Named): named is View {
  return Object.hasOwn(named, "view");
}

/** Resolves a view, and refuses the question at the place where it names the view if the view itself is refused. */
export function withinView<T>({ view }: Pick<View, "view">, offset: number | undefined, resolve: () => T): T {
  try {
    return resolve();
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    const fix = `the owner of the data may change views.${view} in the policy: ${error.fix}`;
    throw new LetheError(error.code, `in the view ${view}: ${error.message}`, {
      fix,
      ...(offset === undefined ? {} : { offset }),
    });
  }
}
