import { createHash, createHmac } from 'node:crypto'
import type { Config } from '#core/config.ts'
import type { RealtimeChannelDefinitions } from '#core/contract.ts'
import { areSecretsEqual } from '#core/crypto.ts'
import type { WebSocketUserIdAndSessionDigest } from '#core/realtime/connection.ts'

/**
 * Decides whether a user may subscribe: false, true, or the `user_info` that a presence channel shows to its
 * members. `params` are the ids in the channel's name.
 */
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
/**
 * A guard for each channel that is not public. A public channel may have one: it is asked about connections
 * that are bound to a member.
 */
export type ChannelGuards<C extends RealtimeChannelDefinitions> = {
  [K in keyof C as C[K]['name'] extends ClosedChannelName ? K : never]: ChannelGuard<ParamsOf<C[K]['name']>>
} & {
  [K in keyof C as C[K]['name'] extends ClosedChannelName ? never : K]?: ChannelGuard
}

/** Creates the service that signs subscriptions and asks the guards of the features. */
export function createChannelGuardRegistryAndSigner({
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
    addChannels(channels: RealtimeChannelDefinitions, given: Record<string, ChannelGuard>) {
      for (const [key, { name, showsOnlyPeersWhenLarge }] of Object.entries(channels)) {
        const pattern = patternOf(name)
        const guard = given[key]
        patterns.push(pattern)
        if (showsOnlyPeersWhenLarge) patternsOfPeerChannels.push(pattern)
        if (guard) guards.push({ pattern, guard })
      }
    },
    /**
     * Whether a feature has declared the channel. Other channels are used only by other servers and their
     * clients.
     */
    isDeclared: (channel: string) => patterns.some((pattern) => pattern.test(channel)),
    /** Whether a feature has declared the channel with `showsOnlyPeersWhenLarge`. */
    showsOnlyPeersWhenLarge: (channel: string) =>
      patternsOfPeerChannels.some((pattern) => pattern.test(channel)),
    /**
     * Returns a function that asks the guard of a channel about a user; null if the channel has no guard.
     * The returned function passes the ids in the channel's name to the guard.
     */
    guardOf,
    /**
     * Asks the channel's guard whether it allows the subscription now; the signature only proves that the
     * guard allowed it earlier. Without a guard or a known user the signature is enough, because a server
     * that knows the secret made it.
     */
    async isAllowed(user: WebSocketUserIdAndSessionDigest | null, channel: string) {
      const guard = guardOf(channel)
      return !guard || !user || Boolean(await guard(user.id))
    },
    /**
     * Signs a subscription or a sign-in: returns the app key and the signature of the parts, joined by a
     * colon. The parts of a subscription are the connection's id, the channel, and the channel data if any.
     */
    sign,
    isSigned: (auth: string, ...parts: string[]) => areSecretsEqual(auth, sign(...parts)),
  }
}
export type ChannelGuardRegistryAndSigner = ReturnType<typeof createChannelGuardRegistryAndSigner>

/** Returns a pattern for the names of a channel such as `private-chat.:smaller.:larger`. */
const patternOf = (name: string) =>
  new RegExp(`^${name.replaceAll('.', '\\.').replace(/:(\w+)/g, '(?<$1>[1-9]\\d{0,14})')}$`)

/**
 * Returns the SHA-256 digest of a session token in hexadecimal. The database stores this digest, and
 * processes send it to each other, so that neither contains the token itself.
 */
export const hashSessionToken = (session: string) => createHash('sha256').update(session).digest('hex')
