// Sign-in through an external OpenID Connect provider, with the authorization code flow and PKCE.
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import type { ConfigFile } from '../../contract/files/config-file.ts';
import { Problem } from '../../platform/problem.ts';

type OidcSettings = NonNullable<NonNullable<ConfigFile['sign_in']>['oidc']>;
export interface OidcIdentity {
  issuer: string;
  subject: string;
  email: string | null;
  /** Null if the provider omits the claim `email_verified`. */
  emailVerified: boolean | null;
}
/** The browser keeps this state encrypted until the provider redirects the person back to svc. */
export interface SignInState {
  state: string;
  nonce: string;
  verifier: string;
}

// Only asymmetric algorithms: a shared secret or `none` would let others forge tokens.
const ALLOWED_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

export class OidcProvider {
  readonly #settings: OidcSettings;
  #discovery: Promise<oidc.Configuration> | null = null;
  #keys: JWTVerifyGetKey | null = null;

  constructor(settings: OidcSettings) {
    this.#settings = settings;
  }

  async startSignIn(redirectUri: string): Promise<{ url: string; signInState: SignInState }> {
    const configuration = await this.#discoverConfiguration();
    const signInState = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    };
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email',
      code_challenge: await oidc.calculatePKCECodeChallenge(signInState.verifier),
      code_challenge_method: 'S256',
      state: signInState.state,
      nonce: signInState.nonce,
    });
    return { url: url.href, signInState };
  }

  /** Throws Problem `auth` if the provider's response isn't valid. */
  async finishSignIn(callbackUrl: URL, state: SignInState): Promise<OidcIdentity> {
    const configuration = await this.#discoverConfiguration();
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, callbackUrl, {
        pkceCodeVerifier: state.verifier,
        expectedState: state.state,
        expectedNonce: state.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      const userClaims =
        claims['email'] !== undefined
          ? claims
          : { ...claims, ...(await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)) };
      return toIdentity(claims.iss, userClaims);
    } catch (cause) {
      throw new Problem('auth', 'The sign-in was not completed. Start again.', { cause });
    }
  }

  /** Null unless this provider issued the token for svc and the token is valid. */
  async verify(token: string): Promise<OidcIdentity | null> {
    const { client_id, audience } = this.#settings;
    const { issuer, jwks_uri } = (await this.#discoverConfiguration()).serverMetadata();
    this.#keys ??= createRemoteJWKSet(new URL(jwks_uri!), { timeoutDuration: 3_000, cooldownDuration: 10_000 });
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        issuer,
        audience: audience ?? client_id,
        algorithms: ALLOWED_ALGORITHMS,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: 30,
      });
      return isIssuedToClient(payload, client_id) && isValidSubject(payload.sub) ? toIdentity(issuer, payload) : null;
    } catch (error) {
      if (isKeyFetchFault(error)) throw createProviderUnavailableProblem(error);
      return null;
    }
  }

  #discoverConfiguration(): Promise<oidc.Configuration> {
    const { issuer, client_id, client_secret } = this.#settings;
    const isInsecure = issuer.startsWith('http:');
    this.#discovery ??= oidc
      .discovery(
        new URL(issuer),
        client_id,
        { id_token_signed_response_alg: undefined },
        client_secret ? oidc.ClientSecretPost(client_secret) : oidc.None(),
        { execute: isInsecure ? [oidc.allowInsecureRequests] : [], timeout: 5 },
      )
      .catch((cause: unknown) => {
        this.#discovery = null; // A failure isn't cached, so that the next sign-in tries again.
        throw createProviderUnavailableProblem(cause);
      });
    return this.#discovery;
  }
}

const createProviderUnavailableProblem = (cause: unknown): Problem =>
  new Problem('unreachable', 'The sign-in provider is not responding. Try again shortly.', {
    cause,
    retryAfter: 5,
  });

/** A failure to fetch or read the provider's keys doesn't mean that the token is invalid. */
const isKeyFetchFault = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof errors.JWKSTimeout ||
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC');

/** The client that a token was issued to (azp) must be svc. A token without azp must have only one audience. */
function isIssuedToClient(payload: JWTPayload, clientId: string): boolean {
  const azp = payload['azp'];
  if (azp === undefined) return !Array.isArray(payload.aud) || payload.aud.length === 1;
  return azp === clientId;
}

/** A subject has at most 255 ASCII characters (OpenID Connect Core 2). */
const isValidSubject = (sub: unknown): boolean => typeof sub === 'string' && /^[\x20-\x7e]{1,255}$/.test(sub);
/** The email names the caller in traces and pages, so it must not contain white space or control characters. */
const isUsableEmail = (email: unknown): email is string =>
  typeof email === 'string' &&
  email !== '' &&
  email.length <= 320 &&
  !/[\s\u0000-\u001f\u007f-\u009f\u202a-\u202e]/.test(email);

/** Some characters have a lowercase form that belongs to another mailbox: the Kelvin sign must not become a k. */
const toLowerCaseAddress = (email: string): string =>
  email.replace(/./gsu, (character) => {
    const lowerCased = character.toLowerCase();
    return lowerCased.toUpperCase() === character ? lowerCased : character;
  });

function toIdentity(issuer: string, claims: Record<string, unknown>): OidcIdentity {
  const email = isUsableEmail(claims['email']) ? toLowerCaseAddress(claims['email']) : null;
  const verifiedClaim = claims['email_verified'];
  return {
    issuer,
    subject: String(claims['sub']),
    email,
    emailVerified: verifiedClaim === undefined ? null : verifiedClaim === true || verifiedClaim === 'true',
  };
}
