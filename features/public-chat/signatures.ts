import { createHmac, randomInt } from 'node:crypto'
import type { Config } from '#core/config.ts'
import { isoNow } from '#core/database/database.ts'
import { areSecretsEqual } from '#core/secrets/crypto.ts'
import type { Person } from '#features/people/contract.ts'
import type { Writer } from './contract.ts'

// No message is stored. So that moderators can trust a report, only signed messages can be reported.

interface SignedMessage {
  id: number
  user_id: number
  created_at: string
  message: string
}

/** In milliseconds. */
const REPORTABLE = 7 * 24 * 3600_000

const sign = ({ SECRET }: Config, { id, user_id, created_at, message }: SignedMessage) =>
  createHmac('sha256', SECRET)
    .update(`public message ${JSON.stringify([id, user_id, created_at, message])}`)
    .digest('base64url')

/** The id is random. */
export function signMessage(config: Config, user: Person, message: string): Writer {
  const [id, created_at] = [randomInt(1, 2 ** 31), isoNow()]
  return { id, user, created_at, signature: sign(config, { id, user_id: user.id, created_at, message }) }
}

/** The signature is right, and the message recent enough. */
export const isReportable = (
  config: Config,
  { signature, ...message }: SignedMessage & { signature: string },
) =>
  areSecretsEqual(signature, sign(config, message)) &&
  Date.now() - Date.parse(message.created_at) < REPORTABLE
