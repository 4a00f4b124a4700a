// A command that signs a user in with openid-client, which checks the id_token, and prints whom.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { resolve } = createRequire(`${process.cwd()}/package.json`);
const oidc = await import(pathToFileURL(resolve("openid-client")));
const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI } = process.env;

const how = { execute: [oidc.allowInsecureRequests] };
const config = await oidc.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, how);
oidc.enableNonRepudiationChecks(config); // of the signature, although the token came over a direct connection

const code_verifier = oidc.randomPKCECodeVerifier();
const [expectedNonce, expectedState] = [oidc.randomNonce(), oidc.randomState()];
const url = oidc.buildAuthorizationUrl(config, {
  redirect_uri: REDIRECT_URI,
  scope: "openid user",
  code_challenge: await oidc.calculatePKCECodeChallenge(code_verifier),
  code_challenge_method: "S256",
  nonce: expectedNonce,
  state: expectedState,
});
const redirect = await fetch(url, { redirect: "manual" });
const returned = new URL(redirect.headers.get("Location"));
const tokens = await oidc.authorizationCodeGrant(config, returned, {
  pkceCodeVerifier: code_verifier,
  expectedNonce,
  expectedState,
  idTokenExpected: true,
});
console.log(tokens.claims().sub);
await oidc.tokenRevocation(config, tokens.access_token);
