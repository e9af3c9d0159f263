import type { Config } from '#core/config.ts'
import { isLocalServer, type ProxyState } from '#core/http/hosts.ts'
import { type Certificate, endsSoon } from './certificate.ts'
import { durationText, type Finding } from './check.ts'

const trustProxyAdvice = {
  en: 'If a proxy is in front of the server, set TRUST_PROXY to its address and restart.',
  ja: 'サーバーの前にプロキシがある場合は、TRUST_PROXYにそのアドレスを設定して再起動してください。',
}

const proxyFindings: Record<ProxyState, Finding> = {
  direct: {
    status: 'ok',
    finding: {
      en: 'This request came without a proxy, and none is set.',
      ja: 'このリクエストはプロキシを通らずに届き、プロキシの設定もありません。',
    },
  },
  trusted: {
    status: 'ok',
    finding: {
      en: 'This request came through a proxy that TRUST_PROXY names.',
      ja: 'このリクエストはTRUST_PROXYにあるプロキシを通って届きました。',
    },
  },
  ignored: {
    status: 'problem',
    finding: {
      en: 'This request came through a proxy, but TRUST_PROXY names none. All visitors count as one address, so the rate limits lock out everybody at once.',
      ja: 'このリクエストはプロキシを通って届きましたが、TRUST_PROXYが設定されていません。全員が同じアドレスと見なされ、回数制限が全員に同時にかかります。',
    },
    advice: trustProxyAdvice,
  },
  unknown_proxy: {
    status: 'problem',
    finding: {
      en: 'This request came through a proxy whose address is not in TRUST_PROXY.',
      ja: 'このリクエストを転送したプロキシのアドレスは、TRUST_PROXYにありません。',
    },
    advice: trustProxyAdvice,
  },
  missing: {
    status: 'attention',
    finding: {
      en: 'TRUST_PROXY names a proxy, but this request has no X-Forwarded-For header.',
      ja: 'TRUST_PROXYが設定されていますが、このリクエストにはX-Forwarded-Forヘッダーがありません。',
    },
    advice: {
      en: 'Let the proxy set X-Forwarded-For, and let only the proxy reach the server. If there is no proxy, remove TRUST_PROXY.',
      ja: 'プロキシにX-Forwarded-Forを付けさせ、サーバーにはプロキシだけが接続できるようにしてください。プロキシがなければ、TRUST_PROXYを外してください。',
    },
  },
}

export const checkProxy = (forwarding: ProxyState) => proxyFindings[forwarding]

export function checkCertificate(certificate: Certificate): Finding {
  const left = certificate.to - Date.now()
  if (!endsSoon(certificate)) {
    const { en, ja } = durationText(left)
    return {
      status: 'ok',
      finding: { en: `The certificate is valid for ${en}.`, ja: `証明書はあと${ja}有効です。` },
    }
  }
  const duration = durationText(Math.abs(left))
  return {
    status: left < 0 ? 'problem' : 'attention',
    finding:
      left < 0
        ? {
            en: `The certificate for HTTPS ended ${duration.en} ago: browsers refuse the site.`,
            ja: `HTTPSの証明書は${duration.ja}前に期限が切れました。ブラウザーはサイトを開けません。`,
          }
        : {
            en: `The certificate for HTTPS ends in ${duration.en}, and was not renewed.`,
            ja: `HTTPSの証明書は、更新されないまま、あと${duration.ja}で期限が切れます。`,
          },
    advice: {
      en: 'Look into the log of the proxy (Caddy, or certbot for nginx), which renews it: port 80 or 443 may be closed, or the name may point elsewhere.',
      ja: '証明書を更新するプロキシ（Caddy、またはnginxの場合はcertbot）のログを確認してください。80番か443番のポートが閉じているか、ドメインの向き先が違うかもしれません。',
    },
  }
}

/**
 * Checks that people reach the site by HTTPS, or that only this machine can reach the server. Without
 * HTTPS, cookies are not marked as secure. `forwarding` shows whether a proxy, which may let other machines
 * in, is before the server. The command line passes no `forwarding`, because it has no request.
 */
export function checkHttps(
  config: Pick<Config, 'HOST' | 'PUBLIC_URL'>,
  forwarding: ProxyState = 'direct',
  certificate: Certificate | null = null,
): Finding {
  if (certificate && endsSoon(certificate)) return checkCertificate(certificate)
  if (config.PUBLIC_URL?.startsWith('https:'))
    return {
      status: 'ok',
      finding: {
        en: 'PUBLIC_URL begins with https, and cookies are sent only encrypted.',
        ja: 'PUBLIC_URLはhttpsで始まり、Cookieは暗号化された接続でのみ送られます。',
      },
    }
  if (isLocalServer(config) && forwarding === 'direct')
    return {
      status: 'ok',
      finding: {
        en: 'Only this machine can reach the server, unless a proxy lets others in. So it needs no HTTPS.',
        ja: 'プロキシを使わないかぎり、サーバーにはこの機器からしか接続できません。HTTPSは必要ありません。',
      },
    }
  return {
    status: 'problem',
    finding: {
      en: 'The site is not served by HTTPS: passwords can be read on their way, and passkeys do not work.',
      ja: 'HTTPSで配信されていません。通信中のパスワードを読み取られるおそれがあり、パスキーも使えません。',
    },
    advice: {
      en: 'Put a proxy with a certificate (such as Caddy) in front, and set PUBLIC_URL to the address with https.',
      ja: '証明書のあるプロキシ（Caddyなど）を前に置き、PUBLIC_URLにhttpsのアドレスを設定してください。',
    },
  }
}

/** Checks that the rate limits are on. */
export const checkRateLimit = ({ RATE_LIMIT }: Pick<Config, 'RATE_LIMIT'>): Finding =>
  RATE_LIMIT
    ? { status: 'ok', finding: { en: 'The rate limits are on.', ja: '回数制限は有効です。' } }
    : {
        status: 'problem',
        finding: {
          en: 'The rate limits are off: anybody can try passwords without a limit.',
          ja: '回数制限が無効です。だれでもパスワードを無制限に試せます。',
        },
        advice: {
          en: 'Remove RATE_LIMIT=off and restart the server.',
          ja: 'RATE_LIMIT=offを外してサーバーを再起動してください。',
        },
      }
