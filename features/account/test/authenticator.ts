import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

// This file simulates a passkey device in software, for tests: the device creates and uses one passkey
// (ES256) as WebAuthn level 3, section 6, says.

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

type Cbor = number | string | Buffer | Map<number | string, Cbor>

/** Encodes a value as CBOR (RFC 8949). Supports only the types that the attestation of a passkey contains. */
function toCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  return Buffer.concat([cborHead(5, value.size), ...[...value].flat().map(toCbor)])
}

/** Returns the first bytes of a CBOR item, which encode its major type and its value or length. */
function cborHead(major: number, size: number) {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 256) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}

interface Conditions {
  /** The origin of the page that calls the WebAuthn API. If it is left out, the device uses `siteOrigin`. */
  origin?: string
  /**
   * Whether the simulated device says that it has verified its user, by a fingerprint or a PIN. True if left
   * out.
   */
  isVerified?: boolean
}

interface Options {
  challenge: string
}

/**
 * Creates a simulated passkey device with one key for the domain `rpId`. `counter` is the number of
 * signatures that the device reports. The device does not increase this number; a test can set
 * `device.counter`.
 */
export function createDevice({ rpId = 'localhost', siteOrigin = 'http://localhost:3000', counter = 0 } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  const { x, y } = publicKey.export({ format: 'jwk' })
  const coseKey = toCbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x!, 'base64url')],
      [-3, Buffer.from(y!, 'base64url')],
    ]),
  )

  /**
   * Returns the authenticator data of WebAuthn, which the device signs: the hash of the domain, the flags,
   * the counter, and `attested`. When a passkey is created, `attested` contains the new public key.
   */
  function authenticatorData({ isVerified = true }: Conditions, attested = Buffer.alloc(0)) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(device.counter)
    const flags = 1 | (isVerified ? 4 : 0) | (attested.length ? 64 : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested])
  }
  const clientData = (type: string, { challenge }: Options, { origin = siteOrigin }: Conditions) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  const device = {
    id,
    counter,
    /**
     * Returns what `navigator.credentials.create()` would return as JSON. `statement` replaces the empty
     * attestation statement.
     */
    create(options: Options, conditions: Conditions = {}, statement = { fmt: 'none', attStmt: new Map() }) {
      const length = Buffer.from([0, credentialId.length])
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey])
      const attestation = new Map<string, Cbor>([
        ...(Object.entries(statement) as [string, Cbor][]),
        ['authData', authenticatorData(conditions, attested)],
      ])
      return {
        id,
        response: {
          clientDataJSON: clientData('webauthn.create', options, conditions).toString('base64url'),
          attestationObject: toCbor(attestation).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** Returns what `navigator.credentials.get()` would return as JSON: a signature of the challenge. */
    get(options: Options, conditions: Conditions = {}) {
      const client = clientData('webauthn.get', options, conditions)
      const data = authenticatorData(conditions)
      return {
        id,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
        },
      }
    },
  }
  return device
}
export type PasskeyDevice = ReturnType<typeof createDevice>
