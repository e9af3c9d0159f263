import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import * as v from 'valibot'
import { parseSender } from '#core/mail/sender.ts'

export interface VariableDefinition {
  /** The effect of the environment variable, in one line of Markdown. */
  description: string
  /** The valid values of the variable, as the error for a bad value names them: “PORT takes …”. */
  takes: string
  schema: v.GenericSchema
  /** The value of the setting if the environment variable is not set. */
  standard?: string
  /** The effect of an environment variable that is not set, in words, for a setting without `standard`. */
  unset?: string
  /** Whether the value is secret. It can then also stand in the file that the variable `NAME_FILE` names. */
  isSecret?: true
}

export const port = v.pipe(v.string(), v.regex(/^\d{1,5}$/), v.transform(Number), v.maxValue(65535))
/** Whether the user and the password in an address are percent-encoded correctly. */
function hasDecodableCredentials(given: string) {
  const { username = '', password = '' } = URL.parse(given) ?? {}
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

export const address = (schemes: readonly string[]) =>
  v.pipe(
    v.string(),
    v.check((given) => schemes.includes(URL.parse(given)?.protocol ?? '')),
    v.check(hasDecodableCredentials),
  )
export const origin = v.pipe(
  address(['http:', 'https:']),
  v.check((given) => URL.parse(given)?.href === `${URL.parse(given)?.origin}/`),
  v.transform((given) => URL.parse(given)?.origin ?? ''),
)
export const onOff = v.pipe(
  v.picklist(['on', 'off']),
  v.transform((given) => given === 'on'),
)
export const list = v.pipe(
  v.string(),
  v.transform((given) =>
    given
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
)
export const addresses = (schemes: readonly string[]) =>
  v.pipe(list, v.minLength(1), v.array(address(schemes)))
export const sender = v.pipe(
  v.string(),
  v.check((given) => parseSender(given) !== null),
)
export const timeOfDay = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/))

export const word = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))

/**
 * Whether the text is an IP address, a network such as 10.0.0.0/8, or one of the network names that Fastify
 * knows. A network of a large part of the Internet is none: everybody in it could claim any address.
 */
export function isProxy(given: string) {
  const [text = '', bits, ...rest] = given.split('/')
  if (['loopback', 'linklocal', 'uniquelocal'].includes(given)) return true
  if (rest.length > 0 || isIP(text) === 0 || !ipaddr.isValid(text)) return false
  if (bits === undefined) return true
  if (!/^[1-9]\d{0,2}$/.test(bits)) return false
  const { least, most } = readPrefixBounds(ipaddr.parse(text))
  return Number(bits) >= least && Number(bits) <= most
}

/** Returns how long the prefix of a network of proxies is, in bits. */
function readPrefixBounds(address: ipaddr.IPv4 | ipaddr.IPv6) {
  if (address instanceof ipaddr.IPv4) return { least: 8, most: 32 }
  // An IPv4 address in IPv6, such as ::ffff:10.0.0.0, comes after 96 bits.
  if (address.isIPv4MappedAddress()) return { least: 96 + 8, most: 128 }
  // Nobody comes from the private networks fc00::/7 and fe80::/10 over the Internet.
  return { least: { uniqueLocal: 7, linkLocal: 10 }[String(address.range())] ?? 16, most: 128 }
}

/**
 * Whether the text is the URL of an S3 bucket, which may have a path, an endpoint and a region. Any other
 * part is refused, because it is misspelt or a secret.
 */
export function isBucket(given: string) {
  const url = URL.parse(given)
  if (url?.protocol !== 's3:' || url.username || url.password || url.port || url.hash) return false
  const { endpoint, region, ...rest } = Object.fromEntries(url.searchParams)
  const named =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname) && /^(\/[\w.-]+)*\/?$/.test(url.pathname)
  const placed = endpoint === undefined || ['http:', 'https:'].includes(URL.parse(endpoint)?.protocol ?? '')
  return named && placed && (region === undefined || v.is(word, region)) && Object.keys(rest).length === 0
}
