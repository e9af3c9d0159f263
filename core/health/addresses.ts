import type { Config } from '#core/config.ts'
import { isLocalServer } from '#core/http/hosts.ts'
import { isPublicAddress } from '#core/http/public-network.ts'
import type { Finding } from './check.ts'

/** The number of members from whose sessions one can tell. */
const MEMBERS = 3

/** A session, and the network (`networkOf`) from which it began. */
export interface SessionNetwork {
  user_id: number
  network: string | null
}

/**
 * Checks that members do not all come from one private address. Then a proxy or the network of a container
 * hides their own addresses, and all share the limits of one address.
 */
export function checkAddresses(sessions: readonly SessionNetwork[], config: Config): Finding {
  const [network, ...others] = new Set(sessions.map((session) => session.network))
  const members = new Set(sessions.map(({ user_id }) => user_id))
  const isShared = network && !others.length && members.size >= MEMBERS && !isPublicNetwork(network)
  if (!isShared || isLocalServer(config))
    return {
      status: 'ok',
      finding: {
        en: 'Nothing shows that a proxy hides the addresses of members.',
        ja: 'プロキシのためにメンバーのアドレスが隠れている様子はありません。',
      },
    }
  return {
    status: 'attention',
    finding: {
      en: `All members come from one private address (${network}), so visitors share one rate limit, and one of them can keep out everybody who is not logged in.`,
      ja: `全員が同じプライベートアドレス（${network}）から接続しています。ログイン前の人は回数制限を共有し、1人の操作で全員がログインできなくなることがあります。`,
    },
    advice: {
      en: 'If a proxy or a container network is in front of the server, set TRUST_PROXY to its address, let it send X-Forwarded-For, and restart.',
      ja: 'サーバーの前にプロキシやコンテナのネットワークがある場合は、TRUST_PROXYにそのアドレスを設定し、X-Forwarded-Forを送るようにして、再起動してください。',
    },
  }
}

/**
 * Whether a network, as `networkOf` returns it, is public. That of IPv6 is the first half of an
 * address.
 */
const isPublicNetwork = (network: string) => isPublicAddress(network.includes(':') ? `${network}::` : network)
