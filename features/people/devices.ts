import { createHmac, randomBytes } from 'node:crypto'
import type { Config } from '#core/config.ts'
import { safeEqual } from '#core/crypto.ts'

// A browser keeps a token for each account that has logged in with it: a random part, and a signature over
// that part and the account. See "Device cookies" of OWASP
// (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).

/** Accounts that share a browser. */
const MOST = 4
const SEPARATOR = '~'

const sign = ({ SECRET }: Config, account: number, nonce: string) =>
  createHmac('sha256', SECRET).update(`device ${account} ${nonce}`).digest('base64url')

const split = (devices: string) => devices.split(SEPARATOR, MOST)

function isTokenOf(config: Config, token: string, account: number) {
  const [nonce = '', signature = ''] = token.split('.')
  return safeEqual(signature, sign(config, account, nonce))
}

/**
 * The name of the browser where the account has logged in with it before. `devices` is the value of its
 * cookie.
 */
export function deviceOf(config: Config, devices: string, account: number | undefined) {
  const token = split(devices).find((token) => isTokenOf(config, token, account ?? 0))
  return token && `device ${token.split('.')[0]}`
}

/** The new value of the cookie: the token of the account is the first. */
export function withDevice(config: Config, devices: string, account: number) {
  const tokens = split(devices)
  const nonce = randomBytes(16).toString('base64url')
  const own =
    tokens.find((token) => isTokenOf(config, token, account)) ?? `${nonce}.${sign(config, account, nonce)}`
  const others = tokens.filter((token) => token && token !== own)
  return [own, ...others].slice(0, MOST).join(SEPARATOR)
}
