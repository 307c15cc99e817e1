import { signedOut } from "@lethe/serve";
import type { App, AppParts } from "../http/app-parts.ts";
import { incomingOf } from "../http/routes/said.ts";
import { endAdmission } from "../http/traced.ts";
import type { AnswerMcp } from "./mcp-handler.ts";

/**
 * Adds the model context protocol over streamable HTTP, at /mcp; it is loaded when it is first spoken. Who asks is known by the token of the header
 * Authorization alone; a session's cookie is no proof here, since its pages speak the API. The request must name the service's own host, and no other origin.
 */
export function addMcp(
  app: App,
  { service, admission, mostBytes }: Pick<AppParts, "service" | "admission" | "mostBytes">,
): void {
  let loading: Promise<AnswerMcp> | null = null;
  const load = async (): Promise<AnswerMcp> =>
    (await import("./mcp-handler.ts")).mcpHandler(service, mostBytes);
  app.all("/mcp", async (context) => {
    const who = context.get("who");
    if (who?.proof.kind !== "token") throw signedOut();
    admission.requireOwnPlace(incomingOf(context));
    endAdmission(context);
    const { address } = context.env;
    loading ??= load();
    const response = await (await loading)(context.req.raw, {
      who,
      // Each tool draws from its own rate. What calls none, such as a list of tools or a frame that is none, is counted as a request that no route took.
      admit: async (kind) => {
        context.set("admitted", true);
        await admission.admit(kind, who, address);
      },
    });
    // The handler's own word for streams, no-cache, would let an answer be stored.
    response.headers.set("cache-control", "no-store");
    return response;
  });
}
