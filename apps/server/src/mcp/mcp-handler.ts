import type { Service } from "@lethe/serve";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { type McpAsker, mcpServer } from "./mcp-server.ts";

/** The most streams of changes that are open at once: there are no changes to tell. */
const mostStreams = 100;

/** Answers one request of the model context protocol on behalf of an asker. */
export type AnswerMcp = (request: Request, asker: McpAsker) => Promise<Response>;

/** Makes what answers the model context protocol over streamable HTTP. A request's body has at most `mostBytes`. */
export function mcpHandler(service: Service, mostBytes: number): AnswerMcp {
  const handler = createMcpHandler(({ authInfo }) => mcpServer(service, authInfo?.extra?.asker as McpAsker), {
    maxRequestBodySize: mostBytes,
    maxSubscriptions: mostStreams,
  });
  return (request, asker) => {
    const { proof, roles } = asker.who;
    const clientId = proof.kind === "token" ? proof.token : "";
    return handler.fetch(request, {
      authInfo: { token: "", clientId, scopes: [...roles], extra: { asker } },
    });
  };
}
