import { createHmac, randomBytes } from 'node:crypto'
import type { Config } from '#core/config.ts'
import { areSecretsEqual } from '#core/crypto.ts'

// The functions of this file read and write the device cookie. It contains a signed token for each account
// that has logged in with the browser. See "Device cookies" of OWASP
// (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).

/**
 * The maximum number of accounts whose tokens one browser keeps. It is enough for a school class that
 * shares a tablet, and the cookie with all tokens (67 bytes each) stays below the 4096 bytes that browsers
 * store.
 */
const MAX_ACCOUNTS = 40
const SEPARATOR = '~'

const sign = ({ SECRET }: Config, account: number, nonce: string) =>
  createHmac('sha256', SECRET).update(`device ${account} ${nonce}`).digest('base64url')

const split = (devices: string) => devices.split(SEPARATOR, MAX_ACCOUNTS)

function isTokenOf(config: Config, token: string, account: number) {
  const [nonce = '', signature = ''] = token.split('.')
  return areSecretsEqual(signature, sign(config, account, nonce))
}

/**
 * Returns the key under which wrong passwords from this browser are counted. Returns undefined if the
 * cookie contains no token of the account. `devices` is the value of the device cookie.
 */
export function findDeviceLogInAttemptKey(config: Config, devices: string, account: number | undefined) {
  const token = split(devices).find((token) => isTokenOf(config, token, account ?? 0))
  return token && `device ${token.split('.')[0]}`
}

/** Returns the new value of the device cookie, with the token of this account first. */
export function addAccountToDeviceCookieValue(config: Config, devices: string, account: number) {
  const tokens = split(devices)
  const nonce = randomBytes(16).toString('base64url')
  const own =
    tokens.find((token) => isTokenOf(config, token, account)) ?? `${nonce}.${sign(config, account, nonce)}`
  const others = tokens.filter((token) => token && token !== own)
  return [own, ...others].slice(0, MAX_ACCOUNTS).join(SEPARATOR)
}
