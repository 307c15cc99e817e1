import { type AskOptions, askedOptions, earlierRelease, type Explained, type Release } from "@lethe/gateway";
import type { Ledger } from "@lethe/ledger";
import type { Rational } from "@lethe/core";
import { type AccessHouse, type Principal, requireAccess } from "../access/index.ts";
import type { Asker, AskRequest, Door, Waiting } from "../ask/index.ts";
import type { ServedQuestion, Service } from "./service.ts";

/** What the service is made of. */
export interface ServiceParts {
  readonly door: Door;
  readonly ledger: Ledger;
  readonly access: AccessHouse;
  /** The most ε that one question may cost where no token says less; null for what the policy allows. */
  readonly maxEpsilonPerQuestion?: Rational | null;
}

/** Opens the service over its parts. */
export function openService({ door, ledger, access, maxEpsilonPerQuestion = null }: ServiceParts): Service {
  const may = (route: string, who: Principal): void => requireAccess(route, who, null, access);
  return {
    ask: async (who, question, waiting) => {
      may("question.ask", who);
      const { answer } = await door.ask(askerOf(who, maxEpsilonPerQuestion), requestOf(question), waiting);
      return answer;
    },
    explain: async (who, question, waiting) => {
      may("question.explain", who);
      return door.explain(askerOf(who, maxEpsilonPerQuestion), requestOf(question), waiting);
    },
    describe: async (who, sql, waiting) => {
      may("tables.describe", who);
      return door.describe(askerOf(who, maxEpsilonPerQuestion), sql, waiting);
    },
    tables: async (who) => {
      may("tables.list", who);
      return door.tables(askerOf(who, maxEpsilonPerQuestion));
    },
  };
}
