import { signedOut } from "@lethe/serve";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { App, AppParts } from "../http/app-parts.ts";
import { incomingOf } from "../http/routes/said.ts";
import { type McpAsker, mcpServer } from "./mcp-server.ts";

/** The most streams of changes that are open at once: there are no changes to tell. */
const mostStreams = 100;

/**
 * Adds the model context protocol over streamable HTTP, at /mcp. Who asks is known by the token of the header Authorization alone; a session's cookie is no proof here, since its pages speak the
 * API. The request must name the service's own host, and no other origin.
 */
export function addMcp(
  app: App,
  { service, admission, mostBytes }: Pick<AppParts, "service" | "admission" | "mostBytes">,
): void {
  const handler = createMcpHandler(({ authInfo }) => mcpServer(service, authInfo?.extra?.asker as McpAsker), {
    maxRequestBodySize: mostBytes,
    maxSubscriptions: mostStreams,
  });
  app.all("/mcp", async (context) => {
    const who = context.get("who");
    if (who?.proof.kind !== "token") throw signedOut();
    admission.requireOwnPlace(incomingOf(context));
    const { address } = context.env;
    const asker: McpAsker = {
      who,
      // Each tool draws from its own rate. What calls none, such as a list of tools or a frame that is none, is counted as a request that no route took.
      admit: (kind) => {
        context.set("admitted", true);
        admission.admit(kind, who, address);
      },
    };
    const response = await handler.fetch(context.req.raw, {
      authInfo: { token: "", clientId: who.proof.token, scopes: [...who.roles], extra: { asker } },
    });
    // The handler's own word for streams, no-cache, would let an answer be stored.
    response.headers.set("cache-control", "no-store");
    return response;
  });
}
