import { LetheError } from "@lethe/core";
import {
  idOfTokenUser,
  type Principal,
  principalOfProved,
  type ScramCredentials,
  type ScramMechanism,
  scramMechanisms,
  signedOut,
  stillLetIn,
} from "@lethe/serve";
import { BodyReader, decode } from "../frames/body-reader.ts";
import { protocolError } from "../frames/protocol-error.ts";
import { serverMessage } from "../frames/server-message.ts";
import type { WireParts } from "../wire-parts.ts";
import type { Channel } from "./channel.ts";

/** The user's name by which a client sends a token as a password in clear: tokens that were made before they had verifiers have no other way. */
const clearUser = "token";

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
 * Signs somebody in by SCRAM: by their password, or by a token, whose public beginning is the user's name. The user "token" sends a token as it is, so that it is asked for on a private connection alone.
 * The user's name alone decides which of the three is asked for. What does not hold draws from the rate of sign-ins of its address. Null where the client is gone.
 * Errors: serve.sign-in, serve.signed-out, serve.too-many, serve.protocol, log.lost.
 */
export async function signIn(on: SigningIn, parts: WireParts): Promise<SignedIn | null> {
  try {
    if (on.user === clearUser) return await byClearToken(on, parts);
    return await (idOfTokenUser(on.user) === null ? byPassword(on, parts) : byToken(on, parts));
  } catch (error) {
    if (error instanceof LetheError) await parts.admission.admit("sign-in", null, on.address);
    throw error;
  }
}

async function byClearToken(
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

async function byToken(on: SigningIn, { desk, people, now }: WireParts): Promise<SignedIn | null> {
  const signed = await byScram(on, (given) => desk.signInByToken(given));
  return (
    signed && {
      name: signed.who.name,
      renew: async () => ({
        ...(await principalOfProved(people, signed.token, now())),
        address: on.address,
      }),
    }
  );
}

async function byPassword(
  on: SigningIn,
  { desk, people, random, rules, now }: WireParts,
): Promise<SignedIn | null> {
  const signed = await byScram(on, (given) => desk.signInByScram(given));
  if (signed === null) return null;
  const { person } = signed;
  const session = `wire-${Buffer.from(random(8)).toString("hex")}`;
  const startedAt = now();
  return {
    name: person.name,
    renew: async () => {
      if (!(now() - startedAt < rules.absoluteMs)) throw signedOut();
      return { ...(await stillLetIn(people, person, session)), address: on.address };
    },
  };
}

/** Speaks SCRAM with a client, whose proof `check` asks for. Null where the client is gone. Errors: serve.protocol, and those of `check`. */
async function byScram<T extends { readonly serverFinal: string }>(
  { channel, user, address, binding }: SigningIn,
  check: (given: ScramCredentials) => Promise<T>,
): Promise<T | null> {
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
  const signed = await check({ name: user, address, opening, prove }).catch((error: unknown): null => {
    if (error === gone) return null;
    throw error;
  });
  if (signed !== null) await channel.write(serverMessage.endSasl(signed.serverFinal));
  return signed;
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
