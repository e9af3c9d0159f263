import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type { RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server'
import type { AppContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { isLocalHostName } from '#core/http/hosts.ts'
import { randomToken } from '#core/secrets/crypto.ts'
import type { Assertion, Attestation } from './contract.ts'
import type { ChallengePurpose } from './passkeys.ts'
import * as passkeys from './passkeys.ts'

/** Takes 30 MB and some tenths of a second, so only when somebody uses a passkey. */
const importLibrary = () => import('@simplewebauthn/server')

/** COSE numbers: Ed25519, ECDSA with P-256, RSA PKCS#1 with SHA-256. */
const ALGORITHMS = [-8, -7, -257]

interface PasskeySite {
  origin: string
  /** WebAuthn calls this domain the relying party id. */
  rpId: string
}

/**
 * `address` comes from PUBLIC_URL or is the local one, never from a header. Null if browsers offer no
 * passkeys there: without https (except on localhost), or on an IP address.
 */
export function passkeySite(address: string): PasskeySite | null {
  const { protocol, hostname, origin } = new URL(address)
  const isSecure = protocol === 'https:' || isLocalHostName(hostname) || hostname.endsWith('.localhost')
  return isSecure && !isIP(hostname.replace(/^\[|\]$/g, '')) ? { origin, rpId: hostname } : null
}

/** 403 if the server cannot use passkeys. */
function readPasskeySite({ publicSite }: Pick<AppContext, 'publicSite'>) {
  const site = passkeySite(publicSite.origin)
  if (!site)
    throw new HttpError(403, {
      en: 'Passkeys need an address with https and a domain name.',
      ja: 'パスキーを使うには、ドメイン名とhttpsのあるアドレスが必要です。',
    })
  return site
}

interface PasskeyContext extends Pick<AppContext, 'config' | 'db' | 'publicSite'> {
  session: { token: string }
}

async function createChallenge({ db, session }: PasskeyContext, purpose: ChallengePurpose) {
  const challenge = randomToken()
  await transaction(db, (tx) => passkeys.addChallenge(tx, session.token, purpose, challenge))
  return challenge
}

type CredentialDescriptor = { id: string; type: 'public-key'; transports: string[] }

interface Owner {
  id: number
  email: string | null
  handle: string
  name: string
}

/** Stores their challenge for the session. 403 if the server cannot use passkeys. */
export async function creationOptions(
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
      // A hash, because authenticators store this id unencrypted, and it must not contain the account id.
      id: createHmac('sha256', SECRET).update(`passkey user ${id}`).digest('base64url'),
      name: email ?? handle,
      displayName: name,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: passkeys.CHALLENGE_LIFETIME,
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
 * Stores their challenge for the session and this purpose. Without `allowCredentials`, the person chooses one
 * of the site's passkeys on the device. 403 if the server cannot use passkeys.
 */
export async function assertionOptions(
  context: PasskeyContext,
  purpose: ChallengePurpose,
  allowCredentials: CredentialDescriptor[] = [],
) {
  const { rpId } = readPasskeySite(context)
  return {
    challenge: await createChallenge(context, purpose),
    rpId,
    timeout: passkeys.CHALLENGE_LIFETIME,
    userVerification: 'required' as const,
    allowCredentials,
  }
}

/** From `clientDataJSON`, which says what was signed; empty if it contains none. */
function readChallenge(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' ? challenge.slice(0, 100) : ''
  } catch {
    return ''
  }
}

/** 422 if the session has no such challenge for this purpose. */
async function consumeChallengeOf(
  { db, session }: PasskeyContext,
  purpose: ChallengePurpose,
  clientDataJSON: string,
) {
  const challenge = readChallenge(clientDataJSON)
  if (!(await passkeys.consumeChallenge(db, session.token, purpose, challenge))) throw passkeys.refused()
  return challenge
}

/** Deletes the challenge, so that it works only once. 422 if the passkey or the challenge is not accepted. */
export async function verifyCreation(context: PasskeyContext, given: Attestation) {
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
    throw passkeys.refused()
  }
}

/**
 * Allows only the formats `none` and `packed`. The options ask for no attestation, so browsers send no
 * certificates; the library would parse those of a stranger, and fetch revocation lists from addresses in
 * them.
 */
async function assertNoCertificates(attestationObject: string) {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const isPlain =
    decoded.get('fmt') === 'none' || (decoded.get('fmt') === 'packed' && !decoded.get('attStmt').get('x5c'))
  if (!isPlain) throw new Error('The attestation has certificates.')
}

/**
 * The caller stores the counter with `passkeys.recordUse`. One 422 for all: an unknown or removed passkey, a
 * challenge that was used or is not of this session and purpose, another origin, no check of the person, or a
 * counter that does not grow.
 */
export async function verifyAssertion(context: PasskeyContext, purpose: ChallengePurpose, given: Assertion) {
  const { origin, rpId } = readPasskeySite(context)
  const expectedChallenge = await consumeChallengeOf(context, purpose, given.response.clientDataJSON)
  const passkey = await passkeys.find(context.db, given.id)
  if (!passkey) throw passkeys.refused()
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
    throw passkeys.refused()
  }
}
