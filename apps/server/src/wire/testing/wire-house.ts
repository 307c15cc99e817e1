import type { Listening } from "../../ops/begin-listening.ts";
import type { ListenOptions } from "../../ops/listen.ts";
import { type AppHouse, openHouse, policyText } from "../../testing/app-house.ts";
import { listenWire } from "../listen-wire.ts";
import type { WireParts } from "../wire-parts.ts";
import { RawClient } from "./raw-client.ts";

/** A service that speaks PostgreSQL's protocol on loopback. */
export interface WireHouse extends AppHouse {
  readonly port: number;
  /** Connects a client and signs it in as somebody; it is closed with the house. */
  client(as?: keyof AppHouse["tokens"], settings?: Readonly<Record<string, string>>): Promise<RawClient>;
  /** Connects a client that says nothing yet. */
  raw(): RawClient;
  /** Stops listening, as a service does that ends. */
  stop(): Promise<void>;
}

/** The policy, with a cap for each who asks, and a price for whoever states none. */
export const pricedPolicy: string = policyText
  .replace(
    "epsilon: 100000 }",
    "epsilon: 100000, analysts: { ada: 1000, bob: 1000, max: 1, olga: 1, eve: 1 } }",
  )
  .replace("tables:", "defaults: { epsilon: 0.5 }\ntables:");

const towns = ["=north", "south", '"a, b"'];
const people = `age,town,name\n${Array.from({ length: 600 }, (_, at) => `${at % 100},${towns[at % 3]},Zebedee-Quixote-${at}`).join("\n")}\n`;

type WireOptions = Omit<NonNullable<Parameters<typeof openHouse>[0]>, "tls"> &
  Partial<Pick<ListenOptions, "tls">>;

/** Opens it. `change` replaces parts of what the wire is made of. */
export async function openWireHouse(
  { tls = null, ...house }: WireOptions = {},
  change: (parts: WireParts) => Partial<WireParts> = () => ({}),
): Promise<WireHouse> {
  const opened = await openHouse({ data: { policy: pricedPolicy, people }, ...house });
  const listening: Listening = await listenWire(
    { ...opened.wire, ...change(opened.wire) },
    { address: "127.0.0.1", port: 0, tls },
  );
  const clients: RawClient[] = [];
  const raw = (): RawClient => {
    const client = new RawClient(listening.port);
    clients.push(client);
    return client;
  };
  return {
    ...opened,
    port: listening.port,
    raw,
    stop: () => listening.close(15_000),
    async client(as = "analyst", settings = {}) {
      const client = raw();
      await client.signIn(opened.tokens[as], settings);
      return client;
    },
    async close() {
      for (const client of clients) client.close();
      await listening.close(1_000);
      await opened.close();
    },
  };
}
