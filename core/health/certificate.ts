import { connect } from 'node:tls'

const DAY = 24 * 3600_000
/** The time in ms in which the server must show its certificate. */
const TIMEOUT = 2000
/** A certificate ends soon when less than this time, and less than a quarter of its life, is left. */
const SOON = 14 * DAY

export interface Certificate {
  /** The times in ms since 1970 between which the certificate is valid. */
  from: number
  to: number
}

/**
 * Asks the server of PUBLIC_URL, which is usually the proxy, for its certificate. Does not check who made it.
 * Resolves to null if the address is none with https, or does not answer.
 */
export function readCertificate(publicUrl: string | undefined): Promise<Certificate | null> {
  const url = publicUrl ? URL.parse(publicUrl) : null
  if (url?.protocol !== 'https:') return Promise.resolve(null)
  const { promise, resolve } = Promise.withResolvers<Certificate | null>()
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host,
    port: Number(url.port || 443),
    rejectUnauthorized: false,
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
  })
  const timer = setTimeout(() => socket.destroy(), TIMEOUT)
  socket.once('secureConnect', () => {
    const { valid_from, valid_to } = socket.getPeerCertificate()
    resolve({ from: Date.parse(valid_from), to: Date.parse(valid_to) })
    socket.destroy()
  })
  // The event `close` follows. What does not answer is found by other checks.
  socket.once('error', () => {})
  socket.once('close', () => {
    clearTimeout(timer)
    resolve(null)
  })
  return promise
}

export const endsSoon = ({ from, to }: Certificate, now = Date.now()) =>
  to - now < Math.min(SOON, (to - from) / 4)
