import type { Place } from "../names/reg-names.ts";
import { unsupported } from "../refuse.ts";
import type { ParameterTypes } from "../resolve/coerce.ts";
import type { Budget } from "./budget.ts";
import type { Compiler } from "./compiler.ts";
import { readExpression } from "./expressions/expression.ts";
import { Level } from "./level.ts";
import { combinedQuery, valuesQuery } from "./select/combined.ts";
import { plainSelect } from "./select/plain-select.ts";
import { readWithQuery, withNames } from "./select/with.ts";

/** The steps that reading one part of an expression counts as. */
const stepsOfExpression = 10;

/** Returns what reads a query. `parameters` are the types of $1, $2 …, as far as they are stated; the others are decided while it is read. `budget` is what reading all of it may cost. */
export function makeCompiler(place: Place, parameters: ParameterTypes, budget: Budget): Compiler {
  const compiler: Compiler = {
    ...{ place, parameters, budget },
    expression(node, scope) {
      budget.step(stepsOfExpression);
      return readExpression(node, compiler, scope);
    },
    select: (select, outer, names) => {
      if (select.intoClause) return unsupported("SELECT INTO");
      if (select.lockingClause) return unsupported("locks of rows");
      const level = new Level(outer, budget);
      const own = withNames(select, level, names);
      if ((select.op ?? "SETOP_NONE") !== "SETOP_NONE") return combinedQuery(select, level, own, compiler);
      if (select.valuesLists) return valuesQuery(select, level, own, compiler);
      return plainSelect(select, level, own, compiler);
    },
    withQuery: (query, outer, names) => readWithQuery(query, outer, names, compiler),
  };
  return compiler;
}
