import type { Config } from '#core/config.ts'

/** A supply that is spent, and that refills steadily up to `most`. */
interface Rate {
  most: number
  perSecond: number
}

const KB = 1024
const MB = 1024 * KB

/**
 * Limits of a member and of a network address, over all their connections to this process. A school or an
 * office may be behind one address, so an address has several times the supply of a member.
 */
const RATES = {
  /** Connections that are opened. Nobody knows their members yet. */
  connections: { member: { most: 1000, perSecond: 20 }, address: { most: 1000, perSecond: 20 } },
  /** Messages of any kind. */
  messages: { member: { most: 2000, perSecond: 200 }, address: { most: 20_000, perSecond: 2000 } },
  /** Bytes of messages of any kind. */
  bytes: { member: { most: 4 * MB, perSecond: 256 * KB }, address: { most: 32 * MB, perSecond: 2 * MB } },
  subscriptions: { member: { most: 800, perSecond: 20 }, address: { most: 8000, perSecond: 200 } },
  /** Bytes of lists of members that answer subscriptions. */
  lists: { member: { most: 16 * MB, perSecond: 512 * KB }, address: { most: 128 * MB, perSecond: 4 * MB } },
  clientEvents: { member: { most: 40, perSecond: 20 }, address: { most: 400, perSecond: 200 } },
  /** Bytes of client events, multiplied by the subscribers who get them. */
  deliveries: { member: { most: 4 * MB, perSecond: MB }, address: { most: 16 * MB, perSecond: 4 * MB } },
} as const satisfies Record<string, { member: Rate; address: Rate }>
type Kind = keyof typeof RATES

/** Connections that a member may have open at one process. */
const MAX_CONNECTIONS = 50
/** Milliseconds after which every supply is full again, so that it need not be stored. */
const FULL_AFTER = 60_000

/** The connection that spends: of an address, and of a member once one is known. */
interface Spender {
  readonly address: string
  readonly user: { readonly id: number } | null
}

interface Supply {
  left: number
  /** By `performance.now()`. */
  at: number
}

/**
 * Bounds what members and addresses cost the server, however many sockets they share it among. With
 * RATE_LIMIT=off nothing is bounded.
 */
export function createBudgets({ RATE_LIMIT }: Pick<Config, 'RATE_LIMIT'>) {
  const supplies = new Map<string, Supply>()
  const timer = setInterval(() => {
    const old = performance.now() - FULL_AFTER
    for (const [key, { at }] of supplies) if (at < old) supplies.delete(key)
  }, FULL_AFTER).unref()

  function supplyOf(key: string, { most, perSecond }: Rate) {
    const now = performance.now()
    const supply = supplies.get(key) ?? { left: most, at: now }
    supply.left = Math.min(most, supply.left + ((now - supply.at) / 1000) * perSecond)
    supply.at = now
    supplies.set(key, supply)
    return supply
  }

  return {
    /** Spends `amount`, and returns true. Spends nothing, and returns false, where too little is left. */
    spend(kind: Kind, { user, address }: Spender, amount = 1) {
      if (!RATE_LIMIT) return true
      const { member, address: shared } = RATES[kind]
      const spent = [supplyOf(`${kind} address ${address}`, shared)]
      if (user) spent.push(supplyOf(`${kind} member ${user.id}`, member))
      if (spent.some(({ left }) => left < amount)) return false
      for (const supply of spent) supply.left -= amount
      return true
    },
    /** Whether a member may have so many connections. */
    allowsConnections: (count: number) => !RATE_LIMIT || count <= MAX_CONNECTIONS,
    close: () => clearInterval(timer),
  }
}
export type Budgets = ReturnType<typeof createBudgets>
