import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type { RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server'
import type { AppContext } from '#core/context.ts'
import { createRandomToken } from '#core/crypto.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { isLocalHostName } from '#core/http/hosts.ts'
import type { PasskeyAssertion, PasskeyAttestation } from './passkey-contract.ts'
import {
  consumePasskeyChallenge,
  createPasskeyRefusedError,
  findPasskeyByCredentialId,
  insertPasskeyChallenge,
  PASSKEY_CHALLENGE_LIFETIME,
  type PasskeyChallengePurpose,
} from './passkeys.ts'

/**
 * Imports the library that checks the signatures of passkeys. The library takes 30 MB and some tenths of a
 * second, so it is imported only when somebody uses a passkey.
 */
const importLibrary = () => import('@simplewebauthn/server')

/** COSE numbers of the accepted signature algorithms: Ed25519, ECDSA with P-256, RSA PKCS#1 with SHA-256. */
const ALGORITHMS = [-8, -7, -257]

interface PasskeySite {
  origin: string
  /** The domain for which passkeys are valid, which WebAuthn calls the relying party id. */
  rpId: string
}

/**
 * Returns the origin and the domain for which passkeys are valid at this address of the site. The address
 * comes from PUBLIC_URL or is the local one, and never comes from a header. Returns null if browsers do not
 * offer passkeys there: without https (except on localhost), or if the host is an IP address.
 */
export function toPasskeyOriginAndRpId(address: string): PasskeySite | null {
  const { protocol, hostname, origin } = new URL(address)
  const isSecure = protocol === 'https:' || isLocalHostName(hostname) || hostname.endsWith('.localhost')
  return isSecure && !isIP(hostname.replace(/^\[|\]$/g, '')) ? { origin, rpId: hostname } : null
}

/**
 * Returns the origin and the domain for which the passkeys of this server are valid (see
 * `toPasskeyOriginAndRpId`). Throws 403 if the server cannot use passkeys.
 */
function readPasskeySite({ publicSite }: Pick<AppContext, 'publicSite'>) {
  const site = toPasskeyOriginAndRpId(publicSite.origin)
  if (!site)
    throw new HttpError(403, {
      en: 'Passkeys need an address with https and a domain name.',
      ja: 'パスキーを使うには、ドメイン名とhttpsのあるアドレスが必要です。',
    })
  return site
}

/** The services of the app and the session of a request, which the functions of this file use. */
interface PasskeyContext extends Pick<AppContext, 'config' | 'db' | 'publicSite'> {
  session: { token: string }
}

async function createChallenge({ db, session }: PasskeyContext, purpose: PasskeyChallengePurpose) {
  const challenge = createRandomToken()
  await transaction(db, (tx) => insertPasskeyChallenge(tx, session.token, purpose, challenge))
  return challenge
}

type CredentialDescriptor = { id: string; type: 'public-key'; transports: string[] }

interface Owner {
  id: number
  /** The e-mail address of the member; null if the member has none. */
  email: string | null
  handle: string
  name: string
}

/**
 * Creates the WebAuthn options with which the browser of a member creates a passkey. Stores their challenge
 * for the session. Throws 403 if the server cannot use passkeys.
 */
export async function createPasskeyRegistrationOptions(
  context: PasskeyContext,
  { id, email, handle, name }: Owner,
  excludeCredentials: CredentialDescriptor[],
) {
  const { rpId } = readPasskeySite(context)
  const { SECRET } = context.config
  return {
    challenge: await createChallenge(context, 'register'),
    rp: { id: rpId, name: context.publicSite.name },
    user: {
      // Uses a hash as the user id of the passkey, because authenticators store this id unencrypted, and it
      // must not contain the account id.
      id: createHmac('sha256', SECRET).update(`passkey user ${id}`).digest('base64url'),
      name: email ?? handle,
      displayName: name,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: PASSKEY_CHALLENGE_LIFETIME,
    attestation: 'none' as const,
    excludeCredentials,
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true,
      userVerification: 'required' as const,
    },
  }
}

/**
 * Creates the WebAuthn options with which a browser signs with a passkey. Stores their challenge for the
 * session and this purpose. If `allowCredentials` is left out, the person chooses one of the passkeys that
 * the device has for this site. Throws 403 if the server cannot use passkeys.
 */
export async function createPasskeyAssertionOptions(
  context: PasskeyContext,
  purpose: PasskeyChallengePurpose,
  allowCredentials: CredentialDescriptor[] = [],
) {
  const { rpId } = readPasskeySite(context)
  return {
    challenge: await createChallenge(context, purpose),
    rpId,
    timeout: PASSKEY_CHALLENGE_LIFETIME,
    userVerification: 'required' as const,
    allowCredentials,
  }
}

/**
 * Returns the challenge that a browser's response answers, read from `clientDataJSON`, which says what was
 * signed. Returns an empty text if `clientDataJSON` contains no challenge.
 */
function readChallenge(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge.slice(0, 100) : ''
  } catch {
    return ''
  }
}

