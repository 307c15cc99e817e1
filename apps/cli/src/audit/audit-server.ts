import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { type AuditRow, type Wire, type WireAnalyst, wireAudit } from "@lethe/audit";
import { connect, type LetheClient, LetheProblem, type Loss } from "@lethe/client";
import { LetheError, parseRational, type Rational, toText } from "@lethe/core";
import { add, zero } from "@lethe/core/numeric";
import { type ServerNamed, serverNamed, tokenIn } from "../commands/serve/server-named.ts";
import { askPostgres, PostgresRefusal, postgresAddress, postgresPort } from "./postgres-port.ts";
import { halfRequest, sendRaw } from "./raw-requests.ts";

interface AuditServerFlags {
  readonly server?: string;
  readonly tokenFile?: string;
  readonly otherTokenFile?: string;
  readonly epsilon?: string;
  readonly postgres?: string;
}

/** Attacks a running service over the wire. Errors: cli.usage where it cannot be reached, or does not know a token. */
export async function auditServer(flags: AuditServerFlags): Promise<readonly AuditRow[]> {
  const named = serverNamed(flags);
  const { otherTokenFile, epsilon } = flags;
  const postgres = flags.postgres === undefined ? null : postgresAddress(flags.postgres);
  const tokens = [named.token, ...(otherTokenFile === undefined ? [] : [tokenIn(otherTokenFile)])];
  const spends = epsilon === undefined ? null : parseRational(epsilon, "epsilon");
  const [first, second] = await Promise.all(tokens.map((token) => analystOf(named, token, postgres)));
  if (first === undefined) throw refused(named, "the token names nobody");
  if (first.name === second?.name)
    throw new LetheError("cli.usage", `both tokens are ${first.name}'s`, {
      fix: "name a token of another analyst: lethe people add NAME --role analyst",
    });
  const { server } = named;
  return wireAudit.run({
    origin: server,
    analysts: second === undefined ? [first] : [first, second],
    question: await questionOf(named),
    epsilon: spends,
    send: (request) => sendRaw(server, request),
    postgres: postgres && postgresPort(postgres),
    half: (part, patience) => halfRequest(server, part, patience),
    wait: (milliseconds) => setTimeout(milliseconds),
    newName: () => randomUUID(),
  } satisfies Wire);
}

async function analystOf(
  named: ServerNamed,
  token: string,
  postgres: ReturnType<typeof postgresAddress> | null,
): Promise<WireAnalyst> {
  const { server } = named;
  const authorization = `Bearer ${token}`;
  const send: WireAnalyst["send"] = (request) =>
    sendRaw(server, { ...request, headers: { authorization, ...request.headers } });
  const { status, body } = await send({ method: "GET", path: "/v1/me" });
  if (status === 0) throw refused(named, "no service answers");
  if (status !== 200) throw refused(named, "the service does not know the token");
  const { name }: { readonly name: string } = JSON.parse(body);
  const client = connect({ url: server, token });
  return {
    name,
    send,
    ask: async (sql, { epsilon, ...way }) => {
      try {
        const { answer, certificate } = await client.release(sql, {
          epsilon: toText(epsilon),
          acceptUninformative: true,
          ...("requestId" in way ? { requestId: way.requestId } : {}),
        });
        return {
          kind: "answered",
          requestId: String(certificate.requestId),
          principal: String(certificate.principal),
          charged: mainOf(answer.charged),
          values: valuesOf(answer.rows.map((row) => Object.values(row))),
        };
      } catch (error) {
        if (error instanceof LetheProblem) return { kind: "refused", code: error.code };
        throw error;
      }
    },
    ...(postgres === null
      ? {}
      : {
          askPostgres: async (sql, { epsilon }) => {
            try {
              const { rows, notice } = await askPostgres(postgres, token, sql, toText(epsilon));
              const values = valuesOf(rows);
              const requestId = / request (.+?)(?:;|$)/.exec(notice)?.[1];
              // An answer that is made of earlier ones has no request of its own, and no price.
              if (requestId === undefined)
                return { kind: "answered", requestId: values, principal: name, charged: zero, values };
              const { answer, certificate } = await client.answerOf(requestId);
              return {
                kind: "answered",
                requestId,
                principal: String(certificate.principal),
                charged: notice.startsWith("charged nothing") ? zero : mainOf(answer.price),
                values,
              };
            } catch (error) {
              if (error instanceof PostgresRefusal) return { kind: "refused", code: error.code };
              throw error;
            }
          },
        }),
    budget: () => budgetOf(client, name),
    answered: async () => {
      for await (const { requestId, state } of client.requests()) if (state === "settled") return requestId;
      return null;
    },
  };
}

/** The cap and the spending of a scope over its lifetime. The spending of an analyst whom the policy does not list is the sum of what was paid. */
async function budgetOf(client: LetheClient, name: string): ReturnType<WireAnalyst["budget"]> {
  const { scopes } = await client.budget();
  const lifetime = (scope: string) =>
    scopes.find((each) => each.name === scope)?.periods.find(({ per }) => per === "lifetime");
  const read = (text: string | null | undefined): Rational | null =>
    typeof text === "string" ? parseRational(text) : null;
  const own = lifetime(`analyst ${name}`);
  let spent = read(own?.spent);
  if (spent === null) {
    spent = zero;
    for await (const { price } of client.requests()) spent = add(spent, mainOf(price));
  }
  return { account: read(lifetime("the account")?.granted), own: read(own?.granted), spent };
}

/** The numbers of an answer, alike for whatever protocol told them. */
function valuesOf(rows: readonly (readonly unknown[])[]): string {
  const flat = (cell: unknown): readonly unknown[] =>
    typeof cell === "object" && cell !== null && "lower" in cell && "value" in cell && "upper" in cell
      ? [cell.value, cell.lower, cell.upper]
      : [cell];
  return JSON.stringify(rows.map((row) => row.flatMap(flat)));
}

function mainOf({ epsilon, rho }: Loss): Rational {
  return parseRational(rho ?? epsilon ?? "0");
}

/** A question of the first private table. */
async function questionOf(named: ServerNamed): Promise<string> {
  const tables = await connect({ url: named.server, token: named.token }).tables();
  const table = tables.find(({ kind }) => kind === "private");
  if (table === undefined) throw refused(named, "the service offers no private table");
  return `SELECT COUNT(*) AS n FROM ${table.name}`;
}

function refused({ server }: ServerNamed, why: string): LetheError {
  return new LetheError("cli.usage", `${why} at ${server}`, {
    fix: "start the service with lethe serve, and make a token of an analyst with lethe people token NAME",
  });
}
