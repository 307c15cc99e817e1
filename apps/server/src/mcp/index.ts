/** The model context protocol over standard input and output, and as a bridge to a service. Apart from the service, which loads it when it is first spoken. */
export { type BridgeParts, bridgeStdio, requireReachable } from "./bridge-stdio.ts";
export { mcpServers } from "./mcp-server.ts";
export { type StdioParts, serveMcpOverStdio } from "./serve-stdio.ts";
