import { createHash, createHmac } from 'node:crypto'
import type { Config } from '#core/config.ts'
import type { Channels } from '#core/contract.ts'
import type { ConnectionUser } from '#core/realtime/connection.ts'
import type { ServedChannels } from '#core/schemas.ts'
import { areSecretsEqual } from '#core/secrets/crypto.ts'

/** True, or the `user_info` that a presence channel shows to members. `params` are the ids of its name. */
export type ChannelGuard<Param extends string = string> = (
  me: number,
  params: Readonly<Record<Param, number>>,
) => Promise<boolean | object> | boolean | object
type ParamsOf<Name extends string> = Name extends `${string}:${infer Rest}`
  ? Rest extends `${infer Param}.${infer More}`
    ? Param | ParamsOf<More>
    : Rest
  : never
type ClosedChannelName = `${'private' | 'presence'}-${string}`
/** The guard of a public channel is asked about bound connections. All other channels need one. */
export type ChannelGuards<C extends Channels> = {
  [K in keyof C as C[K]['name'] extends ClosedChannelName ? K : never]: ChannelGuard<ParamsOf<C[K]['name']>>
} & {
  [K in keyof C as C[K]['name'] extends ClosedChannelName ? never : K]?: ChannelGuard
}

export function createAuthorisation({
  PUSHER_APP_KEY,
  PUSHER_APP_SECRET,
}: Pick<Config, 'PUSHER_APP_KEY' | 'PUSHER_APP_SECRET'>) {
  const guards: { pattern: RegExp; guard: ChannelGuard }[] = []
  const patterns: RegExp[] = []
  const patternsOfPeerChannels: RegExp[] = []

  function guardOf(channel: string) {
    for (const { pattern, guard } of guards) {
      const found = pattern.exec(channel)
      if (!found) continue
      const params = Object.entries(found.groups ?? {}).map(([name, id]) => [name, Number(id)])
      return (me: number) => guard(me, Object.fromEntries(params))
    }
    return null
  }

  function sign(...parts: string[]) {
    const hmac = createHmac('sha256', PUSHER_APP_SECRET).update(parts.join(':'))
    return `${PUSHER_APP_KEY}:${hmac.digest('hex')}`
  }

  return {
    addChannels(channels: ServedChannels, given: Record<string, ChannelGuard>) {
      for (const [key, { name, showsOnlyPeersWhenLarge }] of Object.entries(channels)) {
        const pattern = patternOf(name)
        const guard = given[key]
        patterns.push(pattern)
        if (showsOnlyPeersWhenLarge) patternsOfPeerChannels.push(pattern)
        if (guard) guards.push({ pattern, guard })
      }
    },
    /** Other channels are used only by other servers and their clients. */
    isDeclared: (channel: string) => patterns.some((pattern) => pattern.test(channel)),
    showsOnlyPeersWhenLarge: (channel: string) =>
      patternsOfPeerChannels.some((pattern) => pattern.test(channel)),
    /** Null if the channel has no guard. */
    guardOf,
    /**
     * A signature proves only an earlier right, so the guard is asked again. Without a guard or a known user
     * it is enough, because a server that knows the secret made it.
     */
    async isAllowed(user: ConnectionUser | null, channel: string) {
      const guard = guardOf(channel)
      return !guard || !user || Boolean(await guard(user.id))
    },
    /** Signs the connection's id, the channel and any channel data: the app key, a colon, the signature. */
    sign,
    isSigned: (auth: string, ...parts: string[]) => areSecretsEqual(auth, sign(...parts)),
  }
}
export type Authorisation = ReturnType<typeof createAuthorisation>

const patternOf = (name: string) =>
  new RegExp(`^${name.replaceAll('.', '\\.').replace(/:(\w+)/g, '(?<$1>[1-9]\\d{0,14})')}$`)

/** SHA-256 in hexadecimal. The database and the messages of processes contain this, never the token. */
export const hashSession = (session: string) => createHash('sha256').update(session).digest('hex')
