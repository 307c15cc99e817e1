import type { Principal, RequestKind, ServedAnswer, ServedQuestion, Service } from "@lethe/serve";
import { renderJson } from "@lethe/serve/formats";
import { type CallToolResult, McpServer, type McpServerFactory } from "@modelcontextprotocol/server";
import { z } from "zod";
import { requestKey } from "../http/answers/idempotency-key.ts";
import { answerBody } from "../http/answers/write-answer.ts";
import { problemOf } from "../http/problems/problem.ts";

const instructions = `Lethe answers SQL about people's data with differential privacy: each answer has noise, an error bar, and a price in a privacy budget that is never given back.
Call describe_data first. Call explain before query: it is free and tells the price and the expected error. The same question of the same data is paid for once, so asking again does not make an answer better; averages of repeated fresh questions only spend the budget.`;

const sql = z.string().min(1).describe("One SELECT. SHOW TABLES and DESCRIBE are free.");
const params = z
  .union([
    z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  ])
  .optional()
  .describe("Values of $1, $2 … as a list, or of @name by name.");
const epsilon = z
  .union([z.number(), z.string()])
  .optional()
  .describe("The price of the question. The policy's default where it is left out.");

const project = z
  .string()
  .max(100)
  .optional()
  .describe("The project whose caps cover the question, beside your own.");
const key = z
  .string()
  .regex(requestKey)
  .optional()
  .describe(
    "Your own name for this request: sent again with it, the question is paid for once and answered with the same bytes, also after a break. It stands for one question alone.",
  );

/** On whose behalf a connection asks. */
export interface McpAsker {
  readonly who: Principal;
  /** Draws from the rate of a kind. Errors: serve.too-many. */
  readonly admit: (kind: RequestKind) => Promise<void>;
}

/**
 * Makes the servers of the model context protocol for connections that are no HTTP, such as standard input and output: see {@link mcpServer}.
 * @param whoAsks says on whose behalf a connection asks. Errors: serve.signed-out.
 */
export function mcpServers(
  service: Service,
  whoAsks: (token: string | null) => Promise<Principal>,
  admit: McpAsker["admit"] = async () => undefined,
): McpServerFactory {
  return async ({ authInfo }) => mcpServer(service, { who: await whoAsks(authInfo?.token ?? null), admit });
}

/** Makes a server of the model context protocol: four tools over the service, as one asker. They can do no more than ask. */
export function mcpServer(service: Service, { who, admit }: McpAsker): McpServer {
  const server = new McpServer({ name: "lethe", version: "0.1.0" }, { instructions });
  const told = (kind: RequestKind, result: () => Promise<object>, text?: string): Promise<CallToolResult> =>
    toldOf(async () => {
      await admit(kind);
      return result();
    }, text);
  const readOnly = { readOnlyHint: true, openWorldHint: false } as const;
  server.registerTool(
    "describe_data",
    {
      title: "Describe the data",
      description:
        "The tables that one may ask about, with their columns, bounds, units and a few questions that work. Free; nothing of the data is read.",
      inputSchema: z.object({}),
      annotations: readOnly,
    },
    () => told("read", async () => ({ tables: await service.tables(who) })),
  );
  server.registerTool(
    "explain",
    {
      title: "Explain a question",
      description:
        "The price and the expected error of a question, and how to make it cheaper. Free; nothing of the data is read.",
      inputSchema: z.object({ sql, params, epsilon, project }),
      annotations: readOnly,
    },
    (asked) => told("explain", () => service.explain(who, questionOf(asked)), asked.sql),
  );
  server.registerTool(
    "query",
    {
      title: "Ask a question and pay for it",
      description:
        "Answers with noise and error bars, and spends privacy budget for good. The same question of the same data costs nothing the second time.",
      inputSchema: z.object({ sql, params, epsilon, project, idempotency_key: key }),
      // It spends what cannot be given back: a client should ask its user. Asked again it changes nothing.
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    (asked, { mcpReq }) =>
      told(
        "ask",
        async () => shown(await service.ask(who, questionOf(asked), { signal: mcpReq.signal })),
        asked.sql,
      ),
  );
  server.registerTool(
    "budget",
    {
      title: "See the budget",
      description:
        "What may still be spent, and what was spent: of you, and of a project and you in it where one is named. Free.",
      inputSchema: z.object({ project }),
      annotations: readOnly,
    },
    (asked) => told("read", () => service.budget(who, null, asked.project)),
  );
  return server;
}

/** A tool's arguments. */
interface ToolArguments {
  readonly sql: string;
  readonly params?: NonNullable<ServedQuestion["params"]> | undefined;
  readonly epsilon?: number | string | undefined;
  readonly project?: string | undefined;
  readonly idempotency_key?: string | undefined;
}

function questionOf({ sql, params, epsilon, project, idempotency_key }: ToolArguments): ServedQuestion {
  return {
    sql,
    requestId: idempotency_key ?? null,
    ...(project === undefined ? {} : { project }),
    ...(params === undefined ? {} : { params }),
    ...(epsilon === undefined ? {} : { epsilon }),
  };
}

/** An answer for a model: its rows, errors, price and notes, without the plan and the certificate, which it can ask for by the request's id over HTTP. */
function shown(answer: ServedAnswer): object {
  const body = answerBody(answer);
  return "answer" in body && typeof body.answer === "object" && body.answer !== null ? body.answer : body;
}

/** A tool's result. A refusal is one that the model can read and mend: code, message and fix. */
async function toldOf(result: () => Promise<object>, text?: string): Promise<CallToolResult> {
  try {
    return { content: [{ type: "text", text: renderJson(await result()) }] };
  } catch (error) {
    const { code, detail, fix, line, column } = problemOf(error, text);
    return {
      isError: true,
      content: [{ type: "text", text: renderJson({ code, message: detail, fix, line, column }) }],
    };
  }
}
