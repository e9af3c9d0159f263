import { generateKeyPairSync, sign } from 'node:crypto'

// Functions that encode values in DER (ITU-T X.690), to make a certificate as RFC 5280 describes it.

/** Encodes a value of fewer than 65,536 bytes in DER: its tag, its length and its content. */
function encode(tag: number, ...parts: readonly (Buffer | string)[]) {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length } = content
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: Buffer[]) => encode(0x30, ...parts)
const identifier = (hex: string) => encode(0x06, Buffer.from(hex, 'hex'))
const integer = (value: number) => encode(0x02, Buffer.from([value]))
/** Encodes bytes in DER as a bit string without unused bits. */
const bitString = (bytes: Buffer) => encode(0x03, Buffer.from([0]), bytes)

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))
const commonName = identifier('550403')
const subjectAltName = identifier('551d11')

/**
 * Creates a private key and a certificate for a host name, which is signed with this key. Returns both as PEM
 * texts.
 */
export function selfSigned(hostname: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = sequence(encode(0x31, sequence(commonName, encode(0x0c, hostname))))
  const extension = sequence(subjectAltName, encode(0x04, sequence(encode(0x82, hostname))))
  const content = sequence(
    encode(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    name,
    sequence(encode(0x17, '200101000000Z'), encode(0x17, '491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encode(0xa3, sequence(extension)),
  )
  const der = sequence(content, ecdsaWithSha256, bitString(sign('sha256', content, privateKey)))
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
}
