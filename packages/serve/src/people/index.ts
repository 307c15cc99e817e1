export { changeOwnPassword, type PasswordChange } from "./change-own-password.ts";
export {
  addPerson,
  changePerson,
  createToken,
  endSessions,
  type PeopleHouse,
  type PersonChange,
  revokeToken,
  setPassword,
} from "./change-people.ts";
export {
  beginCodeFlow,
  type HttpRequest,
  type PendingSignIn,
  pendingMs,
  readCallback,
  tokenRequest,
} from "./oidc/code-flow.ts";
export { checkIdToken, identityOf, readKeys } from "./oidc/id-token.ts";
export { type OidcHouse, OidcSignIn, type SendToProvider } from "./oidc/oidc-sign-in.ts";
export { PendingSignIns, type PendingStore } from "./oidc/pending-sign-ins.ts";
export {
  type OidcClientConfig,
  type ProviderMetadata,
  publicKeyAlgorithms,
  readProviderMetadata,
} from "./oidc/provider.ts";
export {
  type AttemptBegun,
  type AttemptRules,
  Attempts,
  attemptKeys,
  attemptRules,
  type DelayRule,
  type KeptAttempts,
  type SignInAttempts,
} from "./passwords/attempts.ts";
export { checkNewPassword, longestPassword, type PasswordRules } from "./passwords/check-new-password.ts";
export { fewAtOnce } from "./passwords/few-at-once.ts";
export { isKnownPassword } from "./passwords/known-password.ts";
export { type PasswordHouse, passwordHolds } from "./passwords/password-holds.ts";
export { preparePassword } from "./passwords/prepare-password.ts";
export type { ScramCredentials } from "./passwords/prove-by-scram.ts";
export { type ScramMechanism, type ScramOpening, scramMechanisms } from "./passwords/scram-exchange.ts";
export {
  type Derive,
  derive,
  makeVerifier,
  mockVerifier,
  proofHolds,
  readVerifier,
  type ScramVerifier,
  serverSignature,
  verifierText,
} from "./passwords/scram-verifier.ts";
export type { KeptTally } from "./passwords/tallies.ts";
export type { PeopleStore } from "./people-store.ts";
export type { Identity, Person, TokenRecord } from "./person.ts";
export { checkPersonName, foldName } from "./person-name.ts";
export { type RandomBytes, randomText } from "./random-bytes.ts";
export { sameBytes } from "./same-bytes.ts";
export { type Credentials, checkIterations, type SignInHouse, signIn, wrongSignIn } from "./sign-in.ts";
export { signInByScram } from "./sign-in-by-scram.ts";
export { stillLetIn } from "./still-let-in.ts";
export { bearer } from "./tokens/bearer.ts";
export { principalOfProved, principalOfToken } from "./tokens/check-token.ts";
export { longestTokenMs, mostTokens, type TokenRequest } from "./tokens/issue-token.ts";
export { type ProvedToken, signInByToken } from "./tokens/sign-in-by-token.ts";
export { idOfTokenUser, tokenHash, tokenUser } from "./tokens/token-text.ts";
