import { createHmac } from 'node:crypto'
import type { AppContext } from '#core/context.ts'
import { areSecretsEqual } from '#core/secrets/crypto.ts'

type Config = Pick<AppContext, 'config'>

interface Link {
  call: number
  user: number
}

const sign = ({ config }: Config, { call, user }: Link) =>
  createHmac('sha256', config.SECRET).update(`roll call ${call} ${user}`).digest('base64url')

/** For one member and one roll call. It is valid until the end, which its row has. */
export const createToken = (context: Config, link: Link) => `${link.call}.${link.user}.${sign(context, link)}`

/** Null for a wrong signature. */
export function readToken(context: Config, token: string): Link | null {
  const [call, user, signature = ''] = token.split('.')
  const link = { call: Number(call), user: Number(user) }
  return areSecretsEqual(signature, sign(context, link)) ? link : null
}
