import { createHash, createHmac } from 'node:crypto'
import type { Config } from '#core/config.ts'
import type { Channels } from '#core/contract.ts'
import { safeEqual } from '#core/crypto.ts'
import type { ConnectionUser } from '#core/realtime/connection.ts'

/**
 * Decides whether a user may subscribe: false, true, or the object that a presence channel tells the others
 * about the user. `params` are the ids in the channel's name.
 */
export type Guard<Param extends string = string> = (
  me: number,
  params: Readonly<Record<Param, number>>,
) => Promise<boolean | object> | boolean | object
type ParamsOf<Name extends string> = Name extends `${string}:${infer Rest}`
  ? Rest extends `${infer Param}.${infer More}`
    ? Param | ParamsOf<More>
    : Rest
  : never
/** A guard for each channel that is not public. */
export type Guards<C extends Channels> = {
  [K in keyof C as C[K]['name'] extends `${'private' | 'presence'}-${string}` ? K : never]: Guard<
    ParamsOf<C[K]['name']>
  >
}

/** Signs subscriptions and asks the guards of the features. */
export function createAuthorisation({
  PUSHER_APP_KEY,
  PUSHER_APP_SECRET,
}: Pick<Config, 'PUSHER_APP_KEY' | 'PUSHER_APP_SECRET'>) {
  const guards: { pattern: RegExp; guard: Guard }[] = []
  const patterns: RegExp[] = []

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
    addChannels(channels: Channels, given: Record<string, Guard>) {
      for (const [key, { name }] of Object.entries(channels)) {
        const pattern = patternOf(name)
        const guard = given[key]
        patterns.push(pattern)
        if (guard) guards.push({ pattern, guard })
      }
    },
    /**
     * Whether a feature has declared the channel. Other channels are used by servers and their own clients.
     */
    isDeclared: (channel: string) => patterns.some((pattern) => pattern.test(channel)),
    /** The guard of a channel, with the ids of its name filled in; null where the channel has none. */
    guardOf,
    /**
     * Whether the channel's guard allows it now; the signature only says that it did once. Without a guard
     * or a known user the signature suffices: it was made by a server that holds the secret.
     */
    async isAllowed(user: ConnectionUser | null, channel: string) {
      const guard = guardOf(channel)
      return !guard || !user || Boolean(await guard(user.id))
    },
    /** The signature of a subscription, over the connection's id, the channel and the channel data if any. */
    sign,
    isSigned: (auth: string, ...parts: string[]) => safeEqual(auth, sign(...parts)),
  }
}
export type Authorisation = ReturnType<typeof createAuthorisation>

/** Matches the names of a channel such as `private-chat.:smaller.:larger`. */
const patternOf = (name: string) =>
  new RegExp(`^${name.replaceAll('.', '\\.').replace(/:(\w+)/g, '(?<$1>[1-9]\\d{0,14})')}$`)

/** Sessions are told to other processes only by their digest. */
export const digestOf = (session: string) => createHash('sha256').update(session).digest('hex')
