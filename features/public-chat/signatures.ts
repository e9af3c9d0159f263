import { createHmac, randomInt } from 'node:crypto'
import type { Config } from '#core/config.ts'
import { areSecretsEqual } from '#core/crypto.ts'
import { currentIsoTime } from '#core/database/database.ts'
import type { Person } from '#features/people/contract.ts'
import type { PublicChatWriter } from './contract.ts'

// No message of the public chat is stored. So that moderators can trust a report, the server signs what it
// broadcasts, and takes reports of signed messages only.

interface SignedMessage {
  id: number
  user_id: number
  created_at: string
  message: string
}

/** The time in ms for which a message can be reported. */
const REPORTABLE = 7 * 24 * 3600_000

const sign = ({ SECRET }: Config, { id, user_id, created_at, message }: SignedMessage) =>
  createHmac('sha256', SECRET)
    .update(`public message ${JSON.stringify([id, user_id, created_at, message])}`)
    .digest('base64url')

/** Returns the fields that say, and prove, who wrote the message now. The id is random. */
export function signPublicMessage(config: Config, user: Person, message: string): PublicChatWriter {
  const [id, created_at] = [randomInt(1, 2 ** 31), currentIsoTime()]
  return { id, user, created_at, signature: sign(config, { id, user_id: user.id, created_at, message }) }
}

/** Whether the signature of a message is right, and the message is recent enough to be reported. */
export const isReportable = (
  config: Config,
  { signature, ...message }: SignedMessage & { signature: string },
) =>
  areSecretsEqual(signature, sign(config, message)) &&
  Date.now() - Date.parse(message.created_at) < REPORTABLE
