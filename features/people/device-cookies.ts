import { createHmac, randomBytes } from 'node:crypto'
import type { Config } from '#core/config.ts'
import { areSecretsEqual } from '#core/secrets/crypto.ts'

// A signed token for each account that has logged in with the browser: "Device cookies" of OWASP
// (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).

/** Enough for a school class that shares a tablet; 67 bytes each stay below the 4096 that browsers store. */
const MAX_ACCOUNTS = 40
const SEPARATOR = '~'

const sign = ({ SECRET }: Config, account: number, nonce: string) =>
  createHmac('sha256', SECRET).update(`device ${account} ${nonce}`).digest('base64url')

const split = (devices: string) => devices.split(SEPARATOR, MAX_ACCOUNTS)

function isTokenOf(config: Config, token: string, account: number) {
  const [nonce = '', signature = ''] = token.split('.')
  return areSecretsEqual(signature, sign(config, account, nonce))
}

/** Wrong passwords from this browser count under it. Undefined without a token of the account. */
export function deviceKey(config: Config, devices: string, account: number | undefined) {
  const token = split(devices).find((token) => isTokenOf(config, token, account ?? 0))
  return token && `device ${token.split('.')[0]}`
}

/** Puts this account first. */
export function addToDevices(config: Config, devices: string, account: number) {
  const tokens = split(devices)
  const nonce = randomBytes(16).toString('base64url')
  const own =
    tokens.find((token) => isTokenOf(config, token, account)) ?? `${nonce}.${sign(config, account, nonce)}`
  const others = tokens.filter((token) => token && token !== own)
  return [own, ...others].slice(0, MAX_ACCOUNTS).join(SEPARATOR)
}
