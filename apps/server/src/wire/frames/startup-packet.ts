import { BodyReader } from "./body-reader.ts";
import { protocolError } from "./protocol-error.ts";

/** The first message of a connection. */
export type StartupPacket =
  | { readonly kind: "tls" | "gss" }
  | { readonly kind: "cancel"; readonly process: number; readonly secret: number }
  /** `minor` is the protocol's: 3.minor. */
  | { readonly kind: "start"; readonly minor: number; readonly parameters: ReadonlyMap<string, string> };

const requests = { cancel: 80_877_102, tls: 80_877_103, gss: 80_877_104 } as const;

/** The most bytes of a first message, as in PostgreSQL. */
export const mostStartup = 10_000;

/** Reads the first message. Errors: serve.protocol, also for another version than 3. */
export function readStartup(body: Buffer): StartupPacket {
  const reader = new BodyReader(body);
  const code = reader.int32();
  switch (code) {
    case requests.tls:
      reader.end();
      return { kind: "tls" };
    case requests.gss:
      reader.end();
      return { kind: "gss" };
    case requests.cancel: {
      const cancel = { kind: "cancel", process: reader.int32(), secret: reader.int32() } as const;
      reader.end();
      return cancel;
    }
  }
  if (code >>> 16 !== 3) throw protocolError("only version 3 of the protocol is spoken here");
  const parameters = new Map<string, string>();
  for (let name = reader.text(); name !== ""; name = reader.text()) parameters.set(name, reader.text());
  reader.end();
  return { kind: "start", minor: code & 0xffff, parameters };
}
