import { LetheError } from "@lethe/core";
import { type FileKind, invalidFile, readYaml, type YamlTree } from "@lethe/query/files";
import { z } from "zod";
import type { KindRates, RequestKind } from "../limits/index.ts";
import { type ConfigFile, configSchema, type RatesFile } from "./config-schema.ts";
import type { ServiceConfig } from "./service-config.ts";

const configFile: FileKind = {
  noun: "configuration",
  unreadable: "config.unreadable",
  invalid: "config.invalid",
  exactSections: new Set(),
};

/** The rates of one person and one address unless stated. A client that follows the pages or the examples meets none of these. */
const usualRates: Readonly<Record<RequestKind, KindRates>> = {
  ask: { person: { burst: 60, perSecond: 10 }, address: { burst: 240, perSecond: 40 } },
  explain: { person: { burst: 120, perSecond: 20 }, address: { burst: 480, perSecond: 80 } },
  read: { person: { burst: 240, perSecond: 40 }, address: { burst: 960, perSecond: 160 } },
  change: { person: { burst: 30, perSecond: 1 }, address: { burst: 60, perSecond: 2 } },
  "sign-in": { person: { burst: 10, perSecond: 0.2 }, address: { burst: 20, perSecond: 0.5 } },
};

function ratesOf(usual: KindRates, written: RatesFile | undefined): KindRates {
  const { person, address } = written ?? {};
  return {
    person: person ? { burst: person.burst, perSecond: person.per_second } : usual.person,
    address: address ? { burst: address.burst, perSecond: address.per_second } : usual.address,
  };
}

/** Whether an address is of this machine alone. */
const isLoopback = (address: string): boolean => /^127\.|^::1$|^localhost$|^\[::1\]$/.test(address);

function complete(file: ConfigFile): ServiceConfig {
  const address = file.listen?.address ?? "127.0.0.1";
  const port = file.listen?.port ?? 8377;
  const host = address.includes(":") ? `[${address}]` : address;
  const { sign_in: signIn = {}, limits = {}, oidc } = file;
  return {
    version: 1,
    policy: file.policy ?? "lethe.yaml",
    data: file.data ?? ".lethe/serve",
    store: file.store ? { kind: file.store.kind, urlVariable: file.store.url_env } : null,
    listen: { address, port },
    postgres: file.postgres ? { address: file.postgres.address ?? address, port: file.postgres.port } : null,
    tls: file.tls ?? null,
    origin: file.origin ?? new URL(`${file.tls ? "https" : "http"}://${host}:${port}`).origin,
    proxies: file.proxies ?? [],
    signIn: {
      passwords: signIn.passwords ?? true,
      iterations: signIn.iterations ?? 600_000,
      leastLength: signIn.least_length ?? 15,
      idleMs: (signIn.idle_minutes ?? 30) * 60_000,
      absoluteMs: (signIn.absolute_hours ?? 12) * 3_600_000,
    },
    oidc: oidc
      ? {
          issuer: oidc.issuer,
          clientId: oidc.client_id,
          clientSecretVariable: oidc.client_secret_env ?? null,
          claim: oidc.claim ?? "sub",
          algorithms: oidc.algorithms ?? ["RS256", "PS256", "ES256", "EdDSA"],
        }
      : null,
    limits: {
      body: limits.body ?? 65_536,
      ask: ratesOf(usualRates.ask, limits.ask),
      explain: ratesOf(usualRates.explain, limits.explain),
      read: ratesOf(usualRates.read, limits.read),
      change: ratesOf(usualRates.change, limits.change),
      "sign-in": ratesOf(usualRates["sign-in"], limits.sign_in),
    },
  };
}

/** Rules between keys: nothing that signs anybody in crosses a network without TLS. */
function refuseUnsafe({ listen, postgres, tls, origin }: ServiceConfig, tree: YamlTree): void {
  const refused = (path: string, message: string, fix: string): LetheError => {
    const { line, column } = tree.place(path.split("."));
    return new LetheError("config.invalid", `line ${line}, ${path}: ${message}`, {
      fix,
      fields: { path, line, column },
    });
  };
  const exposed = {
    "listen.address": listen.address,
    "postgres.address": postgres?.address ?? listen.address,
  };
  for (const [path, address] of Object.entries(exposed)) {
    if (tls || isLoopback(address)) continue;
    throw refused(
      path,
      "is not of this machine alone, and there is no TLS",
      "add tls: { certificate: …, key: … }, or listen on 127.0.0.1 behind a proxy that has TLS",
    );
  }
  if (/^(?:0\.0\.0\.0|[0:]+)$/.test(new URL(origin).hostname.replace(/[[\]]/g, "")))
    throw refused(
      "listen.address",
      "is every address of this machine, and no browser calls it so",
      "add origin: https://lethe.example, as browsers see the service",
    );
  if (origin.startsWith("http:") && !isLoopback(new URL(origin).hostname))
    throw refused("origin", "is http, and not of this machine", "write the https origin that browsers see");
}

/**
 * Reads the service's configuration from YAML text. Pure: no file is opened. What is not stated has the safest value that works: loopback, no proxy believed, no provider.
 * Errors: config.unreadable (not YAML, anchors, repeated keys, over 1 MiB); config.invalid with the path, the line, and what would be accepted.
 * @example readServiceConfig("version: 1").listen // => { address: "127.0.0.1", port: 8377 }
 */
export function readServiceConfig(text: string): ServiceConfig {
  const tree = readYaml(text, configFile);
  const result = configSchema.safeParse(tree.data);
  if (!result.success) throw invalidFile(result.error.issues, tree, configFile);
  const config = complete(result.data);
  refuseUnsafe(config, tree);
  return config;
}

/** The format as JSON Schema 2020-12, for editors. Rules between keys are checked by {@link readServiceConfig} alone. */
export function serviceConfigJsonSchema(): object {
  return { ...z.toJSONSchema(configSchema, { io: "input" }), title: "Lethe service" };
}
