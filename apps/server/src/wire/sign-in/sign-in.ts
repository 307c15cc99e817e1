import { LetheError } from "@lethe/core";
import { type Principal, type ScramMechanism, scramMechanisms, signedOut, stillLetIn } from "@lethe/serve";
import { BodyReader, decode } from "../frames/body-reader.ts";
import { protocolError } from "../frames/protocol-error.ts";
import { serverMessage } from "../frames/server-message.ts";
import type { WireParts } from "../wire-parts.ts";
import type { Channel } from "./channel.ts";

/** The user's name by which a client signs in with a token as its password. */
export const tokenUser = "token";

/** Somebody who signed in on a connection. */
export interface SignedIn {
  readonly name: string;
  /** Returns who it is as of now, as the service looks anew at each request of HTTP. Errors: serve.signed-out. */
  readonly renew: () => Promise<Principal>;
}

/** A connection on which somebody wants to sign in. */
export interface SigningIn {
  readonly channel: Channel;
  readonly user: string;
  readonly address: string;
  /** Whether nobody on a network can read what is sent: by TLS, or since it leaves this machine nowhere. */
  readonly isPrivate: boolean;
  /** The data that bind SCRAM to the service's certificate; null where there is none. */
  readonly binding: Uint8Array | null;
}

const mostAnswer = 2_048;

/**
 * Signs somebody in: by SCRAM, and as the user "token" by a token, which is a password sent as it is, so that it is asked for on a private connection alone. What does not hold draws from the rate of sign-ins
 * of its address. Null where the client is gone.
 * Errors: serve.sign-in, serve.signed-out, serve.too-many, serve.protocol, log.lost.
 */
export async function signIn(on: SigningIn, parts: WireParts): Promise<SignedIn | null> {
  try {
    return await (on.user === tokenUser ? byToken(on, parts) : byScram(on, parts));
  } catch (error) {
    if (error instanceof LetheError) parts.admission.admit("sign-in", null, on.address);
    throw error;
  }
}

async function byToken(
  { channel, address, isPrivate }: SigningIn,
  { admission }: WireParts,
): Promise<SignedIn | null> {
  if (!isPrivate) throw protocolError("a token is taken over TLS alone");
  await channel.write(serverMessage.askPassword());
  const frame = await channel.signIn(mostAnswer);
  if (frame === null) return null;
  const reader = new BodyReader(frame.body);
  const token = reader.text();
  reader.end();
  // A header cannot hold other characters, and neither can a token.
  if (!/^[\x21-\x7e]+$/.test(token)) throw signedOut();
  const headers = new Headers({ authorization: `Bearer ${token}` });
  const renew = async (): Promise<Principal> => {
    const who = await admission.identify({ method: "POST", headers, address });
    if (who === null) throw signedOut();
    return who;
  };
  const { name } = await renew();
  return { name, renew };
}

async function byScram(
  { channel, user, address, binding }: SigningIn,
  { desk, people, random, rules, now }: WireParts,
): Promise<SignedIn | null> {
  await channel.write(
    serverMessage.offerSasl(scramMechanisms.filter((name) => binding !== null || !name.endsWith("-PLUS"))),
  );
  const frame = await channel.signIn(mostAnswer);
  if (frame === null) return null;
  const opening = { ...readOpening(frame.body), binding };
  const gone = new Error("the client is gone");
  const prove = async (serverFirst: string): Promise<string> => {
    await channel.write(serverMessage.continueSasl(serverFirst));
    const proof = await channel.signIn(mostAnswer);
    if (proof === null) throw gone;
    return decode(proof.body);
  };
  const signed = await desk
    .signInByScram({ name: user, address, opening, prove })
    .catch((error: unknown): null => {
      if (error === gone) return null;
      throw error;
    });
  if (signed === null) return null;
  await channel.write(serverMessage.endSasl(signed.serverFinal));
  const { person } = signed;
  const session = `wire-${Buffer.from(random(8)).toString("hex")}`;
  const startedAt = now();
  return {
    name: person.name,
    renew: async () => {
      if (!(now() - startedAt < rules.absoluteMs)) throw signedOut();
      return { ...(await stillLetIn(people, person, session)), address };
    },
  };
}

function readOpening(body: Buffer): { readonly mechanism: ScramMechanism; readonly clientFirst: string } {
  const reader = new BodyReader(body);
  const name = reader.text();
  const mechanism = scramMechanisms.find((each) => each === name);
  if (mechanism === undefined)
    throw protocolError("the mechanism of the sign-in is not one that was offered");
  const length = reader.int32();
  const clientFirst = decode(reader.bytes(length));
  reader.end();
  return { mechanism, clientFirst };
}
