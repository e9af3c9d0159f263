import { createHmac } from 'node:crypto'
import type { AppContext } from '#core/context.ts'
import { areSecretsEqual } from '#core/secrets/crypto.ts'

type Config = Pick<AppContext, 'config'>

/** For one member and one date. */
interface Link {
  date: number
  user: number
}

const sign = ({ config }: Config, { date, user }: Link) =>
  createHmac('sha256', config.SECRET).update(`event answer ${date} ${user}`).digest('base64url')

/** It is valid until the end of answers. */
export const createToken = (context: Config, link: Link) => `${link.date}.${link.user}.${sign(context, link)}`

/** Null for a wrong signature. */
export function readToken(context: Config, token: string): Link | null {
  const [date, user, signature = ''] = token.split('.')
  const link = { date: Number(date), user: Number(user) }
  return areSecretsEqual(signature, sign(context, link)) ? link : null
}
