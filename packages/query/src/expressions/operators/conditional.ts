import type { Operands } from "../arity.ts";
import type { Domain } from "../domain.ts";
import type { ConditionalOperator } from "../operator.ts";
import { alwaysNull, finiteDomain, joinDomains } from "./domains.ts";
import type { Rules } from "./operator-rule.ts";

/** The first argument that is not NULL; nothing behind one that never is. */
function coalesceDomain(args: readonly Domain[]): Domain {
  const sure = args.findIndex((arg) => !arg.nullable);
  return joinDomains(sure < 0 ? args : args.slice(0, sure + 1), sure < 0);
}

/** Never the second argument's value, where that is one constant. */
function nullifDomain([a, b]: Operands<"two", Domain>): Domain {
  const domain: Domain = { ...a, nullable: true };
  if (domain.type === "boolean" || !domain.values || b.type === "boolean" || b.values?.length !== 1)
    return domain;
  const [excluded] = b.values;
  const left = (domain.values as readonly (string | number)[]).filter((value) => value !== excluded);
  return { ...finiteDomain(domain.type, [...left, null]), nullable: true };
}

export const conditional: Rules<ConditionalOperator> = {
  coalesce: {
    takes: "same",
    gives: "same",
    exact: true,
    apply: (args) => args.find((arg) => arg !== null) ?? null,
    domain: coalesceDomain,
  },
  nullif: {
    takes: "same",
    gives: "same",
    exact: true,
    apply: ([a, b]) => (a === b ? null : a),
    domain: ([a, b]) => (alwaysNull(a) ? a : nullifDomain([a, b])),
  },
};