/**
 * Deletes the stored challenge that a browser's response answers, and returns the challenge. Throws 422 if
 * the session has no such challenge for this purpose.
 */
async function consumeChallengeOf(
  { db, session }: PasskeyContext,
  purpose: PasskeyChallengePurpose,
  clientDataJSON: string,
) {
  const challenge = readChallenge(clientDataJSON)
  if (!(await consumePasskeyChallenge(db, session.token, purpose, challenge)))
    throw createPasskeyRefusedError()
  return challenge
}

/**
 * Checks a new passkey, and returns its credential id, public key and counter; the caller stores them.
 * Deletes the challenge, so that each challenge works only once. Throws 422 if the passkey or the challenge
 * is not accepted.
 */
export async function verifyPasskeyRegistration(context: PasskeyContext, given: PasskeyAttestation) {
  const { origin, rpId } = readPasskeySite(context)
  const expectedChallenge = await consumeChallengeOf(context, 'register', given.response.clientDataJSON)
  const { verifyRegistrationResponse } = await importLibrary()
  try {
    await assertNoCertificates(given.response.attestationObject)
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: given.id,
        rawId: given.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: given.response as RegistrationResponseJSON['response'],
      },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) throw new Error('not verified')
    const { id, publicKey, counter } = registrationInfo.credential
    return { credential_id: id, public_key: Buffer.from(publicKey).toString('base64url'), counter }
  } catch {
    throw createPasskeyRefusedError()
  }
}

/**
 * Throws if the attestation of a new passkey has certificates, or a format other than `none` and `packed`.
 * The options ask for no attestation, so browsers send no certificates. The library would parse the
 * certificates of a stranger, and would fetch revocation lists from addresses in them.
 */
async function assertNoCertificates(attestationObject: string) {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const isPlain =
    decoded.get('fmt') === 'none' || (decoded.get('fmt') === 'packed' && !decoded.get('attStmt').get('x5c'))
  if (!isPlain) throw new Error('The attestation has certificates.')
}

/**
 * Checks a signature of a passkey, and returns the passkey and its new counter. The caller stores the counter
 * with `recordPasskeyUse`. Throws the same 422 for every signature that is not accepted: of an unknown or
 * removed passkey, with a challenge that was used or is not of this session and purpose, for another origin,
 * without a check of the person, or with a counter that does not grow.
 */
export async function verifyPasskeyAssertion(
  context: PasskeyContext,
  purpose: PasskeyChallengePurpose,
  given: PasskeyAssertion,
) {
  const { origin, rpId } = readPasskeySite(context)
  const expectedChallenge = await consumeChallengeOf(context, purpose, given.response.clientDataJSON)
  const passkey = await findPasskeyByCredentialId(context.db, given.id)
  if (!passkey) throw createPasskeyRefusedError()
  const { verifyAuthenticationResponse } = await importLibrary()
  const credential: WebAuthnCredential = {
    id: passkey.credential_id,
    publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
    counter: passkey.counter,
  }
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: given.id,
        rawId: given.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: given.response,
      },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential,
    })
    if (!verified) throw new Error('not verified')
    return { passkey, counter: authenticationInfo.newCounter }
  } catch {
    throw createPasskeyRefusedError()
  }
}
