import type { AuditEntry, AuditFact, AuditLogStore } from "../audit-log/index.ts";
import { foldName } from "../people/index.ts";
import { isWithin } from "./asked-page.ts";
import { filteredPage } from "./filtered-page.ts";
import type { Page, PageAsked } from "./service.ts";

/** Which entries of the audit log are looked for; what is left out is not looked at. */
export interface FactFilter {
  /** Who did it, or to whom it was done. */
  readonly person?: string | undefined;
  readonly kind?: string | undefined;
  /** Milliseconds since 1970: the first that counts, and the first that counts no more. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Returns a page of the audit log. Errors: parameter.invalid. */
export async function factPage(
  audit: AuditLogStore,
  page: PageAsked,
  { person, kind, from, to }: FactFilter = {},
): Promise<Page<AuditEntry>> {
  const named = person === undefined ? null : foldName(person);
  const isOf = ({ actor, fact }: AuditEntry): boolean =>
    [actor.name, ...peopleIn(fact)].some((name) => name !== null && foldName(name) === named);
  const keeps = (entry: AuditEntry): boolean =>
    (named === null || isOf(entry)) &&
    (kind === undefined || kindsOf(entry.fact).includes(kind)) &&
    isWithin(entry.at, from, to);
  const all = [person, kind, from, to].every((each) => each === undefined);
  const list = {
    read: (before: number | null, most: number) => audit.page(before, most),
    placeOf: ({ sequence }: AuditEntry) => sequence,
  };
  return filteredPage(list, page, all ? null : keeps);
}

/** A fact that came again and again is of its own kind, and of that which came. */
function kindsOf(fact: AuditFact): readonly string[] {
  return fact.kind === "counted" ? [fact.kind, fact.fact.kind] : [fact.kind];
}

function peopleIn(fact: AuditFact): readonly (string | null)[] {
  const told = fact.kind === "counted" ? fact.fact : fact;
  return [
    ...("person" in told ? [told.person] : []),
    ...("to" in told && told.kind === "offered" ? [told.to] : []),
  ];
}
